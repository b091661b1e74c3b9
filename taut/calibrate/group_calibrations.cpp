// Calibration by ranks among all rows, among the rows of a group, and among groups.
#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/fault.hpp>

#include <algorithm>
#include <cmath>
#include <set>

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
    if (fault("another-group") && group != RowFacts::no_group) return laws_.back();
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
    for (const Index group : rows.facts().groups)
      weights.push_back(fault("rows-count-instead-of-groups") ? 1 : 1 / sizes[static_cast<std::size_t>(group)]);
    double squares = 0;
    for (const double size : sizes) squares += size * size;
    groups_ = settings.groups;
    usual_size_ = rows.size() > 0 ? squares / static_cast<double>(rows.size()) : 1;
    law_ = rows.weighted_law(std::move(weights), 1);
  }
  Law law(const RowFacts&, Index) const override { return law_; }
  // In the worst case the rows of a group are all covered or none is: then groups are what rows are elsewhere. Where it is not
  // known which new rows belong together, groups are taken to be as large as those of the calibration rows.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    std::set<Index> own;
    if (!facts.groups.empty())
      for (const Index row : rows) own.insert(facts.groups.at(static_cast<std::size_t>(row)));
    const Index guessed = std::max<Index>(1, static_cast<Index>(static_cast<double>(rows.size()) / usual_size_));
    const Index units = facts.groups.empty() ? guessed : std::ssize(own), k = exact_rank(groups_, confidence);
    if (k > groups_) return {{units, 1, 0, 1, 0}};
    const auto ranks = static_cast<double>(groups_ + 1);
    const double last =
        std::clamp(std::ceil(share_with_ties(law_, confidence) * ranks - 1e-6), static_cast<double>(k), ranks - 1);
    return {{units, static_cast<double>(k), ranks - static_cast<double>(k), last, ranks - last}};
  }
  bool is_shared() const override { return true; }
  Fact needs_of_calibration_rows() const override { return Fact::group; }

 private:
  Law law_;
  Index groups_ = 0;
  double usual_size_ = 1;  // of the group that a row is of
};

}  // namespace

Listed<Calibration> hierarchical_calibration() {
  return {"hierarchical", "each group of rows that belong together counts once: the guarantee holds for a row of a new group",
          [](std::string_view) { return std::make_unique<HierarchicalCalibration>(); }};
}

}  // namespace taut
