#include <taut/calibrate/question.hpp>

#include <array>

namespace taut {

namespace {

using Alternative = RowLaw::Alternative;

constexpr std::array<std::pair<std::string_view, Alternative>, 3> alternatives = {
    {{"two-sided", Alternative::two_sided}, {"less", Alternative::less}, {"greater", Alternative::greater}}};

Alternative alternative_of(std::string_view name) {
  if (name.empty()) return Alternative::two_sided;
  std::vector<std::string> names;
  for (const auto& [known, alternative] : alternatives) {
    if (known == name) return alternative;
    names.emplace_back(known);
  }
  throw UsageError(unknown_name("alternative of a p-value", name, names));
}

class PValueQuestion final : public Question {
 public:
  explicit PValueQuestion(std::string_view alternative) : alternative_(alternative_of(alternative)) {}

  std::vector<std::string> columns(const Asked&) const override { return {"p_value"}; }
  void answer(const RowLaw& law, const Asked& asked, double* out) const override {
    out[0] = law.smoothed_p_value(asked.value, asked.uniform.value_or(1), alternative_);
  }
  bool needs_value() const override { return true; }

 private:
  Alternative alternative_;
};

}  // namespace

Listed<Question> p_value_question() {
  return {
      "p-value",
      "how surprising a given value is: the share of scores at least as far out; p-value:less and p-value:greater look at one "
      "side only",
      [](std::string_view alternative) { return std::make_unique<PValueQuestion>(alternative); },
      "p-value:less",
      true,
      false};
}

}  // namespace taut
