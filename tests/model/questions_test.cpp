// Answers about y are consistent with one another, for every listed part, sides, range and step of the target.
#include <taut/core/random.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>
#include <tests/support/small_models.hpp>

#include <cmath>

namespace taut {
namespace {

using testing::given_options;
using testing::small_table;

using Possible = testing::PossibleTargets;

Table table_of(const Possible& possible) {
  Table table = small_table(120);
  const Index y = table.require("y");
  for (Index row = 0; row < table.rows(); ++row) {
    double& value = table.values(row, y);
    if (possible.step > 0) value = std::round(value / possible.step) * possible.step;
    value = std::clamp(value, possible.minimum, possible.maximum);
  }
  return table;
}

struct Fitted {
  Regressor model;
  Table rows;
  Possible possible;
  std::string what;
};

// All kinds of possible targets for each combination, or one of them in turn.
std::vector<Fitted> fit_all(bool every_kind) {
  std::vector<Fitted> all;
  std::size_t turn = 0;
  for (const auto& phi : transforms().entries()) {
    ++turn;  // otherwise a localizer might get the same kind every time
    for (const auto& localizer : localizers().names())
      for (const char* sides : {"one", "two"}) {
        std::vector<Possible> kinds = {{-infinity, infinity, 0}, {-2, 2, 0}, {-infinity, infinity, 1}, {0, 3, 0.5}};
        if (!every_kind) kinds = {kinds[turn++ % kinds.size()]};
        for (const Possible& possible : kinds) {
          const FitOptions options = given_options(phi, localizer, sides, 2, possible);
          const Table table = table_of(possible);
          Regressor model = Regressor::fit(table, options);
          Table rows = match(table, model.prediction_schema());
          all.push_back({std::move(model), std::move(rows), possible,
                         phi.name + ", " + localizer + ", " + sides + ", from " + print_number(possible.minimum) + ", step " +
                             print_number(possible.step)});
        }
      }
  }
  return all;
}

class QuestionsOfModels : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(OneKindInTurn, QuestionsOfModels, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(EveryKindSlow, QuestionsOfModels, ::testing::Values(true));

const std::vector<Fitted>& fitted_once(bool every_kind) {
  static const std::vector<Fitted> in_turn = fit_all(false);
  if (!every_kind) return in_turn;
  static const std::vector<Fitted> all = fit_all(true);
  return all;
}

// visit(predictive distribution of a row, the possible values, description of the case)
template <class Visit>
void for_each_distribution(bool every_kind, Visit&& visit) {
  for (const Fitted& one : fitted_once(every_kind))
    for (Index row = 0; row < 5; ++row) {
      const auto cells = static_cast<std::size_t>(one.rows.values.cols());
      const PredictedDistribution distribution = one.model.distribution_at({one.rows.values.row(row).data(), cells});
      visit(distribution.distribution(), one.possible, one.what);
    }
}

// The two bounds at c are the interval with equal tails at 1 − 2 (1 − c).
TEST_P(QuestionsOfModels, TwoBoundsAreTheIntervalWithEqualTails) {
  for_each_distribution(GetParam(), [](const PredictiveDistribution& distribution, const Possible&, const std::string& what) {
    for (const double c : {0.6, 0.75, 0.9, 0.95}) {
      const Interval equal = distribution.equal_tailed(1 - 2 * (1 - c));
      EXPECT_EQ(equal.lower, distribution.lower(c)) << what << " " << c;
      EXPECT_EQ(equal.upper, distribution.upper(c)) << what << " " << c;
      EXPECT_LE(equal.lower, equal.upper) << what << " " << c;
    }
  });
}

TEST_P(QuestionsOfModels, QuantilesNeverCrossAndArePossibleValues) {
  for_each_distribution(GetParam(),
                        [](const PredictiveDistribution& distribution, const Possible& possible, const std::string& what) {
                          const TargetRange range(possible.minimum, possible.maximum, possible.step);
                          double before = -infinity;
                          for (int i = 1; i < 100; ++i) {
                            const double q = distribution.quantile(i / 100.0);
                            ASSERT_GE(q, before) << what << " " << i;
                            ASSERT_TRUE(std::isinf(q) || range.is_possible(q)) << what << " " << i << " " << q;
                            before = q;
                          }
                        });
}

TEST_P(QuestionsOfModels, ProbabilitiesIncrease) {
  for_each_distribution(GetParam(), [](const PredictiveDistribution& distribution, const Possible&, const std::string& what) {
    double low = 0, high = 0, value = 0;
    for (double v = -6; v <= 6; v += 0.05) {
      const auto p = distribution.below(v);
      ASSERT_GE(p.value, value) << what << " " << v;
      ASSERT_TRUE(p.low <= p.value && p.value <= p.high) << what << " " << v;
      value = p.value;
      ASSERT_GE(p.low, low) << what << " " << v;
      ASSERT_GE(p.high, high) << what << " " << v;
      low = p.low;
      high = p.high;
    }
  });
}

// By ranks, the interval of P(y <= upper bound at c) contains c or more, and that of P(y < lower bound at c) contains 1 − c or
// less.
TEST_P(QuestionsOfModels, RanksUndoBounds) {
  const double rounding = 1e-12;  // of sums such as 0.3 + 0.6
  for_each_distribution(
      GetParam(), [&](const PredictiveDistribution& distribution, const Possible& possible, const std::string& what) {
        for (int i = 1; i < 20; ++i) {
          const double c = i / 20.0, upper = distribution.upper(c), lower = distribution.lower(c);
          if (std::isfinite(upper) && upper < possible.maximum) {
            EXPECT_GE(distribution.below_by_ranks(upper).high, c - rounding) << what << " " << c;
          }
          if (std::isfinite(lower) && lower > possible.minimum) {
            EXPECT_LE(distribution.below_by_ranks(std::nextafter(lower, -infinity)).low, 1 - c + rounding) << what << " " << c;
          }
        }
      });
}

}  // namespace
}  // namespace taut
