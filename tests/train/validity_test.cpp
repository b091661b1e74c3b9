// The guarantee as an exact distribution: given its calibration rows the coverage of a trained transformation is Beta(k, n + 1 −
// k).
#include <taut/calibrate/score_distribution.hpp>
#include <taut/core/beta.hpp>
#include <taut/train/localization.hpp>
#include <taut/train/trainer.hpp>
#include <tests/support/goodness_of_fit.hpp>
#include <tests/support/synthetic.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

using testing::known_rows;
using testing::KnownRows;
using testing::uniform_fit_p_value;

// Trained for a few epochs only: validity must not depend on the quality of the training.
Localization trained(const Transform& transform, const std::string& localizer_name, int sides) {
  const KnownRows training = known_rows("cos", 240, 1), validation = known_rows("cos", 60, 4);
  Localization localization(localizer_name, sides);
  if (transform.n_params() == 0) return localization;
  auto localizer = localizers().make(localizer_name);
  TrainingSettings settings;
  settings.epochs = 5;
  settings.sides = sides;
  settings.localizer.hidden = {20, 20};
  const InputPool inputs(training.inputs, validation.inputs);
  const Rows rows = all_rows(inputs.rows());
  train(*localizer, transform, *objectives().make("size"), inputs, {RowsView(rows).first(240), training.residuals},
        {RowsView(rows).subspan(240), validation.residuals}, settings, {});
  localization.members().emplace_back().stages.push_back(std::move(localizer));
  localization.exponents() = {1};
  return localization;
}

// The sorted conformity scores of a large population.
std::vector<double> conformities(const Transform& transform, const Localization& localization, const KnownRows& rows) {
  const Matrix g = localization.params(transform, rows.inputs, {}, 0);
  const Index second = localization.sides() == 2 && g.cols() > 0 ? transform.n_params() : 0;
  std::vector<double> b;
  for (Index i = 0; i < rows.inputs.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    b.push_back(
        transform.conformity(rows.residuals.size[at], g.row(i).data() + (rows.residuals.side[at] == Side::above ? second : 0)));
  }
  std::sort(b.begin(), b.end());
  return b;
}

// Coverages of the k-th of n calibration scores for each level. Calibration sets are sampled from a large population; 10,000 of
// them tell neighbouring ranks apart even at n = 500.
struct Coverages {
  Index n, rank;
  std::vector<double> drawn;

  // The p-value of the hypothesis that they follow Beta(claimed, n + 1 − claimed).
  double beta_distribution_p_value(Index claimed_less_true) const {
    const auto k = static_cast<double>(rank + claimed_less_true);
    std::vector<double> uniform;
    for (const double coverage : drawn) uniform.push_back(beta_cdf(coverage, k, static_cast<double>(n + 1) - k));
    return uniform_fit_p_value(uniform);
  }
};

std::vector<Coverages> draw_coverages(const std::vector<double>& population, Index n, const std::vector<double>& levels) {
  constexpr Index simulations = 10000;
  const auto size = static_cast<Index>(population.size());
  Random random(static_cast<std::uint64_t>(n));
  std::vector<double> calibration(static_cast<std::size_t>(n));
  std::vector<Coverages> all(levels.size(), Coverages{n, 0, {}});
  for (Index simulation = 0; simulation < simulations; ++simulation) {
    for (double& score : calibration) score = population[static_cast<std::size_t>(random.below(size))];
    const ScoreDistribution distribution(calibration);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const auto covered =
          std::upper_bound(population.begin(), population.end(), distribution.quantile(levels[level])) - population.begin();
      all[level].rank = distribution.rank(levels[level]);
      all[level].drawn.push_back(static_cast<double>(covered) / static_cast<double>(size));
    }
  }
  return all;
}

class Validity : public ::testing::TestWithParam<Listed<Transform>> {};

// All classes, three sizes, two levels: with 1e-5 for each, the probability of a false alarm is below 1e-3 in all. A rank off by
// one fails.
TEST_P(Validity, CoverageFollowsItsBetaDistribution) {
  const auto transform = transforms().make(GetParam().example);
  const auto population = conformities(*transform, trained(*transform, "mlp", 1), known_rows("cos", 200000, 2));
  for (const Index n : {19, 99, 500})
    for (const Coverages& coverages : draw_coverages(population, n, {0.68, 0.9})) {
      EXPECT_GT(coverages.beta_distribution_p_value(0), 1e-5) << n << " " << coverages.rank;
      EXPECT_LT(coverages.beta_distribution_p_value(-1), 1e-5) << n << " " << coverages.rank;
      EXPECT_LT(coverages.beta_distribution_p_value(1), 1e-5) << n << " " << coverages.rank;
    }
}

INSTANTIATE_TEST_SUITE_P(All, Validity, ::testing::ValuesIn(transforms().entries()),
                         [](const auto& tested) { return tested.param.name; });

// Two sides have one score with one quantile, so the distribution is the same, for every localizer.
TEST(ValidityOfTwoSides, CoverageFollowsItsBetaDistribution) {
  const auto transform = transforms().make("exp");
  for (const auto& entry : localizers().entries()) {
    const auto population = conformities(*transform, trained(*transform, entry.name, 2), known_rows("squared", 200000, 2));
    EXPECT_GT(draw_coverages(population, 99, {0.9}).front().beta_distribution_p_value(0), 1e-5) << entry.name;
  }
}

}  // namespace
}  // namespace taut
