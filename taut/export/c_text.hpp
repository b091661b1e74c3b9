// The fixed parts of an exported C file.
#pragma once

namespace taut {

// Functions that every model uses.
inline constexpr const char* c_helpers = R"C(
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0
#error "floats must be computed as floats (on 32-bit x86: -msse2 -mfpmath=sse)"
#endif

typedef struct {
  int trees, outputs;
  const int32_t *sizes, *left, *feature; /* a leaf has left 0 */
  const unsigned char* missing_left;
  const float* value;
} taut_trees;

static inline void taut_sum(const taut_trees* forest, const float* x, float* sums) {
  size_t first = 0;
  int tree;
  for (tree = 0; tree < forest->trees; first += (size_t)forest->sizes[tree++]) {
    const int32_t* left = forest->left + first;
    size_t at = 0;
    while (left[at] != 0) {
      const float cell = x[forest->feature[first + at]];
      const int right = cell != cell ? !forest->missing_left[first + at] : cell >= forest->value[first + at];
      at = (size_t)(left[at] + right);
    }
    sums[tree % forest->outputs] += forest->value[first + at];
  }
}

static inline float taut_to_float(double value) {
  return (float)(value < -(double)FLT_MAX ? -(double)FLT_MAX : value > (double)FLT_MAX ? (double)FLT_MAX : value);
}

static inline double taut_held(double value, double least, double most) {
  return value < least ? least : most < value ? most : value;
}

static inline float taut_standard(double cell, double offset, double centre, double scale) {
  double value;
  if (!isfinite(cell)) return 0.0f;
  value = taut_held(cell, -1e290, 1e290) - offset;
  return (float)taut_held(scale > 0 ? (value - centre) / scale : 0.0, -1e9, 1e9);
}

static inline float taut_table(double cell, const float* values, int categories, float if_missing) {
  if (cell != cell) return if_missing;
  return values[cell >= 0 && cell < categories ? (int)cell : categories];
}

static inline double taut_upper_end(double from, double reach) {
  double upper = from + reach, size = fabs(reach);
  const double next = nextafter(upper, INFINITY);
  if (next - from <= reach) upper = next;
  if (fabs(upper) < size && isfinite(upper)) {
    upper += DBL_EPSILON * size;
    if (upper > size) upper = size;
  }
  return upper;
}

/* Where a side ends that reaches so far from the centre; the centre itself where it reaches nothing. */
static inline double taut_upper(double centre, double reach) {
  double end;
  if (reach < 0) return centre;
  end = taut_upper_end(centre, reach);
  return centre < end ? end : centre;
}
static inline double taut_lower(double centre, double reach) {
  double end;
  if (reach < 0) return centre;
  end = -taut_upper_end(-centre, reach);
  return end < centre ? end : centre;
}

static inline void taut_put(double centre, double reach_below, double reach_above, double y_min, double y_max, double* out) {
  const double first = centre < y_min ? y_min : centre > y_max ? y_max : centre;
  if (reach_below < 0 && reach_above < 0) {
    out[0] = out[1] = NAN;
    return;
  }
  out[0] = taut_lower(centre, reach_below);
  out[1] = taut_upper(centre, reach_above);
  if (y_min == -INFINITY && y_max == INFINITY) return;
  out[0] = out[0] < y_min ? y_min : out[0];
  out[1] = out[1] > y_max ? y_max : out[1];
  if (!(out[0] <= out[1])) out[0] = out[1] = first;
  if (first < out[0]) out[0] = first;
  if (first > out[1]) out[1] = first;
}
)C";

inline constexpr const char* c_scale_helpers = R"C(
static inline double taut_bounded(double g) { return g != g ? 0.0 : taut_held(g, -200.0, 200.0); }
// The scale of a row grows where inputs lie beyond their ranges in the training rows...
static inline double taut_beyond_ranges(int n, const int32_t* inputs, const double* low, const double* high, const double* slope,
                                        const float* x) {
  double largest = 0;
  int i;
  for (i = 0; i < n; ++i) {
    const double one = (double)x[inputs[i]];
    const double beyond = one < low[i] ? low[i] - one : one > high[i] ? one - high[i] : 0;
    if (beyond * slope[i] > largest) largest = beyond * slope[i];
  }
  return largest;
}
// ... or outside the box of the training rows that are like it.
static inline double taut_beyond_boxes(int n, const int32_t* inputs, const double* slope, const int32_t* feature,
                                       const float* threshold, const int32_t* next, const float* low, const float* high,
                                       double usual, const float* x) {
  double sum = 0;
  int node = 0, i;
  while (feature[node] >= 0) node = next[node] + (x[inputs[feature[node]]] < threshold[node] ? 0 : 1);
  for (i = 0; i < n; ++i) {
    const double one = (double)x[inputs[i]], from = (double)low[next[node] * n + i], to = (double)high[next[node] * n + i];
    sum += slope[i] * (one < from ? from - one : one > to ? one - to : 0);
  }
  return sum > usual ? sum - usual : 0;
}
static inline double taut_factor_beyond(double of_ranges, double of_boxes, double most, double scale) {
  const double largest = of_boxes > of_ranges ? of_boxes : of_ranges;
  return 1 + (largest < most ? largest : most) / scale;
}

static inline double taut_scale_width(double q, double u) {
  if (isinf(q)) return q > 0 ? INFINITY : 0.0;
  return exp(q + u) * (1 + 4 * DBL_EPSILON * (1 + fabs(q) + fabs(u)));
}
)C";

inline constexpr const char* c_curve_helpers = R"C(
static inline void taut_complete_trees(int trees, int depth, int outputs, const int32_t* feature,
                                       const unsigned char* missing_left, const float* value, const float* leaves,
                                       const float* x, float* sums) {
  const int inner = (1 << depth) - 1;
  const float* leaves_of;
  int tree, step, k;
  for (tree = 0; tree < trees; ++tree) {
    int place = 0;
    for (step = 0; step < depth; ++step) {
      const size_t at = (size_t)tree * (size_t)inner + (size_t)place;
      const float cell = x[feature[at]];
      place = 2 * place + 1 + ((cell >= value[at]) | ((cell != cell) & (missing_left[at] == 0)));
    }
    leaves_of = leaves + ((size_t)tree * (size_t)(inner + 1) + (size_t)(place - inner)) * (size_t)outputs;
    for (k = 0; k < outputs; ++k) sums[k] += leaves_of[k];
  }
}

static inline void taut_lines(int inputs, int outputs, const double* least, const double* most, const double* centre,
                              const double* unit, const double* slopes, const float* x, double* y) {
  int i, k;
  for (i = 0; i < inputs; ++i) {
    double cell = (double)x[i];
    if (unit[i] == 0 || cell != cell) continue;
    cell = cell < least[i] ? least[i] : most[i] < cell ? most[i] : cell;
    cell = (cell - centre[i]) / unit[i];
    if (cell == 0) continue;
    for (k = 0; k < outputs; ++k) {
      const double added = cell * slopes[i * outputs + k];
      y[k] += added;
    }
  }
}

static inline double taut_curve_width(double q, const double* g, const double* odds, int segments) {
  double start = 0, most = 0, distance = 0;
  int k;
  if (q < 0) return -1;
  if (isinf(q)) return q;
  for (k = 0;; ++k) {
    const double run = exp(g[k]), share = (q - odds[k]) / (odds[k + 1] - odds[k]);
    if (k + 1 == segments || share < 1) {
      distance = start + (share < 0.0 ? 0.0 : share) * run;
      break;
    }
    start += run;
  }
  for (k = 0; k < segments && (k == 0 || q >= odds[k]); ++k) most = most < exp(g[k]) ? exp(g[k]) : most;
  return distance * (1 + 32 * DBL_EPSILON) + 32 * DBL_EPSILON * (most * (1 + q));
}

static inline double taut_log_width(const double* y, int from, int to, double least) {
  const double width = y[to] - y[from];
  return log(width < least ? least : width);
}
)C";

inline constexpr const char* c_foreign_helpers = R"C(
/* Missing cells: 0 left, 1 right, 2 as 0, 3 left like 0 itself, 4 right likewise. Categories of a set go left. */
static inline int taut_goes_left(double cell, double threshold, int missing, const uint32_t* set, int strict) {
  if (set != NULL) {
    if (cell != cell) return missing == 0;
    if (!(strict ? cell >= 0 : cell > -1) || cell >= (double)set[0]) return 0;
    return (int)((set[1 + (uint32_t)cell / 32] >> ((uint32_t)cell % 32)) & 1u);
  }
  if (missing <= 1 && cell != cell) return missing == 0;
  if (missing == 2 && cell != cell) cell = 0;
  if (missing >= 3 && (cell != cell || fabs(cell) <= (double)1e-35f)) return missing == 3;
  return strict ? cell < threshold : cell <= threshold;
}

static inline double taut_position(double cell, const double* numbers, int count) {
  int i;
  for (i = 0; i < count; ++i)
    if (numbers[i] == cell) return i;
  return NAN;
}
)C";

// Ends are not rounded to multiples of the step. If no multiple lies in an interval, the library falls back to one within a step
// of the centre, so ends reach at least one step. A multiple may be computed as a decimal or as a product; the two differ by a
// few units in the last place.
inline constexpr const char* c_step_helpers = R"C(
static inline double taut_reach_step(double step, double centre, double reach, double other) {
  const double far = reach > step ? reach : step;
  return reach < 0 && other < 0 ? reach : far + 4 * DBL_EPSILON * (fabs(centre) + far);
}
)C";

// Years start in March: the number of days before a month is then the same in every year.
inline constexpr const char* c_date_helpers = R"C(
static inline double taut_date_part(double seconds, double origin, int part) {
  static const int before[12] = {0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337};
  double moment, days, rest, year, cycle, century, four, one, january;
  int month = 11;
  if (!isfinite(seconds)) return NAN;
  moment = taut_held(seconds, -1e17, 1e17);
  days = floor(moment / 86400.0);
  if (part == 3) return days + 3 - 7 * floor((days + 3) / 7);
  if (part == 5) return (moment - days * 86400.0) / 3600;
  if (part == 6) return (moment - origin) / 86400.0;
  rest = days + 719468;
  cycle = floor(rest / 146097);
  rest -= 146097 * cycle;
  century = floor(rest / 36524) < 3 ? floor(rest / 36524) : 3;
  rest -= 36524 * century;
  four = floor(rest / 1461);
  rest -= 1461 * four;
  one = floor(rest / 365) < 3 ? floor(rest / 365) : 3;
  rest -= 365 * one;
  year = 400 * cycle + 100 * century + 4 * four + one;
  while (before[month] > rest) --month;
  if (part == 2) return rest - before[month] + 1;
  if (part == 1) return month < 10 ? month + 3 : month - 9;
  if (month >= 10) year += 1;
  if (part == 0) return year;
  year -= 1;
  january = 365 * year + floor(year / 4) - floor(year / 100) + floor(year / 400) + 306 - 719468;
  return days - january + 1;
}
)C";

// Functions for models whose f contains a network or a Gaussian process.
inline constexpr const char* c_smooth_helpers = R"C(
/* Ends that reach so much farther; a negative reach means an empty side and stays. */
static inline double taut_wider(double reach, double slack) {
  return reach < 0 ? reach : (reach + slack) * (1 + 2 * DBL_EPSILON);
}

static inline void taut_robust(const float* x, const double* centre, const double* factor, int inputs, float* z) {
  int i;
  for (i = 0; i < inputs; ++i) {
    const double s = taut_held(((double)x[i] - centre[i]) * factor[i], -1e9, 1e9);
    z[i] = (float)(s / sqrt(1 + s / 3 * (s / 3)));
  }
}

static inline float taut_share(float z, float from, float factor) {
  const float share = (z - from) * factor, above = share > 0 ? share : 0.0f;
  return above < 1 ? above : 1.0f;
}
)C";

inline constexpr const char* c_process_helpers = R"C(
static inline void taut_ranks(float* z, const int32_t* input, const float* from, const float* factor, int bins,
                              const int32_t* rank, const float* part, int inputs, int width) {
  int b;
  for (b = inputs; b < width; ++b) z[b] = -1.0f;
  for (b = 0; b < bins; ++b) {
    const float more = part[b] * taut_share(z[input[b]], from[b], factor[b]);
    z[rank[b]] += more;
  }
}

static inline double taut_process(const float* z, const float* rows, int count, const double* heights, const double* scale,
                                  const double* slopes, int width, double level) {
  double sum = level, bumps = 0;
  int i, c;
  for (c = 0; c < width; ++c) sum += slopes[c] * (double)z[c];
  for (i = 0; i < count; ++i) {
    double d = 0;
    for (c = 0; c < width; ++c) {
      const double away = (double)rows[(size_t)i * (size_t)width + (size_t)c] * scale[c] - (double)z[c] * scale[c];
      d += away * away;
    }
    d = sqrt(d);
    bumps += heights[i] * (1 + d + d * d / 3) * exp(-d);
  }
  return sum + bumps;
}
)C";

// The forward pass is in double precision. The backward pass uses the derivatives to bound the difference to single-precision
// sums, with separately rounded or fused multiplications and additions.
inline constexpr const char* c_network_helpers = R"C(
static inline void taut_shares(float* z, const int32_t* input, const float* from, const float* factor, int bins, int inputs) {
  int b;
  for (b = 0; b < bins; ++b) z[inputs + b] = taut_share(z[input[b]], from[b], factor[b]);
}

static inline double taut_network(const float* x, const int32_t* sizes, int layers, const float* parameters, double* work,
                                  double* off) {
  const double rounding = 5.9604644775390625e-08;
  const float* w = parameters;
  double *in = work, *out = work + sizes[0], result, error = 0;
  int l, j, k;
  for (k = 0; k < sizes[0]; ++k) in[k] = (double)x[k];
  for (l = 0; l < layers; ++l) {
    const int n = sizes[l], m = sizes[l + 1];
    double *slope = out + m, *lost = slope + m;
    for (j = 0; j < m; ++j) {
      out[j] = (double)w[(size_t)n * (size_t)m + (size_t)j];
      lost[j] = 0.0;
    }
    for (k = 0; k < n; ++k)
      for (j = 0; j < m; ++j) {
        const double product = in[k] * (double)w[(size_t)k * (size_t)m + (size_t)j];
        out[j] += product;
        lost[j] += fabs(product) + fabs(out[j]);
      }
    for (j = 0; j < m && l + 1 < layers; ++j) {
      const double s = out[j] / sqrt(1 + out[j] * out[j]);
      slope[j] = 0.5 + 0.5 * s * (2 - s * s);
      out[j] *= 0.5 + 0.5 * s;
    }
    w += (size_t)(n + 1) * (size_t)m;
    in = out;
    out += 3 * m;
  }
  result = in[0];
  in[sizes[layers]] = 1.0;
  for (l = layers; l-- > 0;) {
    const int n = sizes[l], m = sizes[l + 1];
    double *slope = in + m, *lost = slope + m, *before;
    for (j = 0; j < m; ++j) error += rounding * fabs(slope[j]) * lost[j];
    if (l == 0) break;
    before = in - 3 * n;
    w -= (size_t)(n + 1) * (size_t)m;
    for (k = 0; k < n; ++k) {
      double by = 0;
      for (j = 0; j < m; ++j) by += (double)w[(size_t)k * (size_t)m + (size_t)j] * slope[j];
      error += 10 * rounding * fabs(by * before[k]);
      before[n + k] *= by;
    }
    in = before;
  }
  *off += error;
  return result;
}
)C";

}  // namespace taut
