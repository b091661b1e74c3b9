#include <taut/score/score.hpp>

namespace taut {

namespace {

// a = |r|
class Absolute final : public Score {
 public:
  double of_residual(double r) const override { return r; }
  double residual_of(double a) const override { return a; }
};

}  // namespace

Listed<Score> absolute_entry() {
  return {"absolute", "|y - f|", [](std::string_view) { return std::make_unique<Absolute>(); }};
}

}  // namespace taut
