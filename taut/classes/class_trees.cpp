#include <taut/classes/class_trees.hpp>

#include <taut/classes/softmax.hpp>
#include <taut/core/error.hpp>
#include <taut/core/run_concurrently.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/input_pool.hpp>
#include <taut/model/training_inputs.hpp>
#include <taut/model/unexplained.hpp>
#include <taut/trees/booster.hpp>

#include <numeric>

namespace taut {

namespace {

constexpr Index most_rounds = 600, patience = 20;
constexpr Index held_share = 8;  // without folds one row in eight is held out to stop

BoosterSettings settings_for(Index rows, Index outputs, const FitOptions& options, int threads) {
  BoosterSettings chosen;
  const bool few = rows < 20'000;
  chosen.outputs = outputs;
  chosen.depth = few ? 4 : 6;
  chosen.rate = (few ? 0.1 : 0.2) * (options.effort == "quick" ? 2 : options.effort == "thorough" ? 0.5 : 1);
  chosen.min_weight = few ? 1 : 5;
  chosen.row_share = 0.8;
  chosen.column_share = 0.7;
  chosen.bins = 128;
  chosen.seed = static_cast<std::uint64_t>(options.seed);
  chosen.threads = threads;
  return chosen;
}

// Two labels need one margin: that of the second, the first has 0.
Index outputs_for(Index classes) { return classes == 2 ? 1 : classes; }

void logits_from(std::span<const double> base, const float* margins, std::span<double> logits) {
  const bool two = base.size() == 2;
  for (std::size_t k = 0; k < base.size(); ++k)
    logits[k] = base[k] + (two ? (k == 1 ? static_cast<double>(margins[0]) : 0.0) : static_cast<double>(margins[k]));
}

// One member: grown on the rows that train, until the log loss of those that validate has not fallen for a while.
class MemberGrowth {
 public:
  MemberGrowth(const InputPool& x, const TrainingPart& part, std::span<const Index> labels, std::span<const double> base,
               const BoosterSettings& settings)
      : part_(part),
        labels_(labels),
        base_(base),
        threads_(settings.threads),
        booster_(x.binned(settings.bins, settings.threads), part.train(), part.validation(), settings),
        gradient_(std::ssize(booster_.train_rows()), settings.outputs),
        curvature_(gradient_.rows(), settings.outputs) {}

  // So many rounds, whatever the rows that validate say: there may be none.
  Forest grow(Index rounds, const ExecutionContext& context) {
    for (Index round = 0; round < rounds; ++round) {
      differentiate();
      booster_.boost(gradient_, curvature_);
      context.report("predictor", static_cast<double>(round) / static_cast<double>(rounds));
    }
    return booster_.forest();
  }

  // Until they stop; the best number of rounds.
  Index grow(const ExecutionContext& context) {
    double least = infinity;
    Index best = 0;
    for (Index round = 0;; ++round) {
      const double loss = held_out_loss();
      if (loss < least) {
        least = loss;
        best = round;
        booster_.mark();
      }
      if (round == most_rounds || round - best == patience) break;
      differentiate();
      booster_.boost(gradient_, curvature_);
      context.report("predictor", static_cast<double>(round) / static_cast<double>(most_rounds));
    }
    booster_.rewind();
    return best;
  }

  // Of the rows that validate, after grow().
  Matrix held_out() const {
    Matrix logits(part_.validation_rows(), std::ssize(base_));
    for (Index i = 0; i < logits.rows(); ++i)
      logits_from(base_, booster_.margins().row(part_.begin + i).data(), {logits.row(i).data(), base_.size()});
    return logits;
  }

 private:
  double held_out_loss() const {
    return parallel_sum(part_.validation_rows(), threads_, [&](Index begin, Index end) {
      std::vector<double> logits(base_.size());
      double sum = 0;
      for (Index i = begin; i < end; ++i) {
        const Index row = part_.begin + i;
        logits_from(base_, booster_.margins().row(row).data(), logits);
        sum += log_loss_of(logits, 1, labels_[static_cast<std::size_t>(row)]);
      }
      return sum;
    });
  }

  // ∂loss/∂z_k = p_k − [y = k]. Raising all logits alike changes nothing, so that a tree for each of K labels would go K / (K − 1)
  // too far by the curvature p (1 − p) of its own (Friedman 2001).
  void differentiate() {
    const Index outputs = gradient_.cols();
    const double factor = outputs == 1 ? 1 : static_cast<double>(outputs) / static_cast<double>(outputs - 1);
    const auto rows = booster_.train_rows();
    parallel_blocks(gradient_.rows(), 1 << 12, threads_, [&](Index begin, Index end) {
      std::vector<double> p(base_.size());
      for (Index i = begin; i < end; ++i) {
        const auto row = rows[static_cast<std::size_t>(i)];
        logits_from(base_, booster_.margins().row(row).data(), p);
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

  TrainingPart part_;
  std::span<const Index> labels_;
  std::span<const double> base_;
  int threads_;
  Booster booster_;
  Matrix gradient_, curvature_;
};

// What categories say is measured by one number: whether a row has the most frequent label.
std::vector<double> frequent_or_not(std::span<const Index> labels, std::span<const double> base) {
  const Index frequent = std::max_element(base.begin(), base.end()) - base.begin();
  std::vector<double> values;
  double mean = 0;
  for (const Index label : labels) {
    values.push_back(label == frequent ? 1 : 0);
    mean += values.back() / static_cast<double>(labels.size());
  }
  const double spread = std::sqrt(std::max(mean * (1 - mean), 1e-6));
  for (double& value : values) value = (value - mean) / spread;
  return values;
}

std::vector<double> log_shares(std::span<const Index> labels, Index classes) {
  std::vector<double> counts(static_cast<std::size_t>(classes), 1);
  for (const Index label : labels) ++counts[static_cast<std::size_t>(label)];
  for (double& count : counts) count = std::log(count / static_cast<double>(std::ssize(labels) + classes));
  return counts;
}

}  // namespace

ClassTrees::Fitted ClassTrees::fit(const TableView& x, std::span<const Index> labels, Index classes, const RowPlan& plan,
                                   const FitOptions& options, const ExecutionContext& context) {
  const Index rows = std::ssize(plan.predictor);
  std::vector<TrainingPart> folds = plan.folds;
  if (folds.empty()) folds = {{rows, rows - std::max<Index>(1, rows / held_share), rows}};
  ClassTrees trees;
  trees.base_ = log_shares(labels, classes);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  std::vector<double> values;
  if (TrainingInputs::depend_on_values(Encoding::raw, x))
    values = unexplained_by_other_columns(x, plan.predictor, frequent_or_not(labels, trees.base_), folds, seed, context);
  const TrainingInputs inputs(Encoding::raw, x, plan.predictor, values, folds, /*with_counts=*/false);
  const auto pool = std::make_shared<const InputPool>(inputs.shared(context.threads));
  trees.encoder_ = inputs.encoder();
  BoosterSettings settings = settings_for(rows, outputs_for(classes), options, context.threads);
  Matrix held_out(rows, classes);
  std::vector<Index> rounds(folds.size());
  run_concurrently(std::ssize(folds), context, "predictor", [&](Index fold, const ExecutionContext& own) {
    const auto at = static_cast<std::size_t>(fold);
    BoosterSettings chosen = settings;
    chosen.threads = own.threads;
    chosen.seed += 1 + at;
    const auto seen = inputs.are_shared() ? pool : std::make_shared<const InputPool>(inputs.of_part(at, own.threads));
    MemberGrowth growth(*seen, folds[at], labels, trees.base_, chosen);
    rounds[at] = growth.grow(own);
    held_out.middleRows(folds[at].begin, folds[at].validation_rows()) = growth.held_out();
  });
  // New rows are predicted by trees of all rows. The mean of the folds' trees would be a little more accurate, but less sure of
  // itself than each of them, and the temperature is that of one; and it would take five times as long.
  const Index mean = std::accumulate(rounds.begin(), rounds.end(), Index{0}) / std::ssize(rounds);
  trees.forest_ = MemberGrowth(*pool, {rows, 0, 0}, labels, trees.base_, settings).grow(mean, context);
  if (!plan.folds.empty()) return {std::move(trees), std::move(held_out)};
  Matrix logits = trees.logits(x, plan.transform, context.threads);
  return {std::move(trees), std::move(logits)};
}

Matrix ClassTrees::logits(const TableView& x, RowsView rows, int threads) const {
  const MatrixF encoded = encoder_.encode(x, rows, threads);
  Matrix margins(encoded.rows(), forest_.outputs());
  forest_.evaluate(encoded, margins, threads);
  if (base_.size() == 2) {
    const Matrix second = margins;
    margins = Matrix::Zero(second.rows(), 2);
    margins.col(1) = second.col(0);
  }
  margins.rowwise() += Eigen::Map<const Eigen::RowVectorXd>(base_.data(), std::ssize(base_));
  return margins;
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
  trees.forest_ = Forest::load(archive.scope("forest"), trees.encoder_.columns(), outputs_for(classes));
  return trees;
}

}  // namespace taut
