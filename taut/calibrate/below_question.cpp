#include <taut/calibrate/question.hpp>

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
  void answer(const RowLaw& law, const Asked& asked, double* out) const override {
    const RowLaw::Probability p = law.below(value_);
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

}  // namespace taut
