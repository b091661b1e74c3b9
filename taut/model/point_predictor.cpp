#include <taut/model/point_predictor.hpp>

#include <taut/core/error.hpp>
#include <taut/core/run_concurrently.hpp>
#include <taut/model/training_inputs.hpp>
#include <taut/model/unexplained.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace taut {

namespace {

std::size_t outputs_of(const std::string& predictor) { return static_cast<std::size_t>(predictors().make(predictor)->outputs()); }

}  // namespace

PointPredictor::Fitted PointPredictor::fit(const TableView& x, std::span<const double> y, const RowPlan& plan,
                                           const FitOptions& options, const ExecutionContext& context) {
  const PredictorSettings settings{static_cast<std::uint64_t>(options.seed), options.knn_rows, options.effort};
  PointPredictor predictor(options.predictor, y, plan.predictor);
  auto held_out = predictor.train(x, y, plan.predictor, plan.folds, settings, context);
  if (plan.folds.empty()) held_out = predictor.predict(x, plan.transform, context.threads);
  return {std::move(predictor), std::move(held_out)};
}

PointPredictor::PointPredictor(const std::string& name, std::span<const double> y, RowsView rows)
    : name_(name), outputs_(outputs_of(name)) {
  standardise(y, rows);
}

// One member for each fold, trained on the others; their predictions of the fold itself are the result. Without folds one member
// is trained on everything and holds nothing out.
RowPredictions PointPredictor::train(const TableView& x, std::span<const double> y, RowsView rows,
                                     const std::vector<TrainingPart>& folds, const PredictorSettings& settings,
                                     const ExecutionContext& context) {
  std::vector<double> standard = pick(y, rows);
  for (double& value : standard) value = (value - centre_) / unit_;
  const std::vector<TrainingPart> parts = folds.empty() ? std::vector{TrainingPart{.rows = std::ssize(rows)}} : folds;
  const Encoding encoding = predictors().make(name_)->needs();
  std::vector<double> unexplained;
  if (TrainingInputs::depend_on_values(encoding, x))
    unexplained = unexplained_by_other_columns(x, rows, standard, parts, settings.seed, context);
  const TrainingInputs training_inputs(encoding, x, rows, unexplained, parts, /*with_counts=*/false);
  encoder_ = training_inputs.encoder();
  std::optional<InputPool> shared;
  if (training_inputs.are_shared()) shared.emplace(training_inputs.shared(context.threads));
  const std::size_t count = parts.size();
  members_.resize(count);
  std::vector<std::vector<double>> held_out(count);
  run_concurrently(static_cast<Index>(count), context, "fitting the predictor", [&](Index which, const ExecutionContext& inside) {
    const auto m = static_cast<std::size_t>(which);
    const Rows training = parts[m].train();
    std::optional<InputPool> own_inputs;
    if (!shared) own_inputs.emplace(training_inputs.of_part(m, inside.threads));
    const InputPool& inputs = shared ? *shared : *own_inputs;
    PredictorSettings own = settings;
    own.seed = settings.seed + m;
    auto member = predictors().make(name_);
    member->fit(inputs, training, pick(standard, training), own, inside);
    held_out[m].resize(static_cast<std::size_t>(parts[m].validation_rows()) * outputs_);
    member->predict(inputs.floats().middleRows(parts[m].begin, parts[m].validation_rows()), held_out[m], inside.threads);
    members_[m] = std::move(member);
  });
  std::vector<double> out_of_sample;
  for (const auto& part : held_out) out_of_sample.insert(out_of_sample.end(), part.begin(), part.end());
  return in_units(out_of_sample);
}

// Sums are taken in units of the largest value, so that targets near the end of the range of doubles do not overflow.
void PointPredictor::standardise(std::span<const double> y, RowsView rows) {
  double largest = 0;
  for (const Index row : rows) largest = std::max(largest, std::abs(y[static_cast<std::size_t>(row)]));
  if (largest == 0) return;
  const double n = static_cast<double>(rows.size());
  double mean = 0, deviation = 0;
  for (const Index row : rows) mean += y[static_cast<std::size_t>(row)] / largest / n;
  for (const Index row : rows) deviation += std::abs(y[static_cast<std::size_t>(row)] / largest - mean) / n;
  centre_ = mean * largest;
  if (deviation * largest > 0) unit_ = deviation * largest;
}

// Far outside the training rows a prediction may leave the range of doubles; an interval needs a finite centre.
RowPredictions PointPredictor::in_units(const std::vector<double>& standard) const {
  constexpr double most = std::numeric_limits<double>::max();
  std::array<std::vector<double>, 2> ends;
  for (std::size_t i = 0; i < standard.size(); ++i) {
    double value = centre_ + unit_ * standard[i];
    if (!std::isfinite(value)) value = std::isnan(value) ? centre_ : std::copysign(most, value);
    ends[i % outputs_].push_back(value);
  }
  return outputs_ == 1 ? RowPredictions(std::move(ends[0])) : RowPredictions(std::move(ends[0]), std::move(ends[1]));
}

RowPredictions PointPredictor::mean_of_members(const MatrixF& inputs, int threads) const {
  std::vector<double> mean(static_cast<std::size_t>(inputs.rows()) * outputs_), one(mean.size());
  for (const auto& member : members_) {
    member->predict(inputs, one, threads);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += one[i] / static_cast<double>(members_.size());
  }
  return in_units(mean);
}

RowPredictions PointPredictor::predict(const TableView& x, RowsView rows, int threads) const {
  return mean_of_members(encoder_.encode(x, rows, threads), threads);
}

RowPrediction PointPredictor::predict_row(const double* row) const {
  MatrixF inputs(1, encoder_.columns());
  encoder_.encode_row(row, inputs.data());
  return mean_of_members(inputs, 1)[0];
}

void PointPredictor::save(Archive archive) const {
  archive.put("name", name_);
  archive.put("centre", centre_);
  archive.put("unit", unit_);
  archive.put("members", static_cast<std::int64_t>(members_.size()));
  encoder_.save(archive.scope("encoder"));
  for (std::size_t m = 0; m < members_.size(); ++m) members_[m]->save(archive.scope("member" + std::to_string(m)));
}

PointPredictor PointPredictor::load(const Archive& archive, const std::vector<Column>& schema) {
  PointPredictor result;
  result.name_ = archive.text("name");
  result.outputs_ = outputs_of(result.name_);
  result.centre_ = archive.number("centre");
  result.unit_ = archive.number("unit");
  if (!std::isfinite(result.centre_) || !(result.unit_ > 0) || !std::isfinite(result.unit_))
    throw Error("the model file's units of the target make no sense: it is damaged");
  result.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  result.members_.resize(static_cast<std::size_t>(archive.integer_in("members", 1, 1000)));
  for (std::size_t m = 0; m < result.members_.size(); ++m) {
    result.members_[m] = predictors().make(result.name_);
    result.members_[m]->load(archive.scope("member" + std::to_string(m)), result.encoder_.columns());
  }
  return result;
}

}  // namespace taut
