// The fixed part of an exported C file whose f has a network or a Gaussian process in it.
#pragma once

namespace taut {

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

// Forward in doubles; then back along the derivatives, to see how far sums of floats, in whatever way a multiplication and an
// addition are rounded, may lead from here.
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
