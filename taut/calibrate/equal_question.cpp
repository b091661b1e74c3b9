#include <taut/calibrate/level_question.hpp>

namespace taut {

namespace {

class EqualTailedQuestion final : public LevelQuestion {
 public:
  explicit EqualTailedQuestion(std::string_view level) : LevelQuestion(level, "the confidence of an interval with equal tails") {}

  std::vector<std::string> columns(const Asked&) const override { return {"lower_" + text(), "upper_" + text()}; }
  void answer(const RowLaw& law, const Asked&, double* out) const override {
    const Interval set = law.equal_tailed(level());
    out[0] = set.lower;
    out[1] = set.upper;
  }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, 0.5 + 0.5 * level(), "each tail of an interval at " + text(), sure_of_each(sure, 2));
  }
};

}  // namespace

Listed<Question> equal_question() {
  return listed_at_level<EqualTailedQuestion>("equal",
                                              "two ends, each missed by y with at most half of what the confidence leaves");
}

}  // namespace taut
