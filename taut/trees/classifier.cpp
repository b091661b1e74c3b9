#include <taut/trees/classifier.hpp>

#include <taut/core/random.hpp>
#include <taut/trees/booster.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index max_rounds = 100;
constexpr Index patience = 10;
constexpr Index validation_share = 7;  // one in seven of a model's rows is used for early stopping

enum class Part : std::uint8_t { train, validation, test };

double logistic(double margin) { return 1 / (1 + std::exp(-margin)); }

// −log P(z) = log(1 + e^m) − z m
double log_loss(double margin, bool z) {
  return std::max(margin, 0.0) + std::log1p(std::exp(-std::abs(margin))) - (z ? margin : 0);
}

// All models are trained together: model k is output k of one booster, so that they share the binned inputs. Rows that a model
// must not be trained on have a gradient of 0 for it, but still get its margin.
class CrossFit {
 public:
  CrossFit(const Inputs& x, std::span<const std::uint8_t> z, Index folds, std::uint64_t seed, int threads)
      : z_(z),
        order_(Random(seed).permutation(x.rows())),
        models_(static_cast<std::size_t>(folds)),
        booster_(x, {.outputs = folds, .depth = 3, .rate = 0.1, .bins = 64, .seed = seed, .threads = threads}),
        gradient_(Matrix::Zero(x.rows(), folds)),
        curvature_(Matrix::Zero(x.rows(), folds)),
        base_(folds),
        probabilities_(z.size()) {
    for (Index k = 0; k < folds; ++k) base_[k] = starting_margin(k);
  }

  std::vector<double> probabilities() {
    for (Index round = 0; prepare(round) && round < max_rounds; ++round) booster_.boost(gradient_, curvature_);
    return probabilities_;
  }

  CrossFittedClassifier classifier() {
    CrossFittedClassifier best;
    double minimum = infinity;
    Index best_round = 0;
    for (Index round = 0; round <= max_rounds && round - best_round <= patience; ++round) {
      const Eigen::MatrixXd margins = booster_.margins().cast<double>().rowwise() + base_;
      double loss = 0;
      for (Index k = 0; k < std::ssize(models_); ++k) {
        const std::span<const double> model_margins(margins.col(k).data(), z_.size());
        loss += validation_loss(k, model_margins);
        differentiate(k, model_margins, true);
      }
      if (loss < minimum) {
        minimum = loss;
        best_round = round;
        best.margins.resize(z_.size());
        for (std::size_t i = 0; i < z_.size(); ++i)
          best.margins[i] = margins(static_cast<Index>(i), order_[i] % std::ssize(models_));
      }
      if (round < max_rounds) booster_.boost(gradient_, curvature_);
    }
    best.forest = booster_.forest();
    best.forest.truncate(best_round);
    best.base.assign(base_.begin(), base_.end());
    return best;
  }

 private:
  struct Model {
    double loss = infinity;  // the lowest so far
    Index round = 0;         // the round of the lowest loss
  };

  Part part(std::size_t row, Index model) const {
    const auto folds = std::ssize(models_);
    if (order_[row] % folds == model) return Part::test;
    return order_[row] / folds % validation_share == validation_share - 1 ? Part::validation : Part::train;
  }

  double starting_margin(Index model) const {
    double ones = 1, zeros = 1;
    for (std::size_t i = 0; i < z_.size(); ++i)
      if (part(i, model) == Part::train) ++(z_[i] != 0 ? ones : zeros);
    return std::log(ones / zeros);
  }

  // Records which models improved and computes the next gradients. Returns false if no model improved for `patience` rounds.
  bool prepare(Index round) {
    const Eigen::MatrixXd margins = booster_.margins().cast<double>().rowwise() + base_;
    bool any = false;
    for (Index k = 0; k < std::ssize(models_); ++k) {
      Model& model = models_[static_cast<std::size_t>(k)];
      const bool active = round - model.round <= patience;
      differentiate(k, {margins.col(k).data(), z_.size()}, active);
      any |= active;
      const double loss = active ? validation_loss(k, {margins.col(k).data(), z_.size()}) : infinity;
      if (!(loss < model.loss)) continue;
      model = {loss, round};
      for (std::size_t i = 0; i < z_.size(); ++i)
        if (part(i, k) == Part::test) probabilities_[i] = logistic(margins(static_cast<Index>(i), k));
    }
    return any;
  }

  // ∂loss/∂m = p − z, ∂²loss/∂m² = p (1 − p)
  void differentiate(Index k, std::span<const double> margins, bool active) {
    for (std::size_t i = 0; i < z_.size(); ++i) {
      const auto row = static_cast<Index>(i);
      const bool trains = active && part(i, k) == Part::train;
      const double p = trains ? logistic(margins[i]) : 0;
      gradient_(row, k) = trains ? p - (z_[i] != 0 ? 1 : 0) : 0;
      curvature_(row, k) = p * (1 - p);
    }
  }

  double validation_loss(Index k, std::span<const double> margins) const {
    double sum = 0;
    for (std::size_t i = 0; i < z_.size(); ++i)
      if (part(i, k) == Part::validation) sum += log_loss(margins[i], z_[i] != 0);
    return sum;
  }

  std::span<const std::uint8_t> z_;
  Rows order_;
  std::vector<Model> models_;
  Booster booster_;
  Matrix gradient_, curvature_;
  Eigen::RowVectorXd base_;  // margins before the first round
  std::vector<double> probabilities_;
};

}  // namespace

std::vector<double> cross_fitted_probabilities(const Inputs& x, std::span<const std::uint8_t> z, int folds, std::uint64_t seed,
                                               int threads) {
  return CrossFit(x, z, folds, seed, threads).probabilities();
}

CrossFittedClassifier cross_fitted_classifier(const Inputs& x, std::span<const std::uint8_t> z, int folds, std::uint64_t seed,
                                              int threads) {
  return CrossFit(x, z, folds, seed, threads).classifier();
}

}  // namespace taut
