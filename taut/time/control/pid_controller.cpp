// Conformal PID control (Angelopoulos, Candès and Tibshirani 2023): the threshold itself is steered, not the level. To the
// quantile of recent scores it adds a proportional part, which tracks the quantile by small steps, and an integral part that
// grows without bound when misses pile up, so that their number is bounded for every sequence. The differential part, a forecast
// of the next score, is the scorecast of the stream (forecasts.hpp).
//
// If outcomes are d rows late, the step of the proportional part is 0.1 / (1 + 0.1 d), and the integral part needs 2 d more
// misses to reach the whole line, for the same reasons as in aci_controllers.cpp.
//
// With `at_least`, both parts have a lower limit and no set is empty. Only the bound on too many misses remains.
#include <taut/time/control/controller.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut {

namespace {

constexpr double proportional_step = 0.1;  // in units of the tail
constexpr double integral_gain = 0.3, integral_scale = 3;
constexpr double farthest_tracked = 3;  // lower limit with `at_least`, in units of the tail
constexpr double right_angle = std::numbers::pi / 2;

class SteeredThreshold final : public Controller {
 public:
  void start(double confidence, const ControlSettings& settings) override {
    settings_ = settings;
    target_ = 1 - confidence;
    tracked_ = excess_ = rows_ = 0;
  }

  void change(const ControlSettings& settings) override {
    const double before = misses_per_radian();
    settings_ = settings;
    excess_ *= misses_per_radian() / before;
  }

  double threshold(const ScoreWindow& recent) const override {
    const double angle = excess_ / misses_per_radian();
    if (angle >= right_angle) return infinity;
    if (angle <= -right_angle) return missing;
    const double base = recent.threshold(target_);
    if (!std::isfinite(base)) return base;
    const double steered = base + recent.tail_unit(target_) * (tracked_ + integral_gain * std::tan(angle));
    return settings_.at_least ? std::max(steered, recent.threshold(largest_alpha)) : steered;
  }

  void learn(const Outcome& outcome) override {
    const double error = (outcome.missed ? 1 : 0) - target_;
    tracked_ += proportional_step / (1 + proportional_step * static_cast<double>(settings_.delay)) * error;
    excess_ += error;
    rows_ += 1;
    if (!settings_.at_least) return;
    excess_ = std::max(excess_, -misses_per_radian() * right_angle / 2);
    tracked_ = std::max(tracked_, -farthest_tracked);
  }

  void change_model() override { tracked_ = 0; }

  // The level that would give the same threshold in an exponential tail.
  double asked() const override { return 1 - target_ * std::exp(-tracked_); }
  std::vector<double> state() const override { return {tracked_, excess_, rows_}; }
  void restore(std::span<const double> state) override {
    require_state(state, 3);
    tracked_ = state[0];
    excess_ = state[1];
    rows_ = state[2];
    if (rows_ < 0) throw Error("the model file's controller has an invalid state: the file is damaged");
  }

 private:
  // Excess misses per radian of the angle. A right angle is reached at 3 (π/2) log(T + 10) + 2 d excess misses.
  double misses_per_radian() const {
    return integral_scale * std::log(rows_ + 10) + 2 * static_cast<double>(settings_.delay) / right_angle;
  }

  double target_ = 0.1;
  ControlSettings settings_;
  double tracked_ = 0;  // in units of the tail
  double excess_ = 0;   // misses beyond those that were allowed
  double rows_ = 0;
};

}  // namespace

Listed<Controller> pid_controller() {
  return {"pid", "conformal PID control: the threshold is steered by its misses and their sum",
          [](std::string_view) { return std::make_unique<SteeredThreshold>(); }};
}

}  // namespace taut
