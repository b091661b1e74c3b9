#include <taut/calibrate/level_question.hpp>

#include <algorithm>

namespace taut {

namespace {

class QuantileQuestion final : public LevelQuestion {
 public:
  explicit QuantileQuestion(std::string_view level) : LevelQuestion(level, "the probability of a quantile") {}

  std::vector<std::string> columns(const Asked&) const override { return {"q" + text()}; }
  void answer(const RowLaw& law, const Asked&, double* out) const override { out[0] = law.quantile(level()); }
  std::string too_few(Index rows, double sure) const override {
    return too_few_for_bound(rows, std::max(level(), 1 - level()), "the quantile " + text(), sure);
  }
};

}  // namespace

Listed<Question> quantile_question() {
  return listed_at_level<QuantileQuestion>("quantile",
                                           "the value that y stays below with this probability; quantiles never cross");
}

}  // namespace taut
