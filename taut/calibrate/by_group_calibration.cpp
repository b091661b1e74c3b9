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
    for (const Rows& own : members) laws_.push_back(rows.law_of(own).with_sure(settings.sure));
    if (settings.pool_others) other_ = rows.law_of(all_rows(rows.size()));
  }

  Law law(const RowFacts& facts, Index row) const override {
    const Index group = facts.groups.at(static_cast<std::size_t>(row));
    return group == RowFacts::no_group ? other_ : laws_.at(static_cast<std::size_t>(group));
  }
  // Groups have calibration rows of their own. A row of no group has none: pooled it may be covered or not, else it is.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    std::vector<Index> counts(laws_.size());
    Index others = 0;
    for (const Index row : rows) {
      const Index group = facts.groups.at(static_cast<std::size_t>(row));
      ++(group == RowFacts::no_group ? others : counts.at(static_cast<std::size_t>(group)));
    }
    std::vector<CoverageStratum> result;
    for (std::size_t group = 0; group < counts.size(); ++group)
      if (counts[group] > 0) result.push_back(exact_stratum(laws_[group], counts[group], confidence));
    if (others > 0) result.push_back({others, other_.rows() == 0 ? 1.0 : 0.0, other_.rows() == 0 ? 0.0 : 1.0, 1, 0});
    return result;
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
