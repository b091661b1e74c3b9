#include <taut/calibrate/calibration.hpp>

namespace taut {

namespace {

class PlainCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings&) override { law_ = rows.law_of(all_rows(rows.size())); }
  Law law(const RowFacts&, Index) const override { return law_; }
  std::vector<CoverageStratum> strata(const RowFacts&, RowsView rows, double confidence) const override {
    return {exact_stratum(law_, std::ssize(rows), confidence)};
  }
  bool is_shared() const override { return true; }

 private:
  Law law_;
};

}  // namespace

Listed<Calibration> plain_calibration() {
  return {"plain", "every calibration row counts alike: the guarantee holds on average over all rows",
          [](std::string_view) { return std::make_unique<PlainCalibration>(); }};
}

}  // namespace taut
