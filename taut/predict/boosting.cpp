#include <taut/predict/boosting.hpp>

#include <taut/core/random.hpp>

#include <cmath>

namespace taut {

namespace {

// Below this, six trials take a second and lower held-out errors by a few per cent, and so does training again on all rows.
constexpr Index few_rows = 5000;

BoostingPlan patient(BoostingPlan plan) {
  plan.booster.rate = 0.1;
  plan.max_rounds = 1000;
  plan.patience = 50;
  return plan;
}

// For --effort quick: twice the learning rate, so about half the trees. On the data set CASP, training f takes a third of the
// time and the interval score is 1 to 2 % larger.
BoostingPlan quick_plan(BoostingPlan plan) {
  plan.booster.rate *= 2;
  return plan;
}

// For few rows and --effort thorough: a lower learning rate, and regularisation drawn at random around its usual strength.
BoostingPlan random_plan(BoostingPlan plan, Random& random) {
  const auto log_uniform = [&](double low, double high) { return std::exp(random.uniform(std::log(low), std::log(high))); };
  plan.booster.depth = 4 + random.below(6);
  plan.booster.rate = log_uniform(0.03, 0.1);
  plan.booster.min_weight = log_uniform(1, 30);
  plan.booster.lambda = log_uniform(0.3, 10);
  plan.booster.row_share = random.uniform(0.6, 1);
  plan.booster.column_share = random.uniform(0.5, 1);
  return plan;
}

// For values without noise, those of another model: every leaf is right, so trees are deeper and hardly regularised.
BoostingPlan exact_plan(const PredictorSettings& settings, int threads) {
  BoostingPlan plan = plan_of(settings, threads);
  plan.booster.depth = 8;
  plan.booster.rate = 0.1;
  plan.booster.min_weight = 3;
  plan.booster.lambda = 0.1;
  plan.booster.row_share = 0.8;
  plan.booster.bins = 255;
  plan.max_rounds = 500;
  plan.patience = 50;
  return plan;
}

}  // namespace

BoostingPlan plan_of(const PredictorSettings& settings, int threads) {
  BoostingPlan plan;
  plan.booster.seed = settings.seed;
  plan.booster.threads = threads;
  plan.booster.directions = settings.directions;
  return plan;
}

BoostingPlan usual_boosting_plan(Index rows, const PredictorSettings& settings, int threads) {
  BoostingPlan plan = plan_of(settings, threads);
  plan.booster.depth = rows < 20'000 ? 6 : 8;
  // A higher rate takes less time. Twice the rate makes mean errors 2 % larger on the data set homes, 0.5 to 1.4 % on larger
  // ones, and intervals no wider. From 0.2 to 0.25, interval scores on CASP get 0.3 % worse, a third of their standard error.
  plan.booster.rate = rows < 20'000 ? 0.1 : 0.25;
  plan.booster.min_weight = rows < 20'000 ? 5 : 10;
  plan.booster.row_share = 0.8;
  plan.booster.column_share = rows < few_rows ? 1 : 0.8;
  plan.booster.bins = 128;
  return plan;
}

BoostingTrials boosting_trials(Index rows, const PredictorSettings& settings, int threads) {
  if (settings.exact && rows >= min_rows_to_hold_out) return {{exact_plan(settings, threads)}, false};
  const bool quick = settings.effort == SearchEffort::quick, thorough = settings.effort == SearchEffort::thorough;
  BoostingPlan usual = usual_boosting_plan(rows, settings, threads);
  if (rows < min_rows_to_hold_out) return {{usual}};
  if (quick)
    usual = quick_plan(usual);
  else if (rows < few_rows || thorough)
    usual = patient(usual);
  if (thorough) usual.many_rows = rows;
  const int trials = quick ? 1 : thorough ? 16 : rows < few_rows ? 6 : 1;
  Random random = Random(settings.seed).fork(1);
  BoostingTrials result{{usual}, !quick && rows < few_rows};
  while (std::ssize(result.plans) < trials) result.plans.push_back(random_plan(usual, random));
  return result;
}

BoostingTrials deep_trials(Index rows, const PredictorSettings& settings, int threads) {
  BoostingPlan plan = usual_boosting_plan(rows, settings, threads);
  plan.booster.depth = 12;
  plan.booster.rate = 0.1;
  plan.booster.min_weight = 2;
  return {{plan}, rows < few_rows};
}

BoostingSample BoostingSample::sampled(Index count, const Random& random) const {
  BoostingSample sample;
  sample.reserve(static_cast<std::size_t>(count));
  for (const Index i : draw(size(), count, random)) sample.add(rows[static_cast<std::size_t>(i)], y[static_cast<std::size_t>(i)]);
  return sample;
}

std::vector<Index> row_counts_to_try(Index rows, Index many) {
  constexpr Index factor = 4;
  std::vector<Index> counts;
  if (rows > many)
    for (Index count = many / factor; count * factor / 2 < rows; count *= factor) counts.push_back(count);
  counts.push_back(rows);
  return counts;
}

bool more_rows_stop_helping(double loss, double loss_with_fewer) {
  constexpr double min_gain = 0.005;
  return loss_with_fewer < infinity && loss >= (1 - min_gain) * loss_with_fewer;
}

BoostingSplit boosting_split(RowsView rows, std::span<const double> y, double centre, std::uint64_t seed, bool with_all) {
  const Index n = std::ssize(rows);
  std::vector<bool> is_held(static_cast<std::size_t>(n));
  if (n >= min_rows_to_hold_out) {
    const Rows order = Random(seed).permutation(n);
    for (Index i = 0; i < std::min(max_held_out, n / held_out_share); ++i)
      is_held[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])] = true;
  }
  const auto held = static_cast<std::size_t>(std::count(is_held.begin(), is_held.end(), true));
  const std::size_t all = with_all || held == 0 ? rows.size() : 0;
  BoostingSplit split;
  split.held.reserve(held);
  split.learning.reserve(rows.size() - held);
  split.all.reserve(all);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    (is_held[i] ? split.held : split.learning).add(rows[i], y[i] - centre);
    if (all > 0) split.all.add(rows[i], y[i] - centre);
  }
  return split;
}

}  // namespace taut
