#include <taut/trees/quantile_boosting.hpp>

#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/trees/grower.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

double interpolated_quantile(std::span<double> values, double p) {
  const double place = std::clamp(p * static_cast<double>(values.size()) - 0.5, 0.0, static_cast<double>(values.size() - 1));
  const auto low = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), low, values.end());
  const double rest = place - std::floor(place);
  if (rest == 0) return *low;
  const double next = *std::min_element(low + 1, values.end());
  return *low + rest * (next - *low);
}

double interpolated_quantile(std::span<double> values, RowWeights weights, double p) {
  return weights.empty() ? interpolated_quantile(values, p) : RepeatedValues(values, weights).interpolated(p);
}

namespace {

constexpr Index rows_of_block = 4096;

class QuantileGrowth {
 public:
  QuantileGrowth(const BinnedInputs& x, RowsView train, RowsView validation, std::span<const double> target,
                 const QuantileBoosting& settings, const ExecutionContext& context, const QuantileStart* start)
      : settings_(settings),
        context_(context),
        threads_(resolve_threads(context.threads)),
        train_(train.begin(), train.end()),
        validation_(validation.begin(), validation.end()),
        target_(target),
        grower_(x, booster_settings()),
        sample_(std::ssize(train)),
        gradient_(std::ssize(train), 1),
        curvature_(Matrix::Ones(std::ssize(train), 1)),
        leaf_of_(static_cast<std::size_t>(x.rows())),
        margins_(start != nullptr ? start->added : MatrixF::Zero(x.rows(), outputs())),
        columns_(all_rows(x.columns())),
        train_weight_(total_weight(pick_weights(settings.weights, train), std::ssize(train))) {
    result_.forest = VectorForest(x.columns(), outputs(), settings.depth);
    if (start != nullptr) {
      result_.initial = start->initial;
      return;
    }
    std::vector<double> all;
    for (const std::uint32_t row : train_) all.push_back(target[row]);
    const std::vector<double> weights = pick_weights(settings.weights, train);
    for (const double p : settings.probabilities) result_.initial.push_back(interpolated_quantile(all, weights, p));
  }

  BoostedQuantiles run() {
    double minimum = validation_loss();
    Index best = 0;
    MatrixF kept = margins_;
    for (Index round = 1; round <= settings_.max_rounds && round - best <= settings_.patience; ++round) {
      grow(round);
      context_.report("training the curve", static_cast<double>(round) / static_cast<double>(settings_.max_rounds));
      const double loss = validation_loss();
      if (!(loss < minimum)) continue;
      minimum = loss;
      best = round;
      for (const std::uint32_t row : validation_) kept.row(row) = margins_.row(row);
    }
    result_.forest.truncate(best);
    result_.held_out.resize(std::ssize(validation_), outputs());
    for (std::size_t i = 0; i < validation_.size(); ++i)
      for (Index k = 0; k < outputs(); ++k)
        result_.held_out(static_cast<Index>(i), k) = initial(k) + static_cast<double>(kept(validation_[i], k));
    return std::move(result_);
  }

 private:
  BoosterSettings booster_settings() const {
    BoosterSettings result;
    result.depth = settings_.depth;
    result.rate = 1;
    result.min_weight = static_cast<double>(settings_.min_rows);
    result.min_gain = settings_.min_gain;
    result.threads = threads_;
    result.weights = settings_.weights;
    result.directions = settings_.directions;
    return result;
  }
  Index outputs() const { return std::ssize(settings_.probabilities); }
  double probability(Index k) const { return settings_.probabilities[static_cast<std::size_t>(k)]; }
  double initial(Index k) const { return result_.initial[static_cast<std::size_t>(k)]; }
  double weight_of(std::uint32_t row) const { return taut::weight_of(settings_.weights, row); }
  double error(std::uint32_t row, Index k) const { return target_[row] - initial(k) - static_cast<double>(margins_(row, k)); }

  // The weights of the quantiles in the gradient of a round. The rounds alternate: for each pair of quantiles, p and 1 − p, one
  // tree looks for the side on which values lie, and one for whether they lie between the two or outside. So the trees of a
  // mirrored target are the mirrored trees.
  std::vector<double> weights_of(Index round) const {
    const Index pairs = (outputs() + 1) / 2, k = (round / 2) % pairs, other = outputs() - 1 - k;
    std::vector<double> weight(static_cast<std::size_t>(outputs()));
    weight[static_cast<std::size_t>(k)] = 1;
    weight[static_cast<std::size_t>(other)] = k == other || round % 2 == 0 ? 1 : -1;
    return weight;
  }

  void grow(Index round) {
    const std::vector<double> weight = weights_of(round);
    parallel_blocks(gradient_.rows(), rows_of_block, threads_, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        double sum = 0;
        for (Index k = 0; k < outputs(); ++k) {
          const double w = weight[static_cast<std::size_t>(k)];
          if (w == 0) continue;
          const double e = error(train_[static_cast<std::size_t>(i)], k);
          sum += w * ((e < 0 ? 1 : e > 0 ? 0 : 0.5) - probability(k));
        }
        gradient_(i, 0) = sum;
      }
    });
    const double squares = parallel_sum(gradient_.rows(), threads_, [&](Index begin, Index end) {
      double part = 0;
      for (Index i = begin; i < end; ++i)
        part += weight_of(train_[static_cast<std::size_t>(i)]) * gradient_(i, 0) * gradient_(i, 0);
      return part;
    });
    gradient_ /= std::sqrt(std::max(squares / train_weight_, std::numeric_limits<double>::min()));

    const auto count = static_cast<double>(train_.size());
    const double kept = settings_.rows_of_tree > 0 ? std::min(1.0, static_cast<double>(settings_.rows_of_tree) / count) : 1;
    sample_.sample(train_, gradient_, curvature_, 0, 1, 1 - kept, Random(settings_.seed).fork(static_cast<std::uint64_t>(round)),
                   threads_, settings_.weights);
    const auto rows = sample_.sampled();
    grower_.grow(rows, columns_, Random(settings_.seed));
    grower_.number_leaves();
    const MatrixF leaves = leaf_values(rows);
    result_.forest.add_tree(grower_.nodes(), leaves);

    std::fill(leaf_of_.begin(), leaf_of_.end(), 0.0F);
    grower_.add_to_gradient_rows(rows, leaf_of_.data(), 1);
    grower_.add_to_rows(sample_.dropped(), leaf_of_.data(), 1);
    grower_.add_to_rows(validation_, leaf_of_.data(), 1);
    for (const auto& moved : {std::span<const std::uint32_t>(train_), std::span<const std::uint32_t>(validation_)})
      parallel_blocks(std::ssize(moved), rows_of_block, threads_, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const std::uint32_t row = moved[static_cast<std::size_t>(i)];
          margins_.row(row) += leaves.row(static_cast<Index>(leaf_of_[row]));
        }
      });
  }

  MatrixF leaf_values(std::span<const GradientRow> rows) const {
    MatrixF leaves = MatrixF::Zero(grower_.leaves(), outputs());
    parallel_blocks(leaves.size(), 1, threads_, [&](Index which, Index) {
      const Index leaf = which / outputs(), k = which % outputs();
      const auto leaf_rows = grower_.rows_of_leaf(rows, leaf);
      if (leaf_rows.empty()) return;
      std::vector<double> errors, weights;
      errors.reserve(leaf_rows.size());
      for (const GradientRow& one : leaf_rows) {
        errors.push_back(error(one.row, k));
        if (!settings_.weights.empty()) weights.push_back(settings_.weights[one.row]);
      }
      leaves(leaf, k) = static_cast<float>(settings_.rate * interpolated_quantile(errors, weights, probability(k)));
    });
    return leaves;
  }

  double validation_loss() const {
    return parallel_sum(std::ssize(validation_), threads_, [&](Index begin, Index end) {
      double part = 0;
      for (Index i = begin; i < end; ++i)
        for (Index k = 0; k < outputs(); ++k)
          part += weight_of(validation_[static_cast<std::size_t>(i)]) *
                  scaled_pinball_loss(error(validation_[static_cast<std::size_t>(i)], k), probability(k));
      return part;
    });
  }

  const QuantileBoosting& settings_;
  const ExecutionContext& context_;
  int threads_;
  std::vector<std::uint32_t> train_, validation_;
  std::span<const double> target_;
  Grower grower_;
  GradientRows sample_;
  Matrix gradient_, curvature_;
  std::vector<float> leaf_of_;  // by row of the inputs
  MatrixF margins_;             // of training and validation rows
  Rows columns_;
  double train_weight_;
  BoostedQuantiles result_;
};

}  // namespace

BoostedQuantiles boost_quantiles(const BinnedInputs& x, RowsView train, RowsView validation, std::span<const double> target,
                                 const QuantileBoosting& settings, const ExecutionContext& context, const QuantileStart* start) {
  check_boosting(std::ssize(train), x.rows(), x.columns());
  return QuantileGrowth(x, train, validation, target, settings, context, start).run();
}

}  // namespace taut
