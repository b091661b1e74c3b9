#include <taut/calibrate/level_question.hpp>

namespace taut {

namespace {

class IntervalQuestion final : public LevelQuestion {
 public:
  explicit IntervalQuestion(std::string_view level) : LevelQuestion(level, "the confidence of an interval") {}

  std::vector<std::string> columns(const Asked&) const override { return {"lower_" + text(), "upper_" + text()}; }
  void answer(const RowLaw& law, const Asked& asked, double* out) const override {
    const Interval set = asked.uniform ? law.smoothed_interval(level(), *asked.uniform) : law.interval(level());
    out[0] = set.empty() ? missing : set.lower;
    out[1] = set.empty() ? missing : set.upper;
  }
  std::optional<double> interval_level() const override { return level(); }
  std::string too_few(Index rows, double sure) const override { return too_few_rows(rows, level(), sure); }
};

}  // namespace

Listed<Question> interval_question() {
  return listed_at_level<IntervalQuestion>("interval",
                                           "two ends that hold y with this confidence, as narrow as both together allow");
}

}  // namespace taut
