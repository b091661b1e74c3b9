#include <taut/explain/prediction_shares.hpp>

#include <taut/core/threads.hpp>
#include <taut/explain/sampled_shares.hpp>

#include <cmath>
#include <numeric>

namespace taut {

MatrixF encoded(const Encoder& encoder, const Matrix& cells, int threads) {
  MatrixF inputs(cells.rows(), encoder.columns());
  parallel_blocks(cells.rows(), 2048, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) encoder.encode_row(cells.row(i).data(), inputs.row(i).data());
  });
  return inputs;
}

PredictionShares::PredictionShares(const ModelParts& parts, const ExplainOptions& options, int threads)
    : parts_(parts), task_(number_task(parts)) {
  for (const auto& part : task_.predictor.parts()) {
    const std::size_t before = exact_.size();
    bool is_exact = true;
    for (std::size_t output = 0; output < part.predictor.outputs() && is_exact; ++output)
      is_exact = add_exact(part, static_cast<Index>(output));
    if (is_exact) continue;
    exact_.resize(before);
    others_.push_back(&part);
    sampled_names_.push_back(part.predictor.name());
  }
  if (task_.predictor.imported() != nullptr) sampled_names_.push_back(task_.predictor.imported()->model().library);
  if (sampled_names_.empty()) return;
  const Index columns = std::ssize(parts.schema);
  walks_.emplace_back([this](const Matrix& rows, int own) { return sampled_at(rows, own); },
                      background_rows(parts.calibration_inputs, parts.schema, options.walks / 2, options.seed), all_rows(columns),
                      columns, options.seed, threads);
}

bool PredictionShares::add_exact(const PointPredictor::Part& part, Index output) {
  const FoldedPredictor& predictor = part.predictor;
  const auto players = task_.predictor.encoder(predictor.needs()).column_of_inputs();
  Exact exact{&predictor, part.weight / static_cast<double>(predictor.outputs())};
  const double share = 1.0 / static_cast<double>(predictor.n_members());
  for (Index m = 0; m < predictor.n_members(); ++m) {
    const auto form = predictor.member(m).additive_form(output);
    if (!form) return false;
    exact.base += share * form->constant;
    for (ForestTerm term : form->forests) {
      term.weight *= share;
      exact.forests.emplace_back(TreeShap(*term.forest, players, std::ssize(parts_.schema)), term);
      exact.base += term.weight * exact.forests.back().first.base(term.output);
      exact.forests.back().second.forest.reset();  // TreeShap has copied what it needs
    }
    exact.weights.resize(std::max(exact.weights.size(), form->weights.size()));
    for (std::size_t i = 0; i < form->weights.size(); ++i) exact.weights[i] += share * form->weights[i];
  }
  exact_.push_back(std::move(exact));
  return true;
}

// If the part learns y itself, its shares are those of its sum, in units of y. Otherwise y = h(z), where h also clips predictions
// to their limits. All shares of z are then multiplied by the mean slope of h between the base and z, so that they add up to y.
void PredictionShares::add_part(const Exact& part, const Matrix& cells, Attribution& out, int threads) const {
  const Encoder& encoder = task_.predictor.encoder(part.predictor->needs());
  const MatrixF inputs = encoded(encoder, cells, threads);
  Matrix shares = Matrix::Zero(cells.rows(), out.shares.cols());
  for (const auto& [shap, term] : part.forests) shap.add(inputs, term.output, term.weight, shares, threads);
  if (!part.weights.empty()) {
    const auto players = encoder.column_of_inputs();
    for (Index i = 0; i < inputs.rows(); ++i)
      for (Index c = 0; c < std::ssize(part.weights); ++c)
        shares(i, players[static_cast<std::size_t>(c)]) +=
            part.weights[static_cast<std::size_t>(c)] * static_cast<double>(inputs(i, c));
  }
  const auto in_units = [&](double z) { return part.predictor->in_units(z); };
  constexpr double step = 1e-6;
  const double start = in_units(part.base);
  for (Index i = 0; i < shares.rows(); ++i) {
    const double moved = shares.row(i).sum();
    const double slope = std::abs(moved) > step ? (in_units(part.base + moved) - start) / moved
                                                : (in_units(part.base + step) - in_units(part.base - step)) / (2 * step);
    out.shares.row(i) += part.weight * slope * shares.row(i);
  }
}

Matrix PredictionShares::sampled_at(const Matrix& rows, int threads) const {
  Matrix sum = Matrix::Zero(rows.rows(), 1);
  if (const ImportedPredictor* imported = task_.predictor.imported()) {
    parallel_blocks(rows.rows(), 256, threads, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) sum(i, 0) = imported->predict_row(rows.row(i).data());
    });
    return sum;
  }
  std::map<Encoding, MatrixF> inputs;
  for (const auto* part : others_) {
    const FoldedPredictor& predictor = part->predictor;
    if (!inputs.contains(predictor.needs()))
      inputs.emplace(predictor.needs(), encoded(task_.predictor.encoder(predictor.needs()), rows, threads));
    const auto values = predictor.predict(inputs.at(predictor.needs()), threads);
    const std::size_t outputs = predictor.outputs();
    for (std::size_t i = 0; i < values.size(); ++i)
      sum(static_cast<Index>(i / outputs), 0) += part->weight / static_cast<double>(outputs) * values[i];
  }
  return sum;
}

double PredictionShares::explain(const Matrix& cells, std::span<const double> f, Attribution& out, int threads) const {
  out.value.assign(f.begin(), f.end());
  out.shares = Matrix::Zero(cells.rows(), std::ssize(parts_.schema));
  out.base = 0;
  for (const Exact& part : exact_) {
    out.base += part.weight * part.predictor->in_units(part.base);
    add_part(part, cells, out, threads);
  }
  for (const SampledShares& walks : walks_) {
    std::vector<Matrix> shares = {Matrix::Zero(cells.rows(), out.shares.cols())};
    walks.add(cells, shares, threads);
    out.base += walks.bases().front();
    out.shares += shares.front();
  }
  double rounding = 0;
  for (Index i = 0; i < cells.rows(); ++i)
    rounding = std::max(rounding, spread_rounding_error(f[static_cast<std::size_t>(i)], out.base, out.shares.row(i)));
  return rounding;
}

}  // namespace taut
