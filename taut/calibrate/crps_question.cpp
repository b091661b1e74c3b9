#include <taut/calibrate/question.hpp>

namespace taut {

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

}  // namespace taut
