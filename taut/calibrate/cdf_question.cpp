#include <taut/calibrate/question.hpp>

namespace taut {

namespace {

class CdfQuestion final : public Question {
 public:
  std::vector<std::string> columns(const Asked&) const override { return {"cdf"}; }
  void answer(const RowLaw& law, const Asked& asked, double* out) const override { out[0] = law.below(asked.value).value; }
  bool needs_value() const override { return true; }
  bool asks_fixed_values() const override { return true; }
};

}  // namespace

Listed<Question> cdf_question() {
  return {"cdf", "the probability that y is at most the row's own value",
          [](std::string_view) { return std::make_unique<CdfQuestion>(); }};
}

}  // namespace taut
