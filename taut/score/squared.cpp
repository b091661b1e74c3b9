#include <taut/score/score.hpp>

namespace taut {

namespace {

// a = r²
class Squared final : public Score {
 public:
  double of_residual(double r) const override { return r * r; }
  double residual_of(double a) const override { return std::sqrt(a); }
};

}  // namespace

Listed<Score> squared_entry() {
  return {"squared", "(y - f)^2, the paper's own", [](std::string_view) { return std::make_unique<Squared>(); }};
}

}  // namespace taut
