// Adaptive conformal inference (Gibbs and Candès 2021): α ← α + γ (α* − miss). Where α leaves [0, 1] the interval is the whole
// line or empty, so after T rows the share of misses differs from α* by at most (max(α₁, 1 − α₁) + γ) / (γ T), whatever the rows
// do.
#include <taut/stream/controller.hpp>

namespace taut {

namespace {

constexpr double usual_step = 0.02;

class AdaptiveLevel final : public Controller {
 public:
  explicit AdaptiveLevel(double step) : step_(step) {
    if (!(step > 0 && step <= 1))
      throw UsageError("the step of aci lies above 0 and is at most 1, for example aci:0.02; got " + print_number(step));
  }
  void start(double confidence) override { target_ = alpha_ = 1 - confidence; }
  double threshold(const ScoreWindow& recent) const override { return recent.threshold(alpha_); }
  void learn(const Outcome& outcome) override { alpha_ += step_ * (target_ - (outcome.missed() ? 1 : 0)); }
  double asked() const override { return 1 - alpha_; }
  std::vector<double> state() const override { return {alpha_}; }
  void restore(std::span<const double> state) override {
    require_state(state, 1);
    alpha_ = state[0];
  }

 private:
  double step_;
  double target_ = 0.1, alpha_ = 0.1;
};

}  // namespace

Listed<Controller> aci_controller() {
  return {"aci", "a fixed step after every row: adaptive conformal inference, whose bound on misses holds for every sequence",
          [](std::string_view step) {
            return std::make_unique<AdaptiveLevel>(step.empty() ? usual_step : parse_number_or_throw(step, "the step of aci"));
          },
          "aci:0.02", true, false};
}

}  // namespace taut
