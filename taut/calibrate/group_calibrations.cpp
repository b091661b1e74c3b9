// Calibration by ranks among all rows, among the rows of a group, and among groups.
#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/rank.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/format.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace taut {

namespace {

void check_group(Index group, Index groups) {
  if (group < 0 || group >= groups)
    throw Error(
        format_text("calibration: a calibration row has group {}, and groups are numbered from 0 to {}", group, groups - 1));
}

class PlainCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings&) override {
    distribution_ = rows.distribution_of(all_rows(rows.size()));
  }
  ScoreDistribution distribution(const RowFacts&, Index) const override { return distribution_; }
  std::vector<CoverageStratum> strata(const RowFacts&, RowsView rows, double confidence) const override {
    return {exact_stratum(distribution_, std::ssize(rows), confidence)};
  }
  bool is_shared() const override { return true; }

 private:
  ScoreDistribution distribution_;
};

}  // namespace

Listed<Calibration> plain_calibration() {
  return {"plain", "all calibration rows have the same weight: the guarantee holds on average over all rows",
          [](std::string_view) { return std::make_unique<PlainCalibration>(); }};
}

namespace {

// Mondrian conformal prediction (Vovk et al. 2005): rows of one group are exchangeable, so ranks among them are exact.
class GroupCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings& settings) override {
    std::vector<Rows> members(static_cast<std::size_t>(settings.groups));
    for (Index row = 0; row < rows.size(); ++row) {
      const Index group = rows.facts().groups.at(static_cast<std::size_t>(row));
      check_group(group, settings.groups);
      members[static_cast<std::size_t>(group)].push_back(row);
    }
    for (const Rows& own : members) distributions_.push_back(rows.distribution_of(own).with_sure(settings.sure));
    if (settings.pool_others) other_ = rows.distribution_of(all_rows(rows.size()));
  }

  ScoreDistribution distribution(const RowFacts& facts, Index row) const override {
    const Index group = facts.groups.at(static_cast<std::size_t>(row));
    if (fault("another-group") && group != RowFacts::no_group) return distributions_.back();
    return group == RowFacts::no_group ? other_ : distributions_.at(static_cast<std::size_t>(group));
  }
  // Groups have separate calibration rows. For a row without a group nothing is guaranteed if it is pooled; otherwise its
  // interval is the whole line and covers.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    std::vector<Index> counts(distributions_.size());
    Index others = 0;
    for (const Index row : rows) {
      const Index group = facts.groups.at(static_cast<std::size_t>(row));
      ++(group == RowFacts::no_group ? others : counts.at(static_cast<std::size_t>(group)));
    }
    std::vector<CoverageStratum> result;
    for (std::size_t group = 0; group < counts.size(); ++group)
      if (counts[group] > 0) result.push_back(exact_stratum(distributions_[group], counts[group], confidence));
    if (others > 0) result.push_back({others, other_.rows() == 0 ? 1.0 : 0.0, other_.rows() == 0 ? 0.0 : 1.0, 1, 0});
    return result;
  }
  Fact needs() const override { return Fact::group; }

 private:
  std::vector<ScoreDistribution> distributions_;
  ScoreDistribution other_;  // of rows without a group; without scores: the whole line
};

}  // namespace

Listed<Calibration> by_group_calibration() {
  return {"by-group",
          "group-conditional (Mondrian): ranks are taken within the row's own group, so the guarantee holds in each group",
          [](std::string_view) { return std::make_unique<GroupCalibration>(); }};
}

namespace {

// Hierarchical conformal prediction (Lee, Barber and Willett 2023). Groups are exchangeable, but rows of one group are dependent.
// Each group has weight 1, divided among its rows. The new row's group has weight 1 too.
class HierarchicalCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings& settings) override {
    std::vector<double> sizes(static_cast<std::size_t>(settings.groups));
    for (const Index group : rows.facts().groups) {
      check_group(group, settings.groups);
      ++sizes[static_cast<std::size_t>(group)];
    }
    std::vector<double> weights;
    for (const Index group : rows.facts().groups)
      weights.push_back(fault("rows-count-instead-of-groups") ? 1 : 1 / sizes[static_cast<std::size_t>(group)]);
    double squares = 0;
    for (const double size : sizes) squares += size * size;
    groups_ = settings.groups;
    usual_size_ = rows.size() > 0 ? squares / static_cast<double>(rows.size()) : 1;
    distribution_ = rows.weighted_distribution(std::move(weights), 1);
  }
  ScoreDistribution distribution(const RowFacts&, Index) const override { return distribution_; }
  // In the worst case all rows of a group are covered or none is, so groups are counted instead of rows. If the groups of the new
  // rows are unknown, they are assumed to be as large as those of the calibration rows.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    std::set<Index> own;
    if (!facts.groups.empty())
      for (const Index row : rows) own.insert(facts.groups.at(static_cast<std::size_t>(row)));
    const Index guessed = std::max<Index>(1, static_cast<Index>(static_cast<double>(rows.size()) / usual_size_));
    const Index units = facts.groups.empty() ? guessed : std::ssize(own), k = exact_rank(groups_, confidence);
    if (k > groups_) return {{units, 1, 0, 1, 0}};
    const auto ranks = static_cast<double>(groups_ + 1);
    const double last =
        std::clamp(std::ceil(share_with_ties(distribution_, confidence) * ranks - 1e-6), static_cast<double>(k), ranks - 1);
    return {{units, static_cast<double>(k), ranks - static_cast<double>(k), last, ranks - last}};
  }
  bool is_shared() const override { return true; }
  Fact needs_of_calibration_rows() const override { return Fact::group; }

 private:
  ScoreDistribution distribution_;
  Index groups_ = 0;
  double usual_size_ = 1;  // of the group of a random row
};

}  // namespace

Listed<Calibration> hierarchical_calibration() {
  return {"hierarchical", "each group of dependent rows counts once: the guarantee holds for a row of a new group",
          [](std::string_view) { return std::make_unique<HierarchicalCalibration>(); }};
}

}  // namespace taut
