// C functions of scales of the score, copied into exported files.
#pragma once

namespace taut {

// Ends on the scale of the score are mapped back as ScoreScale does: outward, by a bound of the rounding errors.
inline constexpr const char* c_log_helpers = R"C(
static inline double taut_value(double z) { return exp(z); }
static inline double taut_outward(double z, int direction) {
  const double least = 4.9406564584124654e-324;
  double y, error;
  if (z == -INFINITY) return direction > 0 ? 0.0 : z;
  y = taut_value(z);
  if (isinf(y)) return direction > 0 || z == y ? y : DBL_MAX;
  error = DBL_EPSILON * (4 + 2 * fabs(z)) * y + (y < DBL_MIN ? 2 * least : 0.0);
  y += direction * error;
  return y < least ? least : y;
}
)C";
inline constexpr const char* c_bounded_root_helpers = R"C(
static inline double taut_value(double z) { return z > 0 ? z * z : 0.0; }
static inline double taut_outward(double z, int direction) {
  const double y = taut_value(z);
  if (z == -INFINITY) return direction > 0 ? 0.0 : z;
  if (isinf(y)) return direction > 0 || z == y ? y : DBL_MAX;
  return y + direction * 4 * DBL_EPSILON * y;
}
)C";
inline constexpr const char* c_root_helpers = R"C(
static inline double taut_value(double z) { return copysign(z * z, z); }
static inline double taut_outward(double z, int direction) {
  const double y = taut_value(z);
  if (isinf(y)) return (y > 0) == (direction > 0) || z == y ? y : copysign(DBL_MAX, y);
  return y + direction * 4 * DBL_EPSILON * fabs(y);
}
)C";

inline constexpr const char* c_learned_helpers = R"C(
static inline double taut_forward(double y) {
  int k = 0;
  double z;
  while (k < TAUT_KNOTS && taut_knots[k] <= y) ++k;
  if (k == 0) return taut_values[0] + taut_slopes[0] * (y - taut_knots[0]);
  z = taut_values[k - 1] + taut_slopes[k] * (y - taut_knots[k - 1]);
  return k < TAUT_KNOTS && z > taut_values[k] ? taut_values[k] : z;
}
static inline double taut_value(double z) {
  int k = 0;
  double y;
  while (k < TAUT_KNOTS && taut_values[k] <= z) ++k;
  if (k == 0) return taut_knots[0] + (z - taut_values[0]) / taut_slopes[0];
  y = taut_knots[k - 1] + (z - taut_values[k - 1]) / taut_slopes[k];
  return k < TAUT_KNOTS && y > taut_knots[k] ? taut_knots[k] : y;
}
static inline double taut_outward(double z, int direction) {
  const double y = taut_value(z);
  if (isinf(y)) return (y > 0) == (direction > 0) || z == y ? y : copysign(DBL_MAX, y);
  return y + direction * TAUT_SCALE_ERROR(y, z);
}
)C";

// With a step, ends hold the possible values next to the centre, and a few units in the last place more.
inline constexpr const char* c_put_scaled_helpers = R"C(
static inline void taut_put_scaled(double centre, double reach_below, double reach_above, double step, double y_min,
                                   double y_max, double* out) {
  const double y = taut_value(centre), first = y < y_min ? y_min : y > y_max ? y_max : y;
  if (reach_below < 0 && reach_above < 0) {
    out[0] = out[1] = NAN;
    return;
  }
  out[0] = taut_outward(taut_lower(centre, reach_below), -1);
  out[1] = taut_outward(taut_upper(centre, reach_above), 1);
  if (step > 0) {
    out[0] = (y - step < out[0] ? y - step : out[0]) - 4 * DBL_EPSILON * (fabs(y) + fabs(out[0]) + step);
    out[1] = (y + step > out[1] ? y + step : out[1]) + 4 * DBL_EPSILON * (fabs(y) + fabs(out[1]) + step);
  }
  if (y_min == -INFINITY && y_max == INFINITY) return;
  out[0] = out[0] < y_min ? y_min : out[0];
  out[1] = out[1] > y_max ? y_max : out[1];
  if (!(out[0] <= out[1])) out[0] = out[1] = first;
  if (first < out[0]) out[0] = first;
  if (first > out[1]) out[1] = first;
}
)C";

}  // namespace taut
