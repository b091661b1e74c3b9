// Questions about the whole distribution of y: its mean, its CRPS, samples of it.
#include <taut/calibrate/question.hpp>
#include <taut/core/format.hpp>

#include <cmath>

namespace taut {

namespace {

class MeanQuestion final : public Question {
 public:
  std::vector<std::string> columns(const Asked&) const override { return {"mean"}; }
  void answer(const PredictiveDistribution& distribution, const Asked&, double* out) const override {
    out[0] = distribution.mean();
  }
};

}  // namespace

Listed<Question> mean_question() {
  return {"mean", "the mean of the predictive distribution", [](std::string_view) { return std::make_unique<MeanQuestion>(); }};
}

namespace {

class CrpsQuestion final : public Question {
 public:
  std::vector<std::string> columns(const Asked&) const override { return {"crps"}; }
  void answer(const PredictiveDistribution& distribution, const Asked& asked, double* out) const override {
    out[0] = distribution.crps(asked.value);
  }
  bool needs_value() const override { return true; }
};

}  // namespace

Listed<Question> crps_question() {
  return {"crps", "the continuous ranked probability score of the predictive distribution at the row's own value",
          [](std::string_view) { return std::make_unique<CrpsQuestion>(); }};
}

namespace {

class SamplesQuestion final : public Question {
 public:
  explicit SamplesQuestion(std::string_view text) {
    const double count = parse_number_or_throw(text, "samples:N");
    // Checked before the conversion to an integer, which is undefined for numbers that are too large.
    if (!(count >= 1 && count <= static_cast<double>(maximum)) || count != std::floor(count))
      throw UsageError(format_text("samples:N takes a whole number from 1 to {}, got '{}'", print_count(maximum), text));
    count_ = static_cast<Index>(count);
  }

  std::vector<std::string> columns(const Asked&) const override {
    std::vector<std::string> names;
    for (Index i = 1; i <= count_; ++i) names.push_back("sample_" + std::to_string(i));
    return names;
  }
  void answer(const PredictiveDistribution& distribution, const Asked& asked, double* out) const override {
    Random random = asked.random;
    for (Index i = 0; i < count_; ++i) out[i] = distribution.sample(random.uniform());
  }

  bool needs_rows() const override { return true; }
  bool draws() const override { return true; }
  bool asks_fixed_values() const override { return true; }

 private:
  static constexpr Index maximum = 100'000;
  Index count_ = 0;
};

}  // namespace

Listed<Question> samples_question() {
  return {"samples", "random samples from the predictive distribution",
          [](std::string_view count) { return std::make_unique<SamplesQuestion>(count); }, "samples:3", true};
}

}  // namespace taut
