#include <taut/transform/curve.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr std::size_t n_segments = n_curve_knots;

// The scores at the knots: 0 at the centre, then the log-odds log p − log(1 − p).
const std::array<double, n_segments + 1> log_odds_at = [] {
  std::array<double, n_segments + 1> l{};
  for (std::size_t k = 0; k < n_segments; ++k) l[k + 1] = std::log(curve_probabilities[k]) - std::log1p(-curve_probabilities[k]);
  return l;
}();

// φ = L(r), r = √a: piecewise linear through (0, 0) and (R_k, l_k), R_k = e^(g_1) + ... + e^(g_k); the last line continues.
// With d_k = e^(g_k), h_k = l_k − l_(k−1) and r in the k-th segment:
//   ∂φ/∂a = h_k / (2 r d_k),  ∂φ/∂g_j = −h_k d_j / d_k for j < k,  ∂φ/∂g_k = −h_k (r − R_(k−1)) / d_k,  0 for j > k;  a >= 0.
// R_k is the distance of a quantile of y from the median on one side, so {|l| <= q} is the interval between two quantiles.
class CurveTransform final : public Transform {
 public:
  std::string base() const override { return "exp"; }
  Index n_params() const override { return static_cast<Index>(n_segments); }
  // The quantiles of normal residuals with mean absolute value 1.
  void initial(double* g) const override {
    constexpr std::array<double, 5> quantile = {0, 0.84535, 1.60622, 2.06157, 2.45654};
    static_assert(quantile.size() == n_segments + 1);
    for (std::size_t k = 0; k < n_segments; ++k) g[k] = std::log(quantile[k + 1] - quantile[k]);
  }
  void initial_at(double half_width, double* g) const override {
    initial(g);
    for (std::size_t k = 0; k < n_segments; ++k) g[k] += std::log(half_width);
  }

  double value(double a, const double* g) const override { return conformity(std::sqrt(a), g); }
  double slope(double a, const double* g) const override {
    const Place at = place_of(std::sqrt(a), g);
    return at.rise / (2 * std::sqrt(a) * at.run);
  }
  void grad(double a, const double* g, double* out) const override {
    const Place at = place_of(std::sqrt(a), g);
    std::fill_n(out, n_segments, 0.0);
    for (std::size_t k = 0; k < at.segment; ++k) out[k] = -at.rise * std::exp(g[k]) / at.run;
    out[at.segment] = -at.rise * at.beyond / at.run;
  }
  void log_slope_grad(double a, const double* g, double* out) const override {
    std::fill_n(out, n_segments, 0.0);
    out[place_of(std::sqrt(a), g).segment] = -1;
  }
  Codomain codomain(const double*) const override { return {0, infinity}; }
  double inverse(double b, const double* g) const override {
    if (b < 0) return -1;
    const double r = distance_at(b, g);
    return r * r;
  }

  double conformity(double r, const double* g) const override {
    const Place at = place_of(r, g);
    // Rounding must not move the score above the next knot, so that scores have the order of r.
    const double reached = log_odds_at[at.segment] + at.rise * (at.beyond / at.run);
    return at.segment + 1 < n_segments ? std::min(reached, log_odds_at[at.segment + 1]) : reached;
  }
  double half_width(double q, const double* g) const override { return std::isinf(q) && q > 0 ? q : finite_half_width(q, g); }
  std::optional<DescribedTransform> describe() const override {
    return DescribedWidth{[](double q) {
      std::array<Formula, n_segments> g;
      for (std::size_t k = 0; k < n_segments; ++k) g[k] = Formula::variable(static_cast<Index>(k));
      return finite_half_width(q, g.data());
    }};
  }

 private:
  template <class Number>
  static Number finite_half_width(double q, const Number* g) {
    if (q < 0) return -1;
    // Add the rounding error of the additions, so that the set contains the residual whose score is q.
    constexpr double rounding = 32 * std::numeric_limits<double>::epsilon();
    return distance_at(q, g) * (1 + rounding) + rounding * largest_before(q, g);
  }
  // The segment that contains r, the distance of r from its start, and the rise and the run of the line there.
  struct Place {
    std::size_t segment;
    double beyond, rise, run;
  };
  static Place place_of(double r, const double* g) {
    double start = 0;
    for (std::size_t k = 0;; ++k) {
      const double run = std::exp(g[k]), rise = log_odds_at[k + 1] - log_odds_at[k];
      if (k + 1 == n_segments || r < start + run) return {k, r - start, rise, run};
      start += run;
    }
  }
  template <class Number>
  static Number distance_at(double b, const Number* g) {
    using std::exp;
    Number start = 0;
    for (std::size_t k = 0;; ++k) {
      const Number run = exp(g[k]);
      const double rise = log_odds_at[k + 1] - log_odds_at[k], share = (b - log_odds_at[k]) / rise;
      if (k + 1 == n_segments || share < 1) return start + std::max(share, 0.0) * run;
      start = start + run;
    }
  }
  // A bound for rounding errors of b and of the sums is proportional to the longest run up to the segment of b. It grows with b.
  template <class Number>
  static Number largest_before(double b, const Number* g) {
    using std::exp, std::max;
    Number maximum = 0;
    for (std::size_t k = 0; k < n_segments && (k == 0 || b >= log_odds_at[k]); ++k) maximum = max(maximum, Number(exp(g[k])));
    return maximum * (1 + b);
  }
};

}  // namespace

Listed<Transform> curve_transform() {
  return {"curve", "a scale, then quantile curves of the scaled residuals: centre, skew and shape may change with x",
          [](std::string_view) { return std::make_unique<CurveTransform>(); }};
}

}  // namespace taut
