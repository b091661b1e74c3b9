#include <taut/task/label/class_growth.hpp>

#include <taut/core/threads.hpp>
#include <taut/task/label/temperature.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

bool ComparedLosses::is_better() const {
  if (!std::isfinite(with)) return false;
  return !std::isfinite(without) || without - with > error;
}

ComparedLosses compare_losses(const Matrix& without, double beta, const Matrix& with, RowLabels labels) {
  ComparedLosses losses{0, 0, 0};
  double square = 0;
  const auto width = static_cast<std::size_t>(without.cols());
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const double before = log_loss_of({without.row(row).data(), width}, beta, labels[i]);
    const double after = log_loss_of({with.row(row).data(), width}, 1, labels[i]);
    const double weight = labels.weight(row);
    losses.without += weight * before;
    losses.with += weight * after;
    square += weight * ((before - after) * (before - after));
  }
  const double n = labels.total();
  losses.without /= n;
  losses.with /= n;
  const double difference = losses.without - losses.with;
  losses.error = std::sqrt(std::max(0.0, square / n - difference * difference) / n);
  return losses;
}

namespace {

constexpr Index max_rounds = 600, patience = 20;

void logits_from(std::span<const double> start, const float* margins, std::span<double> logits) {
  const bool two = start.size() == 2;
  for (std::size_t k = 0; k < start.size(); ++k)
    logits[k] = start[k] + (two ? (k == 1 ? static_cast<double>(margins[0]) : 0.0) : static_cast<double>(margins[k]));
}

}  // namespace

namespace {

BoosterSettings with_weights(BoosterSettings settings, const InputPool& x) {
  settings.weights = x.weights();
  return settings;
}

}  // namespace

Index margins_for(Index classes) { return classes == 2 ? 1 : classes; }

ClassGrowth::ClassGrowth(const InputPool& x, const TrainingPart& part, RowLabels labels, StartLogits start,
                         const BoosterSettings& settings)
    : part_(part),
      labels_(labels),
      start_(start),
      threads_(settings.threads),
      booster_(x.binned(settings.bins, settings.threads), part.train(), part.validation(), with_weights(settings, x)),
      gradient_(std::ssize(booster_.train_rows()), settings.outputs),
      curvature_(gradient_.rows(), settings.outputs) {}

Forest ClassGrowth::grow(Index rounds, const ExecutionContext& context) {
  for (Index round = 0; round < rounds; ++round) {
    differentiate();
    booster_.boost(gradient_, curvature_);
    context.report("predictor", static_cast<double>(round) / static_cast<double>(rounds));
  }
  return booster_.forest();
}

Index ClassGrowth::grow(const ExecutionContext& context) {
  double minimum = infinity;
  Index best = 0;
  for (Index round = 0;; ++round) {
    const double loss = held_out_loss();
    if (loss < minimum) {
      minimum = loss;
      best = round;
      booster_.mark();
    }
    if (round == max_rounds || round - best == patience) break;
    differentiate();
    booster_.boost(gradient_, curvature_);
    context.report("predictor", static_cast<double>(round) / static_cast<double>(max_rounds));
  }
  booster_.rewind();
  return best;
}

Matrix ClassGrowth::held_out() const {
  Matrix logits(part_.validation_rows(), start_.classes());
  for (Index i = 0; i < logits.rows(); ++i)
    logits_from(start_.at(part_.begin + i), booster_.margins().row(part_.begin + i).data(),
                {logits.row(i).data(), static_cast<std::size_t>(logits.cols())});
  return logits;
}

double ClassGrowth::held_out_loss() const {
  return parallel_sum(part_.validation_rows(), threads_, [&](Index begin, Index end) {
    std::vector<double> logits(static_cast<std::size_t>(start_.classes()));
    double sum = 0;
    for (Index i = begin; i < end; ++i) {
      const Index row = part_.begin + i;
      logits_from(start_.at(row), booster_.margins().row(row).data(), logits);
      sum += labels_.weight(row) * log_loss_of(logits, 1, labels_[static_cast<std::size_t>(row)]);
    }
    return sum;
  });
}

// ∂loss/∂z_k = p_k − [y = k]. Adding a constant to all logits changes nothing. With the curvature p (1 − p) alone, the steps of K
// trees would be too long by K / (K − 1) (Friedman 2001).
void ClassGrowth::differentiate() {
  const Index outputs = gradient_.cols();
  const double factor = outputs == 1 ? 1 : static_cast<double>(outputs) / static_cast<double>(outputs - 1);
  const auto rows = booster_.train_rows();
  parallel_blocks(gradient_.rows(), 1 << 12, threads_, [&](Index begin, Index end) {
    std::vector<double> p(static_cast<std::size_t>(start_.classes()));
    for (Index i = begin; i < end; ++i) {
      const auto row = rows[static_cast<std::size_t>(i)];
      logits_from(start_.at(row), booster_.margins().row(row).data(), p);
      softmax(p, 1, p);
      for (Index output = 0; output < outputs; ++output) {
        const Index label = outputs == 1 ? 1 : output;
        const double own = p[static_cast<std::size_t>(label)];
        gradient_(i, output) = own - (labels_[row] == label ? 1 : 0);
        curvature_(i, output) = factor * own * (1 - own);
      }
    }
  });
}

Index grow_folds(const std::vector<TrainingPart>& folds, RowLabels labels, StartLogits start, const BoosterSettings& settings,
                 const std::function<std::shared_ptr<const InputPool>(std::size_t, int)>& inputs_of, Matrix& held_out,
                 const ExecutionContext& context) {
  std::vector<Index> rounds(folds.size());
  run_concurrently(std::ssize(folds), context, "predictor", [&](Index fold, const ExecutionContext& own) {
    const auto at = static_cast<std::size_t>(fold);
    BoosterSettings chosen = settings;
    chosen.threads = own.threads;
    chosen.seed += 1 + at;
    const auto inputs = inputs_of(at, own.threads);
    ClassGrowth growth(*inputs, folds[at], labels, start, chosen);
    rounds[at] = growth.grow(own);
    held_out.middleRows(folds[at].begin, folds[at].validation_rows()) = growth.held_out();
  });
  return std::accumulate(rounds.begin(), rounds.end(), Index{0}) / std::ssize(rounds);
}

void add_margins(const Matrix& margins, Matrix& logits) {
  if (logits.cols() == 2)
    logits.col(1) += margins.col(0);
  else
    logits += margins;
}

}  // namespace taut
