#include <taut/calibrate/calibration.hpp>

#include <algorithm>
#include <functional>

namespace taut {

namespace {

// With the likelihood ratio w between new rows and calibration rows the new score takes the place of score i with a probability
// in proportion to w(x_i), and its own with w(x) (Tibshirani et al. 2019).
class WeightedCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings&) override {
    law_ = rows.weighted_law(rows.facts().weights, 1);
    weights_ = rows.facts().weights;
    std::sort(weights_.begin(), weights_.end(), std::greater<>());
  }
  Law law(const RowFacts& facts, Index row) const override {
    return law_.with_own_weight(facts.weights.at(static_cast<std::size_t>(row)));
  }
  // The coverage at a cut-off is a mean over the other population: a weighted mean of calibration rows tells it as well as their
  // effective number does. Rows of a large weight of their own get more than the level, which the upper end knows.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    double at_most = 0;
    const Rows some = thinned_rows(rows);
    for (const Index row : some) at_most += share_with_ties(law(facts, row), confidence) / static_cast<double>(some.size());
    return {effective_stratum(std::ssize(rows), effective_rows_at_worst(weights_, confidence), confidence, at_most)};
  }
  Fact needs() const override { return Fact::weight; }

 private:
  Law law_;
  std::vector<double> weights_;  // falling
};

}  // namespace

Listed<Calibration> weighted_calibration() {
  return {"weighted", "rows count by weights of your own: the guarantee holds for the population that these describe",
          [](std::string_view) { return std::make_unique<WeightedCalibration>(); }};
}

Listed<Calibration> towards_calibration() {
  return {"towards", "rows count by learnt weights: the guarantee moves to another population, as far as these are right",
          [](std::string_view) { return std::make_unique<WeightedCalibration>(); }};
}

}  // namespace taut
