#include <taut/explain/row_budget.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/metric/interval.hpp>
#include <taut/plan/row_plan.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

Band band_of(Index calibration_rows, Index rank, double probability, Index test_rows) {
  if (rank > calibration_rows) return {1, 1};
  if (test_rows > 0) return coverage_band(test_rows, calibration_rows, rank, probability);
  const auto a = static_cast<double>(rank), b = static_cast<double>(calibration_rows + 1 - rank);
  const double tail = (1 - probability) / 2;
  return {beta_quantile(tail, a, b), beta_quantile(1 - tail, a, b)};
}

LevelBudget level_budget(double confidence, Index calibration_rows, const BudgetQuestion& question) {
  const Index rank = exact_rank(calibration_rows, confidence, question.options.sure);
  const double delivered = rank > calibration_rows ? 1 : static_cast<double>(rank) / (static_cast<double>(calibration_rows) + 1);
  return {confidence, rank, delivered, band_of(calibration_rows, rank, question.probability, question.test_rows)};
}

// The smallest number of rows up to `maximum` for which is_enough is true; nothing if there is none. is_enough is monotone.
template <class IsEnough>
std::optional<Index> fewest(Index maximum, IsEnough is_enough) {
  Index high = 1;
  while (!is_enough(high)) {
    if (high >= maximum) return {};
    high = std::min(maximum, 2 * high);
  }
  Index low = high / 2;  // known to be too few
  while (high - low > 1) {
    const Index middle = low + (high - low) / 2;
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

}  // namespace

RowBudget row_budget(Index rows, const BudgetQuestion& question) {
  RowBudget budget{rows, count_calibration_rows(rows, question.options), {}};
  for (const double confidence : question.levels)
    budget.levels.push_back(level_budget(confidence, budget.calibration_rows, question));
  return budget;
}

Index min_rows(double confidence, const FitOptions& options) {
  const Index needed = min_calibration_rows(confidence, options.sure);
  constexpr Index maximum = Index{1} << 40;
  return fewest(maximum, [&](Index rows) { return count_calibration_rows(rows, options) >= needed; }).value_or(maximum);
}

std::optional<Index> rows_for_band(double confidence, double reach, const BudgetQuestion& question, Index maximum) {
  return fewest(maximum, [&](Index rows) {
    const LevelBudget level = level_budget(confidence, count_calibration_rows(rows, question.options), question);
    return level.band.low >= confidence - reach && level.band.high <= confidence + reach;
  });
}

namespace {

constexpr int exponents = 30;       // a geometric sequence from 0.05 to 1.5
constexpr int draws = 200;          // random pairs (a, b) for each exponent
constexpr double min_error = 1e-3;  // relative; smaller standard errors of points are not believed
// Standard deviation of the change of slope of log(score) from one doubling of the rows to the next. On the public tables whose
// points are precise enough to show it, log(score) fell per doubling by 0.060, 0.078, 0.109 (power) and by 0.14, 0.14, 0.16, 0.16
// (kin8nm).
constexpr double slope_change = 0.03;

double exponent(int which) { return 0.05 * std::pow(30.0, which / (exponents - 1.0)); }

// The line a + b x by weighted least squares, with the covariance of its coefficients.
struct Line {
  double a = 0, b = 0;
  double var_a = 0, var_b = 0, cov = 0;
  double misfit = 0;  // weighted sum of squares

  Line(std::span<const CurvePoint> points, double unit, double c) {
    double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
    const auto each = [&](auto use) {
      for (const CurvePoint& point : points) {
        const double error = std::max(point.error, min_error * point.value);
        use(std::pow(point.rows / unit, -c), point.value, 1 / (error * error));
      }
    };
    each([&](double x, double y, double weight) {
      w += weight;
      wx += weight * x;
      wxx += weight * x * x;
      wy += weight * y;
      wxy += weight * x * y;
    });
    const double det = w * wxx - wx * wx;
    b = (w * wxy - wx * wy) / det;
    a = (wy - b * wx) / w;
    var_a = wxx / det;
    var_b = w / det;
    cov = -wx / det;
    each([&](double x, double y, double weight) { misfit += weight * (y - a - b * x) * (y - a - b * x); });
  }
};

}  // namespace

PowerLaws::PowerLaws(std::span<const CurvePoint> points, double common_error, std::uint64_t seed) : common_error_(common_error) {
  if (points.size() < 2) throw Error("a learning curve needs at least two numbers of rows");
  unit_ = points.back().rows;
  Random random(seed);
  std::vector<double> weights;
  std::vector<Curve> all;
  double minimum = infinity;
  std::vector<Line> lines;
  for (int k = 0; k < exponents; ++k) {
    lines.emplace_back(points, unit_, exponent(k));
    minimum = std::min(minimum, lines.back().misfit);
  }
  for (int k = 0; k < exponents; ++k) {
    const Line& line = lines[static_cast<std::size_t>(k)];
    const double weight = std::exp((minimum - line.misfit) / 2), slope = line.cov / line.var_b;
    const double rest = std::sqrt(std::max(0.0, line.var_a - slope * line.cov));
    for (int draw = 0; draw < draws; ++draw) {
      const double db = std::sqrt(line.var_b) * random.normal();
      const Curve curve{line.a + slope * db + rest * random.normal(),
                        line.b + db,
                        exponent(k),
                        random.normal(),
                        random.normal(),
                        random.normal()};
      const bool is_kept = curve.a >= 0 && curve.b >= 0 && random.uniform() < weight;
      if (is_kept) curves_.push_back(curve);
    }
  }
  // No decreasing curve fits, so scores seem to grow with the rows. This is noise: extrapolate a constant.
  if (curves_.empty()) {
    double mean = 0;
    for (const CurvePoint& point : points) mean += point.value / static_cast<double>(points.size());
    for (int draw = 0; draw < draws; ++draw) curves_.push_back({mean, 0, 1, random.normal(), random.normal(), random.normal()});
  }
}

template <class ValueOf>
Extrapolated PowerLaws::band(double rows, double probability, ValueOf value_of) const {
  std::vector<double> values;
  for (const Curve& curve : curves_) values.push_back(value_of(curve) * std::exp(common_error_ * curve.noise));
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) { return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]; };
  return {rows, at(0.5), at((1 - probability) / 2), at((1 + probability) / 2)};
}

Extrapolated PowerLaws::at(double rows, double probability, double own_error) const {
  const double doublings = std::max(0.0, std::log2(rows / unit_));
  return band(rows, probability, [&](const Curve& curve) {
    const double value = curve.a + curve.b * std::pow(rows / unit_, -curve.c);
    return value * std::exp(slope_change * doublings * curve.turn + own_error * curve.own_noise);
  });
}

Extrapolated PowerLaws::floor(double probability) const {
  return band(infinity, probability, [](const Curve& curve) { return curve.a; });
}

}  // namespace taut
