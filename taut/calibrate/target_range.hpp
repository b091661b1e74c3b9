// What the user knows of the target: its range, and the lattice of values that it can take.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

namespace taut {

// Cutting an interval to the possible values, and pulling its ends inward to the nearest of them, costs no coverage.
struct TargetRange {
  double least = -infinity;
  double most = infinity;
  double step = 0;  // values are multiples of it, counted from 0; 0 means any value

  void check() const;  // UsageError for a range or a step that makes no sense
  bool restricts() const { return step > 0 || least > -infinity || most < infinity; }

  // The same set of possible values; where none is left inside, the one nearest to `f`. An empty set stays empty.
  Interval cut(Interval interval, double f) const;

 private:
  double lattice(double count) const;
};

}  // namespace taut
