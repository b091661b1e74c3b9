// Questions about the whole distribution of y: its mean, its CRPS, samples of it.
#include <taut/calibrate/question.hpp>

#include <cmath>

namespace taut {

namespace {

class MeanQuestion final : public Question {
 public:
  std::vector<std::string> columns(const Asked&) const override { return {"mean"}; }
  void answer(const RowLaw& law, const Asked&, double* out) const override { out[0] = law.mean(); }
};

}  // namespace

Listed<Question> mean_question() {
  return {"mean", "the mean of the law", [](std::string_view) { return std::make_unique<MeanQuestion>(); }};
}

namespace {

class CrpsQuestion final : public Question {
 public:
  std::vector<std::string> columns(const Asked&) const override { return {"crps"}; }
  void answer(const RowLaw& law, const Asked& asked, double* out) const override { out[0] = law.crps(asked.value); }
  bool needs_value() const override { return true; }
};

}  // namespace

Listed<Question> crps_question() {
  return {"crps", "the continuous ranked probability score of the law at the row's own value",
          [](std::string_view) { return std::make_unique<CrpsQuestion>(); }};
}

namespace {

class SamplesQuestion final : public Question {
 public:
  explicit SamplesQuestion(std::string_view text) {
    const double count = parse_number_or_throw(text, "samples:N");
    // Before the conversion: a number that no integer can hold has none.
    if (!(count >= 1 && count <= static_cast<double>(most)) || count != std::floor(count))
      throw UsageError("samples:N takes a whole number from 1 to " + print_count(most) + ", got '" + std::string(text) + "'");
    count_ = static_cast<Index>(count);
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

  bool needs_rows() const override { return true; }
  bool draws() const override { return true; }
  bool asks_fixed_values() const override { return true; }

 private:
  static constexpr Index most = 100'000;
  Index count_ = 0;
};

}  // namespace

Listed<Question> samples_question() {
  return {"samples", "draws from the law of the row",
          [](std::string_view count) { return std::make_unique<SamplesQuestion>(count); }, "samples:3", true};
}

}  // namespace taut
