#include <taut/calibrate/question.hpp>

namespace taut {

namespace {

class PValueQuestion final : public Question {
 public:
  std::vector<std::string> columns(const Asked&) const override { return {"p_value"}; }
  void answer(const RowLaw& law, const Asked& asked, double* out) const override {
    out[0] = asked.uniform ? law.smoothed_p_value(asked.value, *asked.uniform) : law.p_value(asked.value);
  }
  bool needs_value() const override { return true; }
};

}  // namespace

Listed<Question> p_value_question() {
  return {"p-value", "how surprising a given value is: the share of scores at least as far out",
          [](std::string_view) { return std::make_unique<PValueQuestion>(); }};
}

}  // namespace taut
