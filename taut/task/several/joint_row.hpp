// A row with the scores of all targets, on their common scale.
#pragma once

#include <taut/model/task.hpp>
#include <taut/task/several/common_scale.hpp>

#include <span>
#include <vector>

namespace taut {

// What all rows of a model of several targets share.
struct JointTargets {
  std::vector<std::string> names;
  std::vector<CommonScale> scales;
  std::vector<TargetRange> ranges;
  std::vector<double> spreads;  // mean distance from the median in training rows, to compare targets of different units

  Index count() const { return std::ssize(names); }
};

// The ends of an interval of one target, as scores.
struct ScoreEnds {
  SignedScore low, high;
};

struct JointRow {
  const JointTargets& targets;
  std::vector<RowScore> scores;             // by target
  std::span<const double> dependence = {};  // parameters of the dependence at x; see dependence.hpp

  Index count() const { return targets.count(); }
  const RowScore& score(Index target) const { return scores[static_cast<std::size_t>(target)]; }
  const CommonScale& scale(Index target) const { return targets.scales[static_cast<std::size_t>(target)]; }
  // The common score w of a value, and the value of a common score.
  double common(Index target, double y) const { return scale(target)(score(target).signed_at(y)); }
  double value_at(Index target, double w) const;
  // The box of possible values of a target in a box: one of them at least, unless the box is empty.
  Interval possible(Index target, Interval box) const;
  // The values of a target between these scores, rounded outward and then inward to possible values of the target.
  Interval interval(Index target, const ScoreEnds& ends) const;
};

}  // namespace taut
