#include <taut/calibrate/calibration.hpp>

namespace taut {

namespace {

// Within a group the rows are exchangeable, whatever other groups are like: its own rows are an exact rank (Vovk et al. 2005,
// Mondrian conformal prediction).
class GroupCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings& settings) override {
    std::vector<Rows> members(static_cast<std::size_t>(settings.groups));
    for (Index row = 0; row < rows.size(); ++row) {
      const Index group = rows.facts().groups.at(static_cast<std::size_t>(row));
      if (group < 0 || group >= settings.groups) throw Error("calibration: a calibration row is of a group that there is not");
      members[static_cast<std::size_t>(group)].push_back(row);
    }
    for (const Rows& own : members) laws_.push_back(rows.law_of(own));
    if (settings.pool_others) other_ = rows.law_of(all_rows(rows.size()));
  }

  Law law(const RowFacts& facts, Index row) const override {
    const Index group = facts.groups.at(static_cast<std::size_t>(row));
    return group == RowFacts::no_group ? other_ : laws_.at(static_cast<std::size_t>(group));
  }
  Fact needs() const override { return Fact::group; }

 private:
  std::vector<Law> laws_;
  Law other_;  // without rows: the whole line
};

}  // namespace

Listed<Calibration> by_group_calibration() {
  return {"by-group", "a row is judged by the calibration rows of its own group: the guarantee holds within each",
          [](std::string_view) { return std::make_unique<GroupCalibration>(); }};
}

}  // namespace taut
