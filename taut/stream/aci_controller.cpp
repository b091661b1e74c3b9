// Adaptive conformal inference (Gibbs and Candès 2021): α ← α + γ (α* − miss). Where α leaves [0, 1] the interval is the whole
// line or empty, so after T rows the share of misses differs from α* by at most (max(α₁, 1 − α₁) + γ) / (γ T), whatever the rows
// do.
//
// Where outcomes are d rows late, γ / (1 + 4 γ d) takes the place of γ: α then follows its own delayed error with a loop gain of
// at most 1/4, and does not oscillate (a delayed integrator does from 1/e on, and is unstable from π/2 on). The bound becomes
// (max(α₁, 1 − α₁) + γ (1 + d)) / (γ T) with this smaller γ.
//
// For at least the level α stops at 1, where the set would become empty. Only the bound on too many misses is left.
#include <taut/stream/controller.hpp>

#include <algorithm>

namespace taut {

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

}  // namespace taut
