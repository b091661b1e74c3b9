// Boosted trees with squared error: loss (y − f)²/2, gradient f − y, curvature 1.
#include <taut/core/random.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/trees/booster.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {
namespace {

constexpr Index held_out = 8;        // one row in so many tells when to stop
constexpr Index fewest_rows = 40;    // below, none can be spared for that
constexpr Index rounds_for_few = 50;

struct Plan {
  BoosterSettings booster;
  Index most_rounds = 1000;
  Index patience = 50;
};

struct Grown {
  Forest forest;
  double loss = infinity;  // mean square over the held-out rows
};

Plan normal_plan(Index rows, std::uint64_t seed, int threads) {
  Plan plan;
  plan.booster.depth = 6;
  plan.booster.rate = rows < 5000 ? 0.05 : 0.1;
  plan.booster.min_weight = 5;
  plan.booster.bins = 256;
  plan.booster.seed = seed;
  plan.booster.threads = threads;
  return plan;
}

// For --effort thorough: slower steps, and everything that regularises drawn at random around the usual.
Plan random_plan(Plan plan, Random& random) {
  const auto log_uniform = [&](double low, double high) { return std::exp(random.uniform(std::log(low), std::log(high))); };
  plan.booster.depth = 4 + random.below(6);
  plan.booster.rate = log_uniform(0.03, 0.1);
  plan.booster.min_weight = log_uniform(1, 30);
  plan.booster.lambda = log_uniform(0.3, 10);
  plan.booster.row_share = random.uniform(0.6, 1);
  plan.booster.column_share = random.uniform(0.5, 1);
  return plan;
}

class Boost final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::raw; }

  void fit(const Inputs& x, std::span<const double> y, const PredictorSettings& settings, const Run& run) override {
    target_ = Eigen::Map<const Matrix>(y.data(), std::ssize(y), 1);
    centre_ = target_.mean();
    target_.array() -= centre_;
    choose_learning_rows(settings.seed);
    Plan plan = normal_plan(x.rows(), settings.seed, run.threads);
    if (settings.effort == "quick") plan.booster.rate = 0.2;
    Grown best = grow(x, plan, run, 0, settings.effort == "thorough" ? 1.0 / trials : 1);
    if (settings.effort == "thorough" && x.rows() >= fewest_rows) {
      Random random = Random(settings.seed).fork(1);
      for (int trial = 1; trial < trials; ++trial) {
        Grown other = grow(x, random_plan(plan, random), run, trial / double{trials}, 1.0 / trials);
        if (other.loss < best.loss) best = std::move(other);
      }
    }
    forest_ = std::move(best.forest);
    target_.resize(0, 0);
    learns_.resize(0, 0);
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    Eigen::Map<Matrix> values(out.data(), std::ssize(out), 1);
    forest_.evaluate(x, values, threads);
    values.array() += centre_;
  }

  void save(Archive archive) const override {
    archive.put("centre", centre_);
    forest_.save(archive.scope("trees"));
  }
  void load(const Archive& archive, Index inputs) override {
    centre_ = archive.number("centre");
    if (!std::isfinite(centre_)) throw Error("the boosted predictor of the model file is not finite: the file is damaged");
    forest_ = Forest::load(archive.scope("trees"), inputs, 1);
  }

 private:
  static constexpr int trials = 16;

  // Held-out rows stay in the booster's matrix with gradients of zero: no copy of the inputs, and their margins come free.
  void choose_learning_rows(std::uint64_t seed) {
    learns_ = Matrix::Ones(target_.rows(), 1);
    if (target_.rows() < fewest_rows) return;
    const Rows order = Random(seed).permutation(target_.rows());
    for (Index i = 0; i < target_.rows() / held_out; ++i) learns_(order[static_cast<std::size_t>(i)], 0) = 0;
  }

  Grown grow(const Inputs& x, const Plan& plan, const Run& run, double progress, double share) const {
    const bool stops = learns_.minCoeff() == 0;
    const Index most_rounds = stops ? plan.most_rounds : rounds_for_few;
    const double weight = static_cast<double>(x.rows()) - learns_.sum();
    Booster booster(x, MatrixF(0, x.cols()), plan.booster);
    Grown best;
    Index best_round = 0;
    for (Index round = 0;; ++round) {
      const Matrix error = booster.train_margins().cast<double>() - target_;
      const double loss = stops ? (1 - learns_.array()).cwiseProduct(error.array().square()).sum() / weight : -static_cast<double>(round);
      if (loss < best.loss) {
        best.loss = loss;
        best_round = round;
      }
      if (round == most_rounds || round - best_round == plan.patience) break;
      booster.boost(error.cwiseProduct(learns_), learns_);
      run.report("predictor", progress + share * static_cast<double>(round) / static_cast<double>(most_rounds));
    }
    best.forest = booster.forest();
    best.forest.truncate(best_round);
    return best;
  }

  double centre_ = 0;
  Forest forest_;
  Matrix target_, learns_;  // while fitting: centred target, 1 for rows that bring gradients
};

}  // namespace

Listed<Predictor> boost_predictor() {
  return {"boost", "boosted trees: the most accurate choice for most tables, takes missing cells",
          [](std::string_view) { return std::make_unique<Boost>(); }};
}

}  // namespace taut
