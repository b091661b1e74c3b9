// Questions about given values of y: probabilities and p-values.
#include <taut/calibrate/question.hpp>

#include <array>
#include <cmath>

namespace taut {

namespace {

class BelowQuestion final : public Question {
 public:
  explicit BelowQuestion(std::string_view text) : text_(text), value_(parse_number_or_throw(text, "below:Y")) {
    if (!std::isfinite(value_)) throw UsageError("below:Y takes a finite number, for example below:100; got " + text_);
  }

  bool asks_fixed_values() const override { return true; }
  std::vector<std::string> columns(const Asked& asked) const override {
    const std::string name = "below_" + text_;
    return asked.band ? std::vector{name, name + "_low", name + "_high"} : std::vector{name};
  }
  void answer(const PredictiveDistribution& distribution, const Asked& asked, double* out) const override {
    const PredictiveDistribution::Probability p = distribution.below(value_);
    out[0] = p.value;
    if (!asked.band) return;
    out[1] = p.low;
    out[2] = p.high;
  }

 private:
  std::string text_;
  double value_;
};

}  // namespace

Listed<Question> below_question() {
  return {"below", "the probability that y is at most a value",
          [](std::string_view value) { return std::make_unique<BelowQuestion>(value); }, "below:0", true};
}

namespace {

class CdfQuestion final : public Question {
 public:
  std::vector<std::string> columns(const Asked&) const override { return {"cdf"}; }
  void answer(const PredictiveDistribution& distribution, const Asked& asked, double* out) const override {
    out[0] = distribution.below(asked.value).value;
  }
  bool needs_value() const override { return true; }
  bool asks_fixed_values() const override { return true; }
};

}  // namespace

Listed<Question> cdf_question() {
  return {"cdf", "the probability that y is at most the row's own value",
          [](std::string_view) { return std::make_unique<CdfQuestion>(); }};
}

namespace {

using Alternative = PredictiveDistribution::Alternative;

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
  void answer(const PredictiveDistribution& distribution, const Asked& asked, double* out) const override {
    out[0] = distribution.smoothed_p_value(asked.value, asked.uniform.value_or(1), alternative_);
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
