#include <taut/task/label/class_trees.hpp>

#include <taut/core/error.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/predict/training_inputs.hpp>
#include <taut/task/label/class_growth.hpp>

namespace taut {

namespace {

constexpr Index held_share = 8;  // without folds, one row in eight is held out for early stopping

// The number by which categories are encoded: whether a row has the most frequent label, standardised.
std::vector<double> has_frequent_label(RowLabels labels, std::span<const double> base) {
  const Index frequent = std::max_element(base.begin(), base.end()) - base.begin();
  std::vector<double> values;
  double mean = 0;
  for (const Index label : labels.values) {
    values.push_back(label == frequent ? 1 : 0);
    mean += labels.weight(std::ssize(values) - 1) * (values.back() / labels.total());
  }
  const double spread = std::sqrt(std::max(mean * (1 - mean), 1e-6));
  for (double& value : values) value = (value - mean) / spread;
  return values;
}

std::vector<double> log_shares(RowLabels labels, Index classes) {
  std::vector<double> counts(static_cast<std::size_t>(classes), 1);
  for (std::size_t i = 0; i < labels.size(); ++i)
    counts[static_cast<std::size_t>(labels[i])] += labels.weight(static_cast<Index>(i));
  const double all = labels.total() + static_cast<double>(classes);
  for (double& count : counts) count = std::log(count / all);
  return counts;
}

}  // namespace

BoosterSettings ClassTrees::settings_for(Index rows, Index classes, const FitOptions& options, int threads) {
  BoosterSettings chosen;
  const bool few = rows < 20'000;
  const SearchEffort effort = options.search_effort();
  chosen.outputs = margins_for(classes);
  chosen.depth = few ? 4 : 6;
  chosen.rate = (few ? 0.1 : 0.2) * (effort == SearchEffort::quick ? 2 : effort == SearchEffort::thorough ? 0.5 : 1);
  chosen.min_weight = few ? 1 : 5;
  chosen.row_share = 0.8;
  chosen.column_share = 0.7;
  chosen.bins = 128;
  chosen.seed = static_cast<std::uint64_t>(options.seed);
  chosen.threads = threads;
  return chosen;
}

ClassTrees::Fitted ClassTrees::fit(const TableView& x, RowLabels labels, Index classes, const RowPlan& plan,
                                   const FitOptions& options, const ExecutionContext& context) {
  const Index rows = std::ssize(plan.predictor);
  std::vector<TrainingPart> folds = plan.folds;
  if (folds.empty()) folds = {{rows, rows - std::max<Index>(1, rows / held_share), rows}};
  ClassTrees trees;
  trees.base_ = log_shares(labels, classes);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  std::vector<double> values;
  if (TrainingInputs::depend_on_values(Encoding::raw, x))
    values = unexplained_by_other_columns(x, plan.predictor, has_frequent_label(labels, trees.base_), folds, seed, context,
                                          labels.weights);
  const TrainingInputs inputs(Encoding::raw, x, plan.predictor, values, folds, /*with_counts=*/false, labels.weights);
  const std::vector<double> weights(labels.weights.begin(), labels.weights.end());
  const auto pool = std::make_shared<const InputPool>(inputs.shared(context.threads), weights);
  trees.encoder_ = inputs.encoder();
  const BoosterSettings settings = settings_for(labels.counted(), classes, options, context.threads);
  Matrix held_out(rows, classes);
  const auto inputs_of = [&](std::size_t fold, int threads) {
    return inputs.are_shared() ? pool : std::make_shared<const InputPool>(inputs.of_part(fold, threads), weights);
  };
  const Index mean = grow_folds(folds, labels, {trees.base_}, settings, inputs_of, held_out, context);
  // Trees of all rows predict new rows. The mean of the folds' trees would be slightly more accurate, but it is less confident
  // than each of them, and the temperature is fitted to single ones. It would also take five times as long.
  trees.forest_ = ClassGrowth(*pool, {rows, 0, 0}, labels, {trees.base_}, settings).grow(mean, context);
  if (!plan.folds.empty()) return {std::move(trees), std::move(held_out)};
  Matrix logits = trees.logits(x, plan.transform, context.threads);
  return {std::move(trees), std::move(logits)};
}

Matrix ClassTrees::logits(const TableView& x, RowsView rows, int threads) const {
  const MatrixF encoded = encoder_.encode(x, rows, threads);
  Matrix margins(encoded.rows(), forest_.outputs());
  forest_.evaluate(encoded, margins, threads);
  Matrix logits = Eigen::Map<const Eigen::RowVectorXd>(base_.data(), std::ssize(base_)).replicate(encoded.rows(), 1);
  add_margins(margins, logits);
  return logits;
}

void ClassTrees::save(Archive archive) const {
  encoder_.save(archive.scope("encoder"));
  archive.put("base", base_);
  forest_.save(archive.scope("forest"));
}

ClassTrees ClassTrees::load(const Archive& archive, const std::vector<Column>& schema, Index classes) {
  ClassTrees trees;
  trees.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  trees.base_ = archive.get<std::vector<double>>("base");
  const auto is_finite = [](double value) { return std::isfinite(value); };
  if (std::ssize(trees.base_) != classes || !std::all_of(trees.base_.begin(), trees.base_.end(), is_finite))
    throw Error("the model file's trees do not fit its labels: it is damaged");
  trees.forest_ = Forest::load(archive.scope("forest"), trees.encoder_.columns(), margins_for(classes));
  return trees;
}

}  // namespace taut
