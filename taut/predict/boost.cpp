// Boosted trees. With e = f − y and w = 1/√(1 + (e/δ)²) the loss is δ²(1/w − 1): e²/2 near 0, δ|e| far out. Its gradient is
// w e; the curvature used is w, that of the parabola which touches the loss from above. Compared with squared error, which is
// sensitive to outliers, held-out residuals are 2 to 10 % smaller on prices and counts and no larger elsewhere.
#include <taut/core/random.hpp>
#include <taut/core/run_concurrently.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/trees/booster.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace taut {
namespace {

constexpr double bend = 0.5;       // δ, in standard deviations of y
constexpr Index held_out = 8;      // one row in eight is held out for early stopping
constexpr Index fewest_rows = 40;  // with fewer, none can be spared for that
constexpr Index rounds_for_few = 50;
constexpr Index few_rows = 5000;  // with fewer, six trials take a second and cut held-out errors by a few per cent

struct Plan {
  BoosterSettings booster;
  Index most_rounds = 600;
  Index patience = 25;
};

Plan normal_plan(Index rows, std::uint64_t seed, int threads) {
  Plan plan;
  plan.booster.depth = rows < 20'000 ? 6 : 8;
  // Longer steps take less time. Steps twice as long make mean errors 2 % larger on the data set homes, 0.5 to 1.4 % on larger
  // ones, and intervals no wider; from 0.2 to 0.25 interval scores on CASP get 0.3 % worse, a third of their standard error.
  plan.booster.rate = rows < 20'000 ? 0.1 : 0.25;
  plan.booster.min_weight = rows < 20'000 ? 5 : 10;
  plan.booster.row_share = 0.8;
  plan.booster.column_share = rows < few_rows ? 1 : 0.8;
  plan.booster.bins = 128;
  plan.booster.seed = seed;
  plan.booster.threads = threads;
  return plan;
}

Plan patient(Plan plan) {
  plan.booster.rate = 0.1;
  plan.most_rounds = 1000;
  plan.patience = 50;
  return plan;
}

// For --effort quick: steps twice as long, so about half the trees. On the data set CASP that takes a third of the time for f and
// makes the interval score 1 to 2 % larger.
Plan quick_plan(Plan plan) {
  plan.booster.rate *= 2;
  return plan;
}

// For few rows and --effort thorough: slower steps, and all regularisation drawn at random around its usual strength.
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

// Rows of the inputs and their targets.
struct Sample {
  Rows rows;
  std::vector<double> y;
};

// One training: margins, gradients, and the loss on held-out rows.
class Growth {
 public:
  Growth(const InputPool& x, const Sample& learning, const Sample& held, const Plan& plan)
      : learning_(learning),
        held_(held),
        plan_(plan),
        booster_(x.binned(plan.booster.bins, plan.booster.threads), learning.rows, held.rows, plan.booster),
        gradient_(std::ssize(learning.y), 1),
        curvature_(std::ssize(learning.y), 1) {}

  // Until the held-out loss has not fallen for a while.
  void run(const std::function<void(double)>& progress) {
    for (Index round = 0;; ++round) {
      const double loss = held_out_loss();
      if (loss < best_loss_) {
        best_loss_ = loss;
        best_round_ = round;
      }
      if (round == plan_.most_rounds || round - best_round_ == plan_.patience) break;
      grow();
      progress(static_cast<double>(round) / static_cast<double>(plan_.most_rounds));
    }
  }

  double best_loss() const { return best_loss_; }
  Index best_round() const { return best_round_; }

  Forest best_forest() const {
    Forest forest = booster_.forest();
    forest.truncate(best_round_);
    return forest;
  }

  Forest grown(Index rounds) {
    while (booster_.rounds() < rounds) grow();
    return booster_.forest();
  }

 private:
  static double root_of(double error) { return std::sqrt(1 + error / bend * (error / bend)); }

  double error(std::span<const std::uint32_t> rows, const Sample& sample, Index i) const {
    const auto which = static_cast<std::size_t>(i);
    return static_cast<double>(booster_.margins()(rows[which], 0)) - sample.y[which];
  }

  void grow() {
    parallel_blocks(gradient_.rows(), 1 << 14, plan_.booster.threads, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        const double e = error(booster_.train_rows(), learning_, i);
        curvature_(i, 0) = 1 / root_of(e);
        gradient_(i, 0) = curvature_(i, 0) * e;
      }
    });
    booster_.boost(gradient_, curvature_);
  }

  double held_out_loss() const {
    const Index count = std::ssize(held_.y);
    const double sum = parallel_sum(count, plan_.booster.threads, [&](Index begin, Index end) {
      double part = 0;
      for (Index i = begin; i < end; ++i) part += root_of(error(booster_.validation_rows(), held_, i)) - 1;
      return part;
    });
    return bend * bend * sum / static_cast<double>(count);
  }

  const Sample& learning_;
  const Sample& held_;
  Plan plan_;
  Booster booster_;
  Matrix gradient_, curvature_;
  double best_loss_ = infinity;
  Index best_round_ = 0;
};

const Sample none;

// A plan that was tried, and its result.
struct Trial {
  Plan plan;
  double loss = infinity;  // on held-out rows
  Index rounds = 0;
  Forest forest{};
};

class Boost final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::raw; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    const Index n = std::ssize(rows);
    centre_ = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(n);
    const bool quick = settings.effort == "quick";
    Plan usual = normal_plan(n, settings.seed, context.threads);
    if (n < fewest_rows) {
      const Sample all = sample(rows, y, [](Index) { return true; });
      forest_ = Growth(x, all, none, usual).grown(rounds_for_few);
      return;
    }
    if (quick)
      usual = quick_plan(usual);
    else if (n < few_rows || settings.effort == "thorough")
      usual = patient(usual);
    const int trials = quick ? 1 : settings.effort == "thorough" ? 16 : n < few_rows ? 6 : 1;

    std::vector<bool> held(static_cast<std::size_t>(n));
    const Rows order = Random(settings.seed).permutation(n);
    for (Index i = 0; i < n / held_out; ++i) held[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;
    const Sample learning = sample(rows, y, [&](Index i) { return !held[static_cast<std::size_t>(i)]; });
    const Sample stopping = sample(rows, y, [&](Index i) { return held[static_cast<std::size_t>(i)]; });
    Random random = Random(settings.seed).fork(1);
    std::vector<Trial> all_trials;
    for (int trial = 0; trial < trials; ++trial) {
      all_trials.push_back({trial == 0 ? usual : random_plan(usual, random)});
    }
    // With few rows one training cannot use several threads, but the trials of all folds together keep every thread busy.
    run_concurrently(trials, context, "predictor", [&](Index which, const ExecutionContext& own) {
      Trial& trial = all_trials[static_cast<std::size_t>(which)];
      Growth growth(x, learning, stopping, trial.plan);
      growth.run([&](double done) { own.report("predictor", done); });
      trial.loss = growth.best_loss();
      trial.rounds = growth.best_round();
      trial.forest = growth.best_forest();
    });
    Trial& best =
        *std::min_element(all_trials.begin(), all_trials.end(), [](const Trial& a, const Trial& b) { return a.loss < b.loss; });
    forest_ = std::move(best.forest);
    if (quick || n >= few_rows) return;
    // Training without the held-out rows costs accuracy: 4 % of the error on 400 rows, 1 % on 10,000. So the same number of
    // rounds on all rows, and a few more in proportion to the rows.
    const Sample all = sample(rows, y, [](Index) { return true; });
    forest_ = Growth(x, all, none, best.plan).grown(best.rounds * (held_out + 1) / held_out);
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
  // The targets are centred.
  template <class Takes>
  Sample sample(RowsView rows, std::span<const double> y, Takes takes) const {
    Sample result;
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (takes(static_cast<Index>(i))) {
        result.rows.push_back(rows[i]);
        result.y.push_back(y[i] - centre_);
      }
    return result;
  }

  double centre_ = 0;
  Forest forest_;
};

}  // namespace

Listed<Predictor> boost_predictor() {
  return {"boost", "boosted trees: the most accurate choice for most tables, takes missing cells",
          [](std::string_view) { return std::make_unique<Boost>(); }};
}

}  // namespace taut
