#include <taut/task/several/joint_row.hpp>

namespace taut {

double JointRow::value_at(Index target, double w) const {
  const double y = score(target).value_at(scale(target).at(w));
  const TargetRange& range = targets.ranges[static_cast<std::size_t>(target)];
  return range.restricts() ? range.nearest_possible(y) : y;
}

Interval JointRow::possible(Index target, Interval box) const {
  const TargetRange& range = targets.ranges[static_cast<std::size_t>(target)];
  if (!range.restricts() || box.empty()) return box;
  const double middle = box.finite() ? box.lower / 2 + box.upper / 2 : value_at(target, 0);
  return range.cut(box, range.nearest_possible(middle));
}

Interval JointRow::interval(Index target, const ScoreEnds& ends) const {
  const RowScore& own = score(target);
  const Interval set{own.lowest_at(ends.low), own.highest_at(ends.high)};
  const TargetRange& range = targets.ranges[static_cast<std::size_t>(target)];
  if (!range.restricts()) return set;
  // Every set holds the possible value that is nearest to the median on the common scale, so that sets of all levels are nested.
  const auto [below, above] = range.neighbours(own.value_at(scale(target).at(0)));
  const double first = std::isnan(below)                                                   ? above
                       : std::isnan(above)                                                 ? below
                       : std::abs(common(target, above)) < std::abs(common(target, below)) ? above
                                                                                           : below;
  return range.cut(set, first);
}

}  // namespace taut
