#include <taut/calibrate/level_question.hpp>

namespace taut {

namespace {

class LowerBoundQuestion final : public LevelQuestion {
 public:
  explicit LowerBoundQuestion(std::string_view level) : LevelQuestion(level, "the confidence of a lower bound") {}

  std::vector<std::string> columns(const Asked&) const override { return {"lower_bound_" + text()}; }
  void answer(const RowLaw& law, const Asked&, double* out) const override { out[0] = law.lower(level()); }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, level(), "the lower bound at " + text(), sure);
  }
};

}  // namespace

Listed<Question> lower_question() {
  return listed_at_level<LowerBoundQuestion>("lower", "one bound: y is at least it with this confidence");
}

}  // namespace taut
