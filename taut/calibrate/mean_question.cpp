#include <taut/calibrate/question.hpp>

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

}  // namespace taut
