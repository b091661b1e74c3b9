// Adaptive levels of many step sizes, averaged by how well each has done of late (DtACI, Gibbs and Candès 2024), so that there is
// no step to tune. Two things differ from the paper:
// - Steps are taken in the log-odds of α. A step then changes small α by a share of it, so high levels do not jump to the whole
// line,
//   and the price on rows that do not drift is the same at every level.
// - The average itself is corrected by the sum of its own misses, as in a controller with an integral part. Experts that each
// keep
//   their level do not make an average that does; this sum makes the misses of the average bounded.
#include <taut/stream/controller.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr std::array<double, 8> steps = {0.0125, 0.025, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6};
constexpr double horizon = 500;     // rows over which experts are compared, as in the paper
constexpr double correction = 0.1;  // for each miss too many
constexpr double farthest = 30;     // log-odds from where it began: from there on the whole line, or nothing

class AggregatedLevel final : public Controller {
 public:
  void start(double confidence) override {
    target_ = 1 - confidence;
    start_ = log_odds(target_);
    odds_.fill(start_);
    weights_.fill(1.0 / static_cast<double>(steps.size()));
    surplus_ = 0;
    const double a = target_, b = confidence, k = static_cast<double>(steps.size());
    rate_ = std::sqrt(3 / horizon) * std::sqrt((std::log(2 * k * horizon) + 1) / (b * b * a * a * a + a * a * b * b * b));
  }

  double threshold(const ScoreWindow& recent) const override {
    const double odds = aggregated();
    if (odds < start_ - farthest) return infinity;
    if (odds > start_ + farthest) return missing;
    const double alpha = from_log_odds(odds);
    // Too few scores for the level itself: nothing to go on from.
    return target_ < recent.least_alpha() ? recent.threshold(alpha) : recent.threshold_beyond(alpha);
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
    surplus_ += target_ - (outcome.missed() ? 1 : 0);
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
      throw Error("the model file's controller has weights that it cannot have: the file is damaged");
  }

 private:
  double aggregated() const {
    double mean = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) mean += weights_[i] * odds_[i];
    return mean + correction * surplus_;
  }

  double target_ = 0.1, start_ = 0, rate_ = 1;
  double surplus_ = 0;  // misses that were allowed and did not happen
  std::array<double, steps.size()> odds_{}, weights_{};
};

}  // namespace

Listed<Controller> dtaci_controller() {
  return {"dtaci", "steps of many sizes, averaged by how well each does: nothing to tune",
          [](std::string_view) { return std::make_unique<AggregatedLevel>(); }};
}

}  // namespace taut
