#include <taut/trees/vector_boosting.hpp>

#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/trees/grower.hpp>

#include <cmath>

namespace taut {

namespace {

constexpr Index rows_of_vector_block = 4096;

class VectorGrowth {
 public:
  VectorGrowth(const BinnedInputs& x, RowsView train, RowsView validation, const Matrix& target, const VectorBoosting& settings,
               const ExecutionContext& context)
      : settings_(settings),
        context_(context),
        threads_(resolve_threads(context.threads)),
        train_(train.begin(), train.end()),
        validation_(validation.begin(), validation.end()),
        errors_(target),
        grower_(x, grower_settings()),
        sample_(std::ssize(train)),
        gradient_(std::ssize(train), 1),
        curvature_(Matrix::Ones(std::ssize(train), 1)),
        leaf_of_(static_cast<std::size_t>(x.rows())),
        columns_(all_rows(x.columns())) {
    result_.forest = VectorForest(x.columns(), outputs(), settings.depth);
    for (Index k = 0; k < outputs(); ++k) {
      double sum = 0, square = 0;
      for (const std::uint32_t row : train_) sum += target(row, k);
      const double mean = sum / static_cast<double>(train_.size());
      for (const std::uint32_t row : train_) square += (target(row, k) - mean) * (target(row, k) - mean);
      result_.initial.push_back(mean);
      errors_.col(k).array() -= mean;
      const double spread = std::sqrt(square / static_cast<double>(train_.size()));
      weight_.push_back(spread > 0 ? 1 / spread : 0);
    }
  }

  BoostedVectors run() {
    double minimum = validation_error();
    Index best = 0;
    for (Index round = 1; round <= settings_.max_rounds && round - best <= settings_.patience; ++round) {
      grow(round);
      context_.report("imitating the curve", static_cast<double>(round) / static_cast<double>(settings_.max_rounds));
      const double error = validation_error();
      if (!(error < minimum)) continue;
      minimum = error;
      best = round;
    }
    result_.forest.truncate(best);
    return std::move(result_);
  }

 private:
  BoosterSettings grower_settings() const {
    BoosterSettings result;
    result.depth = settings_.depth;
    result.rate = 1;
    result.lambda = 0.1;
    result.min_weight = static_cast<double>(settings_.min_rows);
    result.threads = threads_;
    return result;
  }
  Index outputs() const { return errors_.cols(); }

  void grow(Index round) {
    const Random random = Random(settings_.seed).fork(static_cast<std::uint64_t>(round));
    Random signs = random.fork(0);
    std::vector<double> direction = weight_;
    for (double& one : direction) one *= signs.uniform() < 0.5 ? -1 : 1;
    parallel_blocks(gradient_.rows(), rows_of_vector_block, threads_, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        double sum = 0;
        for (Index k = 0; k < outputs(); ++k)
          sum -= direction[static_cast<std::size_t>(k)] * errors_(train_[static_cast<std::size_t>(i)], k);
        gradient_(i, 0) = sum;
      }
    });
    sample_.sample(train_, gradient_, curvature_, 0, 1, 0, random.fork(1), threads_);
    const auto rows = sample_.sampled();
    grower_.grow(rows, columns_, random.fork(2));
    grower_.number_leaves();
    const MatrixF leaves = leaf_values(rows);
    result_.forest.add_tree(grower_.nodes(), leaves);
    std::fill(leaf_of_.begin(), leaf_of_.end(), 0.0F);
    grower_.add_to_gradient_rows(rows, leaf_of_.data(), 1);
    grower_.add_to_rows(validation_, leaf_of_.data(), 1);
    for (const auto& moved : {std::span<const std::uint32_t>(train_), std::span<const std::uint32_t>(validation_)})
      parallel_blocks(std::ssize(moved), rows_of_vector_block, threads_, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          const std::uint32_t row = moved[static_cast<std::size_t>(i)];
          errors_.row(row) -= leaves.row(static_cast<Index>(leaf_of_[row])).cast<double>();
        }
      });
  }

  MatrixF leaf_values(std::span<const GradientRow> rows) const {
    MatrixF leaves = MatrixF::Zero(grower_.leaves(), outputs());
    parallel_blocks(leaves.rows(), 1, threads_, [&](Index leaf, Index) {
      const auto of_leaf = grower_.rows_of_leaf(rows, leaf);
      if (of_leaf.empty()) return;
      for (Index k = 0; k < outputs(); ++k) {
        double sum = 0;
        for (const GradientRow& one : of_leaf) sum += errors_(one.row, k);
        leaves(leaf, k) = static_cast<float>(settings_.rate * sum / static_cast<double>(of_leaf.size()));
      }
    });
    return leaves;
  }

  double validation_error() const {
    return parallel_sum(std::ssize(validation_), threads_, [&](Index begin, Index end) {
      double part = 0;
      for (Index i = begin; i < end; ++i)
        for (Index k = 0; k < outputs(); ++k) {
          const double error = weight_[static_cast<std::size_t>(k)] * errors_(validation_[static_cast<std::size_t>(i)], k);
          part += error * error;
        }
      return part;
    });
  }

  const VectorBoosting& settings_;
  const ExecutionContext& context_;
  int threads_;
  std::vector<std::uint32_t> train_, validation_;
  Matrix errors_;  // target − sum of the trees, by row of the inputs
  Grower grower_;
  GradientRows sample_;
  Matrix gradient_, curvature_;
  std::vector<float> leaf_of_;  // by row of the inputs
  Rows columns_;
  std::vector<double> weight_;
  BoostedVectors result_;
};

}  // namespace

BoostedVectors boost_vectors(const BinnedInputs& x, RowsView train, RowsView validation, const Matrix& target,
                             const VectorBoosting& settings, const ExecutionContext& context) {
  check_boosting(std::ssize(train), x.rows(), x.columns());
  return VectorGrowth(x, train, validation, target, settings, context).run();
}

}  // namespace taut
