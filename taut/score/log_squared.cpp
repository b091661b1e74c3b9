#include <taut/score/score.hpp>

namespace taut {

namespace {

// a = log r², −infinity at r = 0
class LogSquared final : public Score {
 public:
  double of_residual(double r) const override { return 2 * std::log(r); }
  double residual_of(double a) const override { return std::exp(0.5 * a); }
};

}  // namespace

Listed<Score> log_squared_entry() {
  return {"log_squared", "log (y - f)^2", [](std::string_view) { return std::make_unique<LogSquared>(); }};
}

}  // namespace taut
