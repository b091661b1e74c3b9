#include <taut/calibrate/calibration.hpp>

namespace taut {

namespace {

// With the likelihood ratio w between new rows and calibration rows the new score takes the place of score i with a probability
// in proportion to w(x_i), and its own with w(x) (Tibshirani et al. 2019).
class WeightedCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings&) override {
    law_ = rows.weighted_law(rows.facts().weights, 1);
  }
  Law law(const RowFacts& facts, Index row) const override {
    return law_.with_own_weight(facts.weights.at(static_cast<std::size_t>(row)));
  }
  Fact needs() const override { return Fact::weight; }

 private:
  Law law_;
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
