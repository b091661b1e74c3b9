// Controllers of the level: none, one step size, and many step sizes averaged.
#include <taut/time/control/controller.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

class FixedLevel final : public Controller {
 public:
  void start(double confidence, const ControlSettings&) override { confidence_ = confidence; }
  void change(const ControlSettings&) override {}
  double threshold(const ScoreWindow& recent) const override { return recent.threshold(1 - confidence_); }
  void learn(const Outcome&) override {}
  double asked() const override { return confidence_; }
  std::vector<double> state() const override { return {}; }
  void restore(std::span<const double> state) override { require_state(state, 0); }

 private:
  double confidence_ = 0.9;
};

}  // namespace

Listed<Controller> none_controller() {
  return {"none", "a fixed level; only the window of recent scores moves",
          [](std::string_view) { return std::make_unique<FixedLevel>(); }};
}

// Adaptive conformal inference (Gibbs and Candès 2021): α ← α + γ (α* − miss). If α leaves [0, 1] the interval is the whole
// line or empty, so after T rows the share of misses differs from α* by at most (max(α₁, 1 − α₁) + γ) / (γ T), for every sequence
// of rows.
//
// If outcomes are d rows late, γ is replaced by γ / (1 + 4 γ d). The loop gain of the delayed feedback is then at most 1/4, so α
// does not oscillate (a delayed integrator oscillates from 1/e on, and is unstable from π/2 on). The bound becomes
// (max(α₁, 1 − α₁) + γ (1 + d)) / (γ T) with this smaller γ.
//
// With `at_least`, α stops at 1, where the set would become empty. Only the bound on too many misses remains.

namespace {

constexpr double usual_step = 0.02;

class AdaptiveLevel final : public Controller {
 public:
  explicit AdaptiveLevel(double step) : step_(step) {
    if (!(step > 0 && step <= 1))
      throw UsageError("the step of aci lies above 0 and is at most 1, for example aci:0.02; got " + print_number(step));
  }
  void start(double confidence, const ControlSettings& settings) override {
    target_ = alpha_ = 1 - confidence;
    change(settings);
  }
  void change(const ControlSettings& settings) override { settings_ = settings; }
  double threshold(const ScoreWindow& recent) const override {
    return recent.threshold(settings_.at_least ? std::min(alpha_, largest_alpha) : alpha_);
  }
  void learn(const Outcome& outcome) override {
    const double step = step_ / (1 + 4 * step_ * static_cast<double>(settings_.delay));
    alpha_ += step * (target_ - (outcome.missed ? 1 : 0));
    if (settings_.at_least) alpha_ = std::min(alpha_, 1.0);
  }
  double asked() const override { return 1 - alpha_; }
  std::vector<double> state() const override { return {alpha_}; }
  void restore(std::span<const double> state) override {
    require_state(state, 1);
    alpha_ = state[0];
  }

 private:
  double step_;
  ControlSettings settings_;
  double target_ = 0.1, alpha_ = 0.1;
};

}  // namespace

Listed<Controller> aci_controller() {
  return {"aci",
          "a fixed step after every row: adaptive conformal inference, whose bound on misses holds for every sequence",
          [](std::string_view step) {
            return std::make_unique<AdaptiveLevel>(step.empty() ? usual_step : parse_number_or_throw(step, "the step of aci"));
          },
          "aci:0.02",
          true,
          false};
}

// Adaptive levels of many step sizes, averaged with weights by their recent performance (DtACI, Gibbs and Candès 2024), so that
// there is no step to tune. Two things differ from the paper:
// - Steps are taken in the log-odds of α. A step then changes small α by a share of it, so high levels do not jump to the whole
//   line, and the price on rows that do not drift is the same at every level.
// - The average itself is corrected by S, the sum of α* − miss over its own rows, as in a controller with an integral part.
//   Even if every expert has the right share of misses, their average need not have it.
//
// The correction is gain · S up to half of S_max and grows without bound as |S| approaches S_max, where the set is the whole line
// or empty. So |S| is at most S_max + 1 for every sequence, and S_max + 1 + d if outcomes are d rows late.
//
// The gain is 0.1 / (1 + 0.1 d) and S_max = 45 + 2 d. The loop gain times the delay, gain · d · α (1 − α), then stays below 1/4,
// where a delayed integrator does not oscillate, and d misses in a row, the most that can occur before the first is known,
// move the log-odds by at most 1. Experts learn from p-values, not from sets that they issued: their loop has no delay.
//
// With `at_least`, S stops at S_max / 2 and no set is empty. Only the bound on too many misses remains.

namespace {

constexpr std::array<double, 8> steps = {0.0125, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6};
constexpr double horizon = 500;     // rows over which experts are compared, as in the paper
constexpr double usual_gain = 0.1;  // in log-odds for each excess miss
constexpr double usual_max = 45;    // excess or lack of misses at which the set is the whole line or empty
constexpr double farthest = 30;     // log-odds from the start at which the set is the whole line or empty

class AggregatedLevel final : public Controller {
 public:
  void start(double confidence, const ControlSettings& settings) override {
    settings_ = settings;
    target_ = 1 - confidence;
    start_ = log_odds(target_);
    odds_.fill(start_);
    weights_.fill(1.0 / static_cast<double>(steps.size()));
    surplus_ = 0;
    const double a = target_, b = confidence, k = static_cast<double>(steps.size());
    rate_ = std::sqrt(3 / horizon) * std::sqrt((std::log(2 * k * horizon) + 1) / (b * b * a * a * a + a * a * b * b * b));
  }

  void change(const ControlSettings& settings) override {
    const double old_gain = gain(), old_max = maximum(), size = std::abs(surplus_);
    settings_ = settings;
    // In its linear range the correction is unchanged; beyond it, S keeps its relative distance to the pole.
    const double next = size > old_max / 2 ? size * maximum() / old_max : std::min(size * old_gain / gain(), maximum() / 2);
    surplus_ = std::copysign(next, surplus_);
  }

  double threshold(const ScoreWindow& recent) const override {
    const double odds = aggregated();
    if (odds < start_ - farthest) return infinity;
    if (odds > start_ + farthest && !settings_.at_least) return missing;
    const double alpha = std::min(from_log_odds(odds), largest_alpha);
    // With too few scores for the level itself there is no tail to extrapolate.
    return target_ < recent.min_alpha() ? recent.threshold(alpha) : recent.threshold_beyond(alpha);
  }

  void learn(const Outcome& outcome) override {
    double sum = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const double alpha = from_log_odds(odds_[i]), ahead = outcome.p - alpha;
      const double loss = target_ * ahead - std::min(0.0, ahead);
      weights_[i] *= std::exp(-rate_ * loss);
      sum += weights_[i];
      odds_[i] = std::clamp(odds_[i] + steps[i] * (target_ - (ahead < 0 ? 1 : 0)), start_ - farthest, start_ + farthest);
    }
    constexpr double shared = 1 / (2 * horizon), count = static_cast<double>(steps.size());
    for (double& weight : weights_) weight = (1 - shared) * weight / sum + shared / count;
    surplus_ += target_ - (outcome.missed ? 1 : 0);
    if (settings_.at_least) surplus_ = std::min(surplus_, maximum() / 2);
  }

  void change_model() override { odds_.fill(start_); }

  double asked() const override { return 1 - from_log_odds(aggregated()); }

  std::vector<double> state() const override {
    std::vector<double> numbers = {surplus_};
    numbers.insert(numbers.end(), odds_.begin(), odds_.end());
    numbers.insert(numbers.end(), weights_.begin(), weights_.end());
    return numbers;
  }
  void restore(std::span<const double> state) override {
    require_state(state, 1 + 2 * steps.size());
    surplus_ = state[0];
    std::copy_n(state.begin() + 1, steps.size(), odds_.begin());
    std::copy_n(state.begin() + 1 + static_cast<std::ptrdiff_t>(steps.size()), steps.size(), weights_.begin());
    if (std::any_of(weights_.begin(), weights_.end(), [](double weight) { return !(weight > 0); }))
      throw Error("the model file's controller has invalid weights: the file is damaged");
  }

 private:
  double gain() const { return usual_gain / (1 + usual_gain * static_cast<double>(settings_.delay)); }
  double maximum() const { return usual_max + 2 * static_cast<double>(settings_.delay); }

  double correction() const {
    const double size = std::abs(surplus_), beyond = size - maximum() / 2;
    if (beyond <= 0) return gain() * surplus_;
    return std::copysign(size < maximum() ? gain() * size + beyond / (maximum() - size) : infinity, surplus_);
  }

  double aggregated() const {
    double mean = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) mean += weights_[i] * odds_[i];
    return mean + correction();
  }

  double target_ = 0.1, start_ = 0, rate_ = 1;
  ControlSettings settings_;
  double surplus_ = 0;  // S: allowed misses minus misses
  std::array<double, steps.size()> odds_{}, weights_{};
};

}  // namespace

Listed<Controller> dtaci_controller() {
  return {"dtaci", "steps of many sizes, averaged by how well each does: nothing to tune",
          [](std::string_view) { return std::make_unique<AggregatedLevel>(); }};
}

}  // namespace taut
