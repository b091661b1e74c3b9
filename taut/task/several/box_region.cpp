// The box: an interval for each target. The score is the largest size of a common score,
//   s(y) = max over targets j of |w_j(y_j)|,
// so that each side of each target is missed about equally often. With one target it is the score of that target itself, and
// regions are the intervals of a model of one target.
#include <taut/core/fault.hpp>
#include <taut/task/several/joint_region.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

class BoxAt final : public RegionAt {
 public:
  // The ends are the same scores for all rows.
  BoxAt(double threshold, const JointTargets& targets) : threshold_(threshold) {
    for (const CommonScale& scale : targets.scales) ends_.push_back({scale.lowest_at(-threshold_), scale.highest_at(threshold_)});
  }

  void enclose(const JointRow& row, std::span<Interval> out) const override {
    if (row.count() == 1) {
      out[0] = row.score(0).at_most(threshold_, row.targets.ranges[0]);
      return;
    }
    for (Index j = 0; j < row.count(); ++j)
      out[static_cast<std::size_t>(j)] = row.interval(j, ends_[static_cast<std::size_t>(j)]);
  }
  double volume(const JointRow& row) const override {
    std::vector<Interval> sides(static_cast<std::size_t>(row.count()));
    enclose(row, sides);
    double volume = 1;
    for (const Interval& side : sides) {
      if (!side.finite() && !side.empty()) return infinity;
      volume *= side.width();
    }
    return volume;
  }

 private:
  double threshold_;
  std::vector<ScoreEnds> ends_;
};

class BoxRegion final : public JointRegion {
 public:
  double score(const JointRow& row, RowTarget y) const override {
    if (row.count() == 1) return row.score(0)(y[0]);
    double largest = 0;
    for (Index j = 0; j < row.count(); ++j) {
      if (fault("box-of-first-target") && j > 0) break;
      largest = std::max(largest, std::abs(row.common(j, y[static_cast<std::size_t>(j)])));
    }
    return largest;
  }
  std::unique_ptr<RegionAt> at(double threshold, const JointTargets& targets) const override {
    return std::make_unique<BoxAt>(threshold, targets);
  }
  bool is_box() const override { return true; }
};

}  // namespace

Listed<JointRegion> box_region() {
  return {"box", "an interval for each target, all of them right at once",
          [](std::string_view) { return std::make_unique<BoxRegion>(); }};
}

}  // namespace taut
