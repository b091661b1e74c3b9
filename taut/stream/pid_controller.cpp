// Conformal PID control (Angelopoulos, Candès and Tibshirani 2023): the threshold itself is steered, not the level. To the
// quantile of recent scores it adds a proportional part, which tracks the quantile by small steps, and an integral part that
// grows without bound when misses pile up, so that their number is bounded for every sequence. The differential part, a forecast
// of the next score, is the scorecast of the stream (scorecast.hpp).
#include <taut/stream/controller.hpp>

#include <cmath>
#include <numbers>

namespace taut {

namespace {

constexpr double proportional_step = 0.1;  // in units of the scores' mean excess
constexpr double integral_gain = 0.3, integral_room = 3;

class SteeredThreshold final : public Controller {
 public:
  void start(double confidence) override {
    target_ = 1 - confidence;
    tracked_ = excess_ = rows_ = 0;
  }

  double threshold(const ScoreWindow& recent) const override {
    const double base = recent.threshold(target_);
    if (!std::isfinite(base)) return base;
    const double angle = excess_ / (integral_room * std::log(rows_ + 10));
    if (angle >= std::numbers::pi / 2) return infinity;
    if (angle <= -std::numbers::pi / 2) return missing;
    return base + recent.mean_excess() * (tracked_ + integral_gain * std::tan(angle));
  }

  void learn(const Outcome& outcome) override {
    const double error = (outcome.missed() ? 1 : 0) - target_;
    tracked_ += proportional_step * error;
    excess_ += error;
    rows_ += 1;
  }

  void change_model() override { tracked_ = 0; }

  // An exponential tail would need this level for the same threshold.
  double asked() const override { return 1 - target_ * std::exp(-tracked_); }
  std::vector<double> state() const override { return {tracked_, excess_, rows_}; }
  void restore(std::span<const double> state) override {
    require_state(state, 3);
    tracked_ = state[0];
    excess_ = state[1];
    rows_ = state[2];
    if (rows_ < 0) throw Error("the model file's controller has a state that it cannot have: the file is damaged");
  }

 private:
  double target_ = 0.1;
  double tracked_ = 0;  // in units of the mean excess
  double excess_ = 0;   // misses beyond those that were allowed
  double rows_ = 0;
};

}  // namespace

Listed<Controller> pid_controller() {
  return {"pid", "conformal PID control: the threshold is steered by its misses and their sum",
          [](std::string_view) { return std::make_unique<SteeredThreshold>(); }};
}

}  // namespace taut
