// The guarantee, as an exact law: given its calibration rows the coverage of a trained transformation is Beta(k, n + 1 − k).
#include <taut/calibrate/calibrator.hpp>
#include <taut/metric/beta.hpp>
#include <taut/train/fit_localization.hpp>
#include <tests/support/goodness_of_fit.hpp>
#include <tests/support/synthetic.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace taut {
namespace {

using testing::known_rows;
using testing::KnownRows;
using testing::uniform_fit_p_value;

Localization trained(const Transform& transform, const std::string& localizer, int sides) {
  const KnownRows rows = known_rows("cos", 300, 1);
  Localization localization(localizer, sides);
  if (transform.n_params() == 0) return localization;
  TrainingPart part;
  for (Index i = 0; i < 300; ++i) (i < 240 ? part.train : part.validation).push_back(i);
  LocalizationPlan plan;
  plan.localizer = localizer;
  plan.objective = "size";
  plan.sides = {sides};
  plan.training.epochs = 5;
  plan.training.localizer.hidden = {20, 20};
  auto fitted = fit_localization(transform, rows.inputs, rows.residuals, {part}, plan, {});
  return std::move(fitted.localization);
}

std::vector<double> conformities(const Transform& transform, const Localization& localization, const KnownRows& rows) {
  const Matrix g = localization.params(transform, rows.inputs, 0);
  const Index second = localization.sides() == 2 && g.cols() > 0 ? transform.n_params() : 0;
  std::vector<double> b;
  for (Index i = 0; i < rows.inputs.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    b.push_back(transform.conformity(rows.residuals.size[at], g.row(i).data() + (rows.residuals.side[at] == Side::above ? second : 0)));
  }
  return b;
}

class Validity : public ::testing::TestWithParam<Listed<Transform>> {};

// 2000 simulated calibrations of n rows. True coverages come from a pool of 400,000 rows: its own error of .0005 is far below
// what 2000 draws can show. Three sizes, two levels and all classes: 1e-5 each keeps a false alarm below 1e-3 in all.
TEST_P(Validity, CoverageFollowsItsBetaLaw) {
  const auto transform = transforms().make(GetParam().example);
  const Localization localization = trained(*transform, "mlp", 1);
  std::vector<double> pool = conformities(*transform, localization, known_rows("cos", 400000, 2));
  std::sort(pool.begin(), pool.end());
  constexpr Index simulations = 2000;
  const std::vector<double> fresh = conformities(*transform, localization, known_rows("cos", 500 * simulations, 3));
  for (const Index n : {19, 99, 500}) {
    for (const double level : {0.68, 0.9}) {
      const Index k = Calibrator(std::vector<double>(static_cast<std::size_t>(n))).rank(level);
      std::vector<double> right, one_less, one_more;
      for (Index simulation = 0; simulation < simulations; ++simulation) {
        const auto first = fresh.begin() + simulation * n;
        const double q = Calibrator(std::vector<double>(first, first + n)).quantile(level);
        const double covered = static_cast<double>(std::upper_bound(pool.begin(), pool.end(), q) - pool.begin()) / static_cast<double>(pool.size());
        const auto a = static_cast<double>(k), b = static_cast<double>(n + 1 - k);
        right.push_back(beta_cdf(covered, a, b));
        one_less.push_back(beta_cdf(covered, a - 1, b + 1));
        one_more.push_back(beta_cdf(covered, a + 1, b - 1));
      }
      EXPECT_GT(uniform_fit_p_value(right), 1e-5) << n << " " << level;
      // The test must be able to fail: a rank that is off by one would not pass (at n = 500 the levels are close: 1e-3 there).
      EXPECT_LT(uniform_fit_p_value(one_less), n == 500 ? 1e-2 : 1e-5) << n << " " << level;
      EXPECT_LT(uniform_fit_p_value(one_more), n == 500 ? 1e-2 : 1e-5) << n << " " << level;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Validity, ::testing::ValuesIn(transforms().entries()), [](const auto& tested) { return tested.param.name; });

// Two sides are one score with one quantile: the same law.
TEST(ValidityOfTwoSides, CoverageFollowsItsBetaLaw) {
  const auto transform = transforms().make("exp");
  for (const auto& entry : localizers().entries()) {
    const Localization localization = trained(*transform, entry.name, 2);
    std::vector<double> pool = conformities(*transform, localization, known_rows("squared", 200000, 2));
    std::sort(pool.begin(), pool.end());
    constexpr Index n = 99, simulations = 2000;
    const std::vector<double> fresh = conformities(*transform, localization, known_rows("squared", n * simulations, 3));
    std::vector<double> uniform;
    for (Index simulation = 0; simulation < simulations; ++simulation) {
      const auto first = fresh.begin() + simulation * n;
      const double q = Calibrator(std::vector<double>(first, first + n)).quantile(0.9);
      const double covered = static_cast<double>(std::upper_bound(pool.begin(), pool.end(), q) - pool.begin()) / static_cast<double>(pool.size());
      uniform.push_back(beta_cdf(covered, 90, 10));
    }
    EXPECT_GT(uniform_fit_p_value(uniform), 1e-5) << entry.name;
  }
}

}  // namespace
}  // namespace taut
