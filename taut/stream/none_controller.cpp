#include <taut/stream/controller.hpp>

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
  return {"none", "the level stays what was asked for; only the scores move on",
          [](std::string_view) { return std::make_unique<FixedLevel>(); }};
}

}  // namespace taut
