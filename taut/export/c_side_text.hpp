// C functions of models of several targets, copied into exported files.
#pragma once

namespace taut {

// A side of a box may end on the other side of the centre, short of it: there the library rounds the end toward the centre, and
// exported ends are moved there by inward_rounding of `wide`, the reach of the next larger score. `direction`: in which the end
// is moved outward. `slack`: how far the library's centre may be away.
inline constexpr const char* c_side_helpers = R"C(
static inline double taut_beyond(double centre, double reach, double slack, int direction) {
  if (reach < 0) reach = 0;
  if (slack > 0) reach = (reach + slack) * (1 + 2 * DBL_EPSILON);
  return direction > 0 ? taut_upper(centre, reach) : taut_lower(centre, reach);
}

static inline double taut_short(double centre, double reach, double wide, double slack, int direction) {
  double far = reach - 1e-10 * wide - slack;
  if (isinf(reach) && reach > 0) return -direction * reach;
  far -= 4 * DBL_EPSILON * (fabs(centre) + fabs(reach));
  return far > 0 ? centre - direction * far : centre + direction * slack;
}

/* Ends hold the median, moved to the nearest possible value. With a step they reach at least one step from it. */
static inline void taut_put_side(double lower, double upper, double median, double step, double y_min, double y_max,
                                 double* out) {
  const double first = median < y_min ? y_min : median > y_max ? y_max : median;
  if (lower > upper) {
    out[0] = out[1] = NAN;
    return;
  }
  if (step > 0) {
    lower = (median - step < lower ? median - step : lower) - 4 * DBL_EPSILON * (fabs(median) + fabs(lower) + step);
    upper = (median + step > upper ? median + step : upper) + 4 * DBL_EPSILON * (fabs(median) + fabs(upper) + step);
  }
  out[0] = lower < y_min ? y_min : lower;
  out[1] = upper > y_max ? y_max : upper;
  if (y_min == -INFINITY && y_max == INFINITY) return;
  if (!(out[0] <= out[1])) out[0] = out[1] = first;
  if (first < out[0]) out[0] = first;
  if (first > out[1]) out[1] = first;
}
)C";

}  // namespace taut
