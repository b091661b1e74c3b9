#include <taut/calibrate/level_question.hpp>

namespace taut {

namespace {

class UpperBoundQuestion final : public LevelQuestion {
 public:
  explicit UpperBoundQuestion(std::string_view level) : LevelQuestion(level, "the confidence of an upper bound") {}

  std::vector<std::string> columns(const Asked&) const override { return {"upper_bound_" + text()}; }
  void answer(const RowLaw& law, const Asked&, double* out) const override { out[0] = law.upper(level()); }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, level(), "the upper bound at " + text(), sure);
  }
};

}  // namespace

Listed<Question> upper_question() {
  return listed_at_level<UpperBoundQuestion>("upper", "one bound: y is at most it with this confidence");
}

}  // namespace taut
