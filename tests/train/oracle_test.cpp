// The synthetic sets have known answers: half-widths and conditional coverage of perfect scales. Training must come close to
// them.
#include <taut/calibrate/score_distribution.hpp>
#include <taut/metric/conditional.hpp>
#include <taut/train/fit_localization.hpp>
#include <tests/support/synthetic.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::known_rows;

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::sqrt(2.0)); }

double normal_quantile(double p) {
  double low = -10, high = 10;
  for (int i = 0; i < 80; ++i) (normal_cdf(0.5 * (low + high)) < p ? low : high) = 0.5 * (low + high);
  return 0.5 * (low + high);
}

struct Answer {
  double half_width, rmse;
};

// N = infinity by quadrature: x on a fine grid, |noise| on a fine grid of its quantiles, with our own scores and intervals.
Answer perfect(const std::string& set_name, double alpha, const std::function<double(double)>& scale_of_sigma) {
  const auto set = synthetic_sets().make(set_name);
  const auto phi = transforms().make("exp");
  constexpr int xs = 1000, quantiles = 500, interleaved = 16;
  // Neighbouring x take different quantiles, so that together they fill the gaps that 500 of them leave.
  static const std::vector<double> grid = [] {
    std::vector<double> values;
    for (int i = 0; i < quantiles * interleaved; ++i)
      values.push_back(normal_quantile(0.5 + 0.5 * (i + 0.5) / (quantiles * interleaved)));
    return values;
  }();
  std::vector<double> sigma, g, b;
  for (int i = 0; i < xs; ++i) {
    sigma.push_back(set->scale(-1 + 2 * (i + 0.5) / xs));
    g.push_back(-2 * std::log(scale_of_sigma(sigma.back())));
    for (std::size_t at = static_cast<std::size_t>(i % interleaved); at < grid.size(); at += interleaved)
      b.push_back(phi->conformity(sigma.back() * grid[at], &g.back()));
  }
  const double q = ScoreDistribution(std::move(b)).quantile(1 - alpha);
  Answer answer{0, 0};
  std::vector<double> covered;
  for (int i = 0; i < xs; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double reach = phi->half_width(q, &g[at]);
    answer.half_width += reach / xs;
    covered.push_back(2 * normal_cdf(reach / sigma[at]) - 1);
  }
  answer.rmse = conditional_coverage_rmse(covered, 1 - alpha);
  return answer;
}

// The smallest possible sets contain the y whose density is above a constant: Δ = σ √(2 log(c/σ)) where c > σ, else 0.
double smallest_half_width(const std::string& set_name, double alpha) {
  const auto set = synthetic_sets().make(set_name);
  constexpr int xs = 20000;
  std::vector<double> sigma;
  for (int i = 0; i < xs; ++i) sigma.push_back(set->scale(-1 + 2 * (i + 0.5) / xs));
  double width = 0, low = -10, high = 20;
  for (int step = 0; step < 60; ++step) {
    const double c = std::exp(0.5 * (low + high));
    double covered = 0;
    width = 0;
    for (const double s : sigma) {
      const double reach = c > s ? s * std::sqrt(2 * std::log(c / s)) : 0;
      covered += (2 * normal_cdf(reach / s) - 1) / xs;
      width += reach / xs;
    }
    (covered < 1 - alpha ? low : high) = 0.5 * (low + high);
  }
  return width;
}

struct Row {
  const char* set;
  double alpha;
  Answer fixed, root, conditional;
  double smallest;
};

// By numerical integration, to three digits; docs/notes/paper.md shows the same numbers for `cos`.
const Row table[] = {
    {"cos", .05, {3.138, .054}, {1.920, .051}, {1.961, 0}, 1.723},
    {"cos", .10, {2.433, .104}, {1.494, .101}, {1.646, 0}, 1.369},
    {"cos", .32, {.882, .321}, {.590, .293}, {.995, 0}, .578},
    {"squared", .05, {2.201, .083}, {1.315, .064}, {1.339, 0}, 1.175},
    {"squared", .10, {1.608, .140}, {1.007, .114}, {1.124, 0}, .930},
    {"squared", .32, {.530, .331}, {.425, .265}, {.680, 0}, .367},
    {"inverse", .05, {4.193, .064}, {2.479, .054}, {2.571, 0}, 2.231},
    {"inverse", .10, {3.218, .113}, {1.924, .104}, {2.158, 0}, 1.762},
    {"inverse", .32, {1.151, .322}, {.730, .306}, {1.305, 0}, .698},
    {"linear", .05, {3.050, .053}, {1.874, .051}, {1.911, 0}, 1.682},
    {"linear", .10, {2.369, .103}, {1.459, .101}, {1.604, 0}, 1.337},
    {"linear", .32, {.861, .321}, {.579, .291}, {.970, 0}, .568},
};

TEST(Oracle, PerfectScalesGiveTheKnownHalfWidthsSlow) {
  for (const Row& row : table) {
    const auto check = [&](const char* what, const Answer& got, const Answer& expected) {
      EXPECT_NEAR(got.half_width, expected.half_width, 0.003 * expected.half_width + 5e-4)
          << row.set << " " << row.alpha << " " << what;
      EXPECT_NEAR(got.rmse, expected.rmse, 2e-3) << row.set << " " << row.alpha << " " << what;
    };
    check("fixed", perfect(row.set, row.alpha, [](double) { return 1.0; }), row.fixed);
    check("size", perfect(row.set, row.alpha, [](double s) { return std::sqrt(s); }), row.root);
    check("conditional", perfect(row.set, row.alpha, [](double s) { return s; }), row.conditional);
    EXPECT_NEAR(smallest_half_width(row.set, row.alpha), row.smallest, 0.002 * row.smallest + 5e-4)
        << row.set << " " << row.alpha;
  }
}

// The network with default settings, true f, 20,000 rows: within 3 % of the optimum of the paper's objective.
TEST(Oracle, NetworkReachesTheOptimumOfSizeSlow) {
  const auto rows = known_rows("cos", 20000, 1), test = known_rows("cos", 200000, 2);
  const auto phi = transforms().make("exp");
  const auto plan = localization_plan({.localizer = "mlp", .objective = "size", .sides = {1}}, "exp");
  const auto fitted = fit_localization(plan, rows.inputs, rows.residuals, {{20000, 16000, 20000}}, {});
  ASSERT_FALSE(fitted.fell_back);
  const Matrix g = fitted.localization.params(*phi, test.inputs, {}, 0);
  std::vector<double> b;
  for (Index i = 0; i < g.rows(); ++i)
    b.push_back(phi->conformity(test.residuals.size[static_cast<std::size_t>(i)], g.row(i).data()));
  const double q = ScoreDistribution(std::move(b)).quantile(0.9);
  double half_width = 0;
  for (Index i = 0; i < g.rows(); ++i) half_width += phi->half_width(q, g.row(i).data()) / static_cast<double>(g.rows());
  EXPECT_NEAR(half_width, 1.494, 0.03 * 1.494);
}

}  // namespace
}  // namespace taut
