#include <taut/calibrate/calibration.hpp>

namespace taut {

namespace {

// Groups are exchangeable, rows of one group are not independent: each group counts once, its weight shared by its rows, and so
// does the new row's group (Lee, Barber and Willett 2023).
class HierarchicalCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings& settings) override {
    std::vector<double> sizes(static_cast<std::size_t>(settings.groups));
    for (const Index group : rows.facts().groups) {
      if (group < 0 || group >= settings.groups) throw Error("calibration: a calibration row is of a group that there is not");
      ++sizes[static_cast<std::size_t>(group)];
    }
    std::vector<double> weights;
    for (const Index group : rows.facts().groups) weights.push_back(1 / sizes[static_cast<std::size_t>(group)]);
    law_ = rows.weighted_law(std::move(weights), 1);
  }
  Law law(const RowFacts&, Index) const override { return law_; }
  bool is_shared() const override { return true; }
  Fact needs_of_calibration_rows() const override { return Fact::group; }

 private:
  Law law_;
};

}  // namespace

Listed<Calibration> hierarchical_calibration() {
  return {"hierarchical", "each group of rows that belong together counts once: the guarantee holds for a row of a new group",
          [](std::string_view) { return std::make_unique<HierarchicalCalibration>(); }};
}

}  // namespace taut
