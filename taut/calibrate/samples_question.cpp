#include <taut/calibrate/question.hpp>

namespace taut {

namespace {

class SamplesQuestion final : public Question {
 public:
  explicit SamplesQuestion(std::string_view count) : count_(static_cast<Index>(parse_number_or_throw(count, "samples:N"))) {
    if (count_ < 1 || count_ > most || static_cast<double>(count_) != parse_number_or_throw(count, "samples:N"))
      throw UsageError("samples:N takes a whole number from 1 to " + print_count(most) + ", got '" + std::string(count) + "'");
  }

  std::vector<std::string> columns(const Asked&) const override {
    std::vector<std::string> names;
    for (Index i = 1; i <= count_; ++i) names.push_back("sample_" + std::to_string(i));
    return names;
  }
  void answer(const RowLaw& law, const Asked& asked, double* out) const override {
    Random random = asked.random;
    for (Index i = 0; i < count_; ++i) out[i] = law.sample(random.uniform());
  }

 private:
  static constexpr Index most = 100'000;
  Index count_;
};

}  // namespace

Listed<Question> samples_question() {
  return {"samples", "draws from the law of the row",
          [](std::string_view count) { return std::make_unique<SamplesQuestion>(count); }, "samples:3", true};
}

}  // namespace taut
