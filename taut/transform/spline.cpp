#include <taut/transform/numeric.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr std::size_t n_knots = 6, n_bins = n_knots - 1, middle = n_bins / 2;
constexpr int n_parameters = 1 + n_bins + 2;

// The scores b at the knots: log-odds, because the objective `likelihood` makes b logistic. Most knots are in the upper half,
// because high coverage levels are requested most often.
const std::array<double, n_knots> score_at = [] {
  std::array<double, n_knots> b{};
  std::size_t k = 0;
  for (const double p : {0.1, 0.3, 0.55, 0.8, 0.93, 0.99}) b[k++] = std::log(p / (1 - p));
  return b;
}();

// A bound for the logarithms of widths and slopes. Larger ones would hardly change the shape, and the bound prevents overflow.
constexpr double max_log_of_spline = 15;

template <class T>
T bounded(const T& g) {
  return value_of(g) > max_log_of_spline ? T(max_log_of_spline) : value_of(g) < -max_log_of_spline ? T(-max_log_of_spline) : g;
}

Formula bounded(const Formula& g) { return max(min(g, max_log_of_spline), -max_log_of_spline); }

// φ = S(t), t = log a: through the points (t_k, b_k), rational-quadratic between them, linear beyond (Gregory & Delbourgo 1982).
// With w = t_(k+1) − t_k, h = b_(k+1) − b_k, s = h / w, ξ = (t − t_k) / w and the slopes δ_k at the knots,
//   S  = b_k + h (s ξ² + δ_k ξ(1−ξ)) / D,   D = s + (δ_(k+1) + δ_k − 2s) ξ(1−ξ),
//   S' = s² (δ_(k+1) ξ² + 2s ξ(1−ξ) + δ_k (1−ξ)²) / D²,  increasing for any positive δ; ∂φ/∂a = S' / a, a >= 0.
// g contains the middle of the third bin, the logarithms of the widths of all bins, and for the two tails the logarithm of the
// slope divided by the slope of the adjacent chord. The slope at a knot between two chords is their geometric mean.
template <class T>
struct Curve {
  std::array<T, n_knots> t, log_slope;
  std::array<T, n_bins> log_chord;

  explicit Curve(const std::array<T, n_parameters>& g) {
    using std::exp;
    std::array<T, n_bins> log_width;
    for (std::size_t k = 0; k < n_bins; ++k) {
      log_width[k] = bounded(g[1 + k]);
      log_chord[k] = T(std::log(score_at[k + 1] - score_at[k])) - log_width[k];
    }
    const T half = T(0.5) * exp(log_width[middle]);
    t[middle] = g[0] - half;
    t[middle + 1] = g[0] + half;
    for (std::size_t k = middle; k > 0; --k) t[k - 1] = t[k] - exp(log_width[k - 1]);
    for (std::size_t k = middle + 1; k < n_bins; ++k) t[k + 1] = t[k] + exp(log_width[k]);
    log_slope.front() = log_chord.front() + bounded(g[1 + n_bins]);
    log_slope.back() = log_chord.back() + bounded(g[2 + n_bins]);
    for (std::size_t k = 1; k < n_bins; ++k) log_slope[k] = T(0.5) * (log_chord[k - 1] + log_chord[k]);
  }

  struct Point {
    T value, slope;
  };

  Point at(const T& x) const {
    using std::exp;
    const double where = value_of(x);
    if (where <= value_of(t.front())) return tail(0, x);
    if (where >= value_of(t.back())) return tail(n_knots - 1, x);
    std::size_t k = 0;
    while (where >= value_of(t[k + 1])) ++k;
    const double h = score_at[k + 1] - score_at[k];
    const T s = exp(log_chord[k]), low = exp(log_slope[k]), high = exp(log_slope[k + 1]);
    const T xi = (x - t[k]) * s / T(h), rest = T(1) - xi, both = xi * rest;
    const T d = s + (high + low - T(2) * s) * both;
    return {T(score_at[k]) + T(h) * (s * xi * xi + low * both) / d,
            s * s * (high * xi * xi + T(2) * s * both + low * rest * rest) / (d * d)};
  }

 private:
  Point tail(std::size_t k, const T& x) const {
    using std::exp;
    const T slope = exp(log_slope[k]);
    return {T(score_at[k]) + slope * (x - t[k]), slope};
  }
};

class Spline final : public Transform {
 public:
  bool competes() const override { return true; }
  Index n_params() const override { return n_parameters; }
  Index n_moving_params() const override { return 1; }
  // Chosen so that the scores of normal residuals with mean absolute value 1 are logistic.
  void initial(double* g) const override {
    constexpr std::array<double, n_parameters> start = {0.419, 0.807, 0.297, 0.0555, -0.367, -0.352, 0, 0};
    std::copy(start.begin(), start.end(), g);
  }
  void initial_at(double half_width, double* g) const override {
    initial(g);
    g[0] += 2 * std::log(half_width);
  }

  double value(double a, const double* g) const override { return curve(g).at(std::log(a)).value; }
  double slope(double a, const double* g) const override { return curve(g).at(std::log(a)).slope / a; }
  void grad(double a, const double* g, double* out) const override { store(derivatives(a, g).value.d, out); }
  void log_slope_grad(double a, const double* g, double* out) const override {
    const auto point = derivatives(a, g);
    store(point.slope.d / point.slope.v, out);
  }
  Density density(double a, const double* g, double* value_grad, double* slope_grad) const override {
    if (value_grad == nullptr) {
      const auto point = curve(g).at(std::log(a));
      return {point.value, std::log(point.slope)};
    }
    const auto point = derivatives(a, g);
    store(point.value.d, value_grad);
    store(point.slope.d / point.slope.v, slope_grad);
    return {point.value.v, std::log(point.slope.v)};
  }
  Codomain codomain(const double*) const override { return {-infinity, infinity}; }
  double inverse(double b, const double* g) const override { return std::exp(solve(curve(g), b)); }

  double conformity(double r, const double* g) const override { return curve(g).at(2 * std::log(r)).value; }
  // half_width() uses bisection. The formula adds the same margin, and its own possible rounding error.
  std::optional<DescribedTransform> describe() const override {
    return DescribedWidth{[](double q) {
      std::array<Formula, n_parameters> g;
      for (std::size_t p = 0; p < g.size(); ++p) g[p] = Formula::variable(static_cast<Index>(p));
      const double maximum = q + 128 * std::numeric_limits<double>::epsilon() * (1 + std::abs(q));
      return exp(0.5 * solve(Curve<Formula>(g), maximum)) * (1 + 2e-11);
    }};
  }

 private:
  using Number = Dual<n_parameters>;

  static Curve<double> curve(const double* g) {
    std::array<double, n_parameters> parameters;
    std::copy_n(g, n_parameters, parameters.begin());
    return Curve<double>(parameters);
  }
  static Curve<Number>::Point derivatives(double a, const double* g) {
    std::array<Number, n_parameters> parameters;
    for (int p = 0; p < n_parameters; ++p) parameters[static_cast<std::size_t>(p)] = Number::variable(g[p], p);
    return Curve<Number>(parameters).at(Number(std::log(a)));
  }
  static void store(const Number::Gradient& gradient, double* out) { std::copy_n(gradient.data(), n_parameters, out); }

  // The t with S(t) = b. Inside a bin ξ solves Aξ² + Bξ + C = 0 with A = h(s − δ_k) + (b − b_k)E, B = hδ_k − (b − b_k)E,
  // C = −s(b − b_k), E = δ_(k+1) + δ_k − 2s. The form of the solution below has no cancellation.
  template <class T>
  static T solve(const Curve<T>& spline, double b) {
    using std::exp, std::max, std::sqrt;
    if (b <= score_at.front()) return spline.t.front() + (b - score_at.front()) / exp(spline.log_slope.front());
    if (b >= score_at.back()) return spline.t.back() + (b - score_at.back()) / exp(spline.log_slope.back());
    std::size_t k = 0;
    while (b >= score_at[k + 1]) ++k;
    const double h = score_at[k + 1] - score_at[k], above = b - score_at[k];
    const T s = exp(spline.log_chord[k]), low = exp(spline.log_slope[k]), high = exp(spline.log_slope[k + 1]);
    const T e = high + low - 2 * s;
    const T quadratic = h * (s - low) + above * e, linear = h * low - above * e, constant = -above * s;
    const T root = sqrt(max(T(0), linear * linear - 4 * quadratic * constant));
    const T xi = -2 * constant / (linear + root);
    return spline.t[k] + xi * h / s;
  }
};

}  // namespace

Listed<Transform> spline_transform() {
  return {"spline", "a monotone spline in log a, knots and slopes from g: changes the shape of the scores, not only their scale",
          [](std::string_view) { return std::make_unique<Spline>(); }};
}

}  // namespace taut
