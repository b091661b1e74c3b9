#include <taut/task/label/corrected_logits.hpp>

#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/task/label/class_growth.hpp>
#include <taut/task/label/temperature.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

constexpr Index max_newton_steps = 50;
constexpr Index rows_at_once = 1 << 12;

// Sums over rows of the loss, its gradient Σ_k (p_k − [y = k]) z_jk and its curvature, the covariance of z_j and z_l under p.
// The doubt d replaces [y = k] by (1 − d) [y = k] + d / K.
struct LossSums {
  double loss = 0;
  Eigen::VectorXd slope;
  Eigen::MatrixXd curvature;
};

LossSums sums_of(const std::vector<const Matrix*>& members, RowLabels labels, const Eigen::VectorXd& weights, Index begin,
                 Index end) {
  const Index count = std::ssize(members), classes = members.front()->cols();
  const double doubt = label_smoothing(labels.counted());
  LossSums sums{0, Eigen::VectorXd::Zero(count), Eigen::MatrixXd::Zero(count, count)};
  Matrix z(count, classes);
  Eigen::RowVectorXd pooled(classes), p(classes);
  for (Index row = begin; row < end; ++row) {
    for (Index j = 0; j < count; ++j) z.row(j) = members[static_cast<std::size_t>(j)]->row(row);
    pooled = weights.transpose() * z;
    const Index label = labels[static_cast<std::size_t>(row)];
    const std::span<const double> own(pooled.data(), static_cast<std::size_t>(classes));
    const double weight = labels.weight(row);
    sums.loss += weight * (log_loss_of(own, 1, label) + doubt * (pooled[label] - pooled.mean()));
    softmax(own, 1, {p.data(), own.size()});
    const Eigen::VectorXd mean = z * p.transpose();
    if (labels.weights.empty()) {
      sums.slope += mean - z.col(label) + doubt * (z.col(label) - z.rowwise().mean());
      sums.curvature += z * p.asDiagonal() * z.transpose() - mean * mean.transpose();
    } else {
      sums.slope += weight * (mean - z.col(label) + doubt * (z.col(label) - z.rowwise().mean()));
      sums.curvature += weight * (z * p.asDiagonal() * z.transpose() - mean * mean.transpose());
    }
  }
  return sums;
}

LossSums sums_of_all(const std::vector<const Matrix*>& members, RowLabels labels, const Eigen::VectorXd& weights, int threads) {
  const Index rows = members.front()->rows(), blocks = (rows + rows_at_once - 1) / rows_at_once;
  std::vector<LossSums> parts(static_cast<std::size_t>(blocks));
  parallel_blocks(blocks, 1, threads, [&](Index block, Index) {
    parts[static_cast<std::size_t>(block)] =
        sums_of(members, labels, weights, block * rows_at_once, std::min(rows, (block + 1) * rows_at_once));
  });
  LossSums all = std::move(parts.front());
  for (std::size_t block = 1; block < parts.size(); ++block) {
    all.loss += parts[block].loss;
    all.slope += parts[block].slope;
    all.curvature += parts[block].curvature;
  }
  return all;
}

// Newton's step over the free weights. A weight at 0 whose slope is not negative is fixed.
Eigen::VectorXd step_of(const LossSums& now, const Eigen::VectorXd& weights) {
  Eigen::MatrixXd curvature = now.curvature;
  Eigen::VectorXd slope = now.slope;
  const double ridge = 1e-9 * std::max(1.0, curvature.trace());
  curvature.diagonal().array() += ridge;
  for (Index j = 0; j < weights.size(); ++j) {
    if (weights[j] > 0 || slope[j] < 0) continue;
    curvature.row(j).setZero();
    curvature.col(j).setZero();
    curvature(j, j) = 1;
    slope[j] = 0;
  }
  return -solve_semidefinite(curvature, slope);
}

}  // namespace

std::vector<double> logit_weights(const std::vector<const Matrix*>& members, RowLabels labels, int threads) {
  const Index count = std::ssize(members);
  Eigen::VectorXd weights = Eigen::VectorXd::Constant(count, 1 / static_cast<double>(count));
  LossSums now = sums_of_all(members, labels, weights, threads);
  for (Index step = 0; step < max_newton_steps; ++step) {
    const Eigen::VectorXd move = step_of(now, weights);
    double share = 1;
    bool moved = false;
    for (; share > 1e-4 && !moved; share /= 2) {
      const Eigen::VectorXd next = (weights + share * move).cwiseMax(0);
      LossSums there = sums_of_all(members, labels, next, threads);
      if (!is_lower_loss(there.loss, now.loss - 1e-10 * std::abs(now.loss))) continue;
      weights = next;
      now = std::move(there);
      moved = true;
    }
    if (!moved) break;
  }
  return {weights.begin(), weights.end()};
}

Matrix weighted_logits(const std::vector<const Matrix*>& members, std::span<const double> weights) {
  Matrix sum;
  for (std::size_t j = 0; j < members.size(); ++j) {
    if (weights[j] == 0) continue;
    if (sum.size() == 0)
      sum = weights[j] * *members[j];
    else
      sum += weights[j] * *members[j];
  }
  return sum;
}

namespace {

// Trees could never correct a probability of 0.
constexpr double min_log = -7;

Matrix bounded_below(const Matrix& logits, double scale) {
  Matrix result(logits.rows(), logits.cols());
  for (Index row = 0; row < logits.rows(); ++row)
    result.row(row) = (scale * (logits.row(row).array() - logits.row(row).maxCoeff())).max(min_log).matrix();
  return result;
}

}  // namespace

MatrixF CorrectedLogits::inputs(const TableView& x, RowsView rows, const Matrix& logits, int threads) const {
  const MatrixF encoded = encoder_.encode(x, rows, threads);
  MatrixF all(encoded.rows(), encoded.cols() + logits.cols());
  all << encoded, logits.cast<float>();
  return all;
}

BoosterSettings CorrectedLogits::cautious(Index rows, Index classes, std::uint64_t seed, int threads) {
  BoosterSettings settings;
  settings.outputs = margins_for(classes);
  settings.depth = 3;
  settings.rate = rows < 5000 ? 0.05 : 0.1;
  settings.min_weight = 2;
  settings.lambda = 5;
  settings.row_share = 0.8;
  settings.column_share = 0.7;
  settings.bins = 64;
  settings.seed = seed;
  settings.threads = threads;
  return settings;
}

CorrectedLogits::Fitted CorrectedLogits::fit(const TableView& x, RowsView rows, const Matrix& logits, double doubt,
                                             RowLabels labels, const std::vector<TrainingPart>& folds,
                                             const BoosterSettings& settings, const ExecutionContext& context) {
  Fitted fitted;
  CorrectedLogits& corrected = fitted.corrected;
  corrected.encoder_ = Encoder(Encoding::raw, x, rows, labels.weights);
  corrected.scale_ = best_inverse_temperature(logits, labels, context.threads, doubt);
  const Matrix start = bounded_below(logits, corrected.scale_);
  const auto pool = std::make_shared<const InputPool>(corrected.inputs(x, rows, start, context.threads),
                                                      std::vector<double>(labels.weights.begin(), labels.weights.end()));
  Matrix held_out = start;
  const auto inputs_of = [&](std::size_t, int) { return pool; };
  const Index mean = grow_folds(folds, labels, {.of_rows = &start}, settings, inputs_of, held_out, context);
  const ComparedLosses losses = compare_losses(start, 1, held_out, labels);
  fitted.without = losses.without;
  fitted.with = losses.with;
  fitted.error = losses.error;
  fitted.out_of_fold = logits;
  if (!losses.is_better() || mean == 0) return fitted;
  corrected.forest_ = ClassGrowth(*pool, {std::ssize(rows), 0, 0}, labels, {.of_rows = &start}, settings).grow(mean, context);
  fitted.out_of_fold = std::move(held_out);
  return fitted;
}

Matrix CorrectedLogits::at(const TableView& x, RowsView rows, Matrix logits, int threads) const {
  if (empty()) return logits;
  logits = bounded_below(logits, scale_);
  const MatrixF all = inputs(x, rows, logits, threads);
  Matrix margins(all.rows(), forest_.outputs());
  forest_.evaluate(all, margins, threads);
  add_margins(margins, logits);
  return logits;
}

void CorrectedLogits::save(Archive archive) const {
  encoder_.save(archive.scope("encoder"));
  archive.put("scale", scale_);
  forest_.save(archive.scope("forest"));
}

CorrectedLogits CorrectedLogits::load(const Archive& archive, const std::vector<Column>& schema, Index classes) {
  CorrectedLogits corrected;
  corrected.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  corrected.forest_ = Forest::load(archive.scope("forest"), corrected.encoder_.columns() + classes, margins_for(classes));
  corrected.scale_ = archive.number("scale");
  if (!(corrected.scale_ > 0 && corrected.scale_ < infinity))
    throw Error("the model file's corrected probabilities have no temperature: it is damaged");
  return corrected;
}

}  // namespace taut
