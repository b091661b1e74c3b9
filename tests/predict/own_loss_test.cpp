// A loss of the caller: its checks, and what boosted trees make of it.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/boosting.hpp>
#include <taut/predict/own_loss.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

template <class Slopes>
PointLoss loss_of(Slopes slopes, bool with_value = true) {
  return [slopes, with_value](const LossRows& rows) {
    LossSlopes found;
    for (std::size_t i = 0; i < rows.y.size(); ++i) {
      const auto [gradient, curvature, value] = slopes(rows.prediction[i], rows.y[i]);
      found.gradient.push_back(rows.weight[i] * gradient);
      found.curvature.push_back(rows.weight[i] * curvature);
      if (with_value) found.value.push_back(rows.weight[i] * value);
    }
    return found;
  };
}

struct Three {
  double gradient, curvature, value;
};

Three squared(double f, double y) { return {f - y, 1, (f - y) * (f - y) / 2}; }

// Minimised by the expectile of y at `tau`.
auto expectile_loss(double tau) {
  return [tau](double f, double y) {
    const double weight = y < f ? 1 - tau : tau;
    return Three{weight * (f - y), weight, weight * (f - y) * (f - y) / 2};
  };
}

// Minimised by the p-quantile. The second derivative is 0; 1 is the upper bound that sets the size of steps.
auto pinball_loss(double p) {
  return [p](double f, double y) { return Three{y < f ? 1 - p : -p, 1, std::max(p * (y - f), (p - 1) * (y - f))}; };
}

constexpr Index n_groups = 4;

// y of four groups of rows: group number · 3 + noise that is skewed to the right.
struct Sample {
  MatrixF x;
  std::vector<double> y;

  std::vector<double> of_group(Index group) const {
    std::vector<double> own;
    for (Index i = 0; i < x.rows(); ++i)
      if (static_cast<Index>(x(i, 0)) == group) own.push_back(y[static_cast<std::size_t>(i)]);
    std::sort(own.begin(), own.end());
    return own;
  }
};

Sample sample(Index rows, std::uint64_t seed = 1, double unit = 1) {
  Random random(seed);
  Sample s{MatrixF(rows, 1), {}};
  for (Index i = 0; i < rows; ++i) {
    const Index group = random.below(n_groups);
    s.x(i, 0) = static_cast<float>(group);
    s.y.push_back(unit * (3 * static_cast<double>(group) - std::log(1 - random.uniform())));
  }
  return s;
}

// f of every group, in units of the target.
std::vector<double> fitted(const Sample& s, const PointLoss& loss, int threads = 1) {
  const StandardUnits units = StandardUnits::of(s.y);
  const OwnTarget target{loss, units, s.y};
  PredictorSettings settings;
  settings.own = &target;
  settings.effort = SearchEffort::quick;
  std::vector<double> standard = s.y;
  for (double& value : standard) value = units.standard(value);
  const auto predictor = predictors().make("boost");
  predictor->fit(s.x, all_rows(s.x.rows()), standard, settings, ExecutionContext{.threads = threads});
  MatrixF groups(n_groups, 1);
  for (Index g = 0; g < n_groups; ++g) groups(g, 0) = static_cast<float>(g);
  std::vector<double> f(n_groups);
  predictor->predict(groups, f, threads);
  for (double& value : f) value = units.value(value);
  return f;
}

std::string error_of(const PointLoss& loss) {
  try {
    check_loss(loss, sample(500).y, {});
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_words(const std::string& error, const std::vector<std::string>& words) {
  for (const std::string& one : words) EXPECT_NE(error.find(one), std::string::npos) << "no '" << one << "' in: " << error;
}

struct SquaredError {
  static constexpr bool sets_leaves = false;
  static double value(double error) { return error * error / 2; }
  static std::pair<double, double> slopes(double error) { return {error, 1}; }
};

TEST(OwnLoss, SquaredErrorsGiveTheTreesOfTheBuiltInBooster) {
  const Sample s = sample(1000);
  const StandardUnits units = StandardUnits::of(s.y);
  std::vector<double> standard = s.y;
  for (double& value : standard) value = units.standard(value);
  double centre = 0;
  for (const double value : standard) centre += value / static_cast<double>(standard.size());
  PredictorSettings settings;
  settings.effort = SearchEffort::quick;
  const auto trials = boosting_trials(s.x.rows(), settings, 1);
  const auto known =
      boosted_forest(SquaredError(), s.x, all_rows(s.x.rows()), standard, centre, trials, 0, ExecutionContext{.threads = 1});
  for (const bool with_value : {true, false}) {  // without values the trapezoidal rule is exact
    const PointLoss loss = loss_of(squared, with_value);
    const OwnLoss own(OwnTarget{loss, units, s.y});
    EXPECT_NEAR(units.standard(own.start()), centre, 1e-9);
    const auto found = boosted_forest(own, s.x, all_rows(s.x.rows()), s.y, 0, trials, 0, ExecutionContext{.threads = 1});
    ASSERT_EQ(found.forest.trees(), known.forest.trees());
    Matrix a(s.x.rows(), 1), b(s.x.rows(), 1);
    found.forest.evaluate(s.x, a, 1);
    known.forest.evaluate(s.x, b, 1);
    EXPECT_LT((a - b).cwiseAbs().maxCoeff(), 1e-5);
  }
}

// The expectile of sorted values: the mean of the excess above it is (1 − tau) / tau of that below.
double expectile(const std::vector<double>& y, double tau) {
  double low = y.front(), high = y.back();
  for (int step = 0; step < 100; ++step) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const double value : y) sum += (value < middle ? 1 - tau : tau) * (middle - value);
    (sum > 0 ? high : low) = middle;
  }
  return low;
}

TEST(OwnLoss, AsymmetricLossesGiveExpectilesAndQuantilesOfEveryGroup) {
  const Sample s = sample(4000);
  for (const double level : {0.2, 0.9}) {
    const auto expectiles = fitted(s, loss_of(expectile_loss(level)));
    const auto quantiles = fitted(s, loss_of(pinball_loss(level)));
    const auto without_values = fitted(s, loss_of(pinball_loss(level), false));
    for (Index g = 0; g < n_groups; ++g) {
      const auto own = s.of_group(g);
      const auto at = static_cast<std::size_t>(g);
      // Standard errors: about 0.03 for the expectiles, 0.1 for the 0.9-quantile; early stopping adds to them.
      EXPECT_NEAR(expectiles[at], expectile(own, level), 0.1) << level << " " << g;
      const double quantile = own[static_cast<std::size_t>(level * static_cast<double>(own.size()))];
      EXPECT_NEAR(quantiles[at], quantile, 0.3) << level << " " << g;
      EXPECT_NEAR(without_values[at], quantile, 0.3) << level << " " << g;
    }
  }
}

TEST(OwnLoss, UnitsOfLossAndTargetChangeNothing) {
  const Sample s = sample(600), larger = sample(600, 1, 1024);
  const auto plain = fitted(s, loss_of(squared));
  const auto scaled = fitted(s, [](const LossRows& rows) {
    LossSlopes found = loss_of(squared)(rows);
    for (auto* values : {&found.gradient, &found.curvature, &found.value})
      for (double& value : *values) value *= 4096;
    return found;
  });
  EXPECT_EQ(plain, scaled);  // a power of two: to the last bit
  const auto of_larger = fitted(larger, loss_of(squared));
  for (std::size_t g = 0; g < plain.size(); ++g) EXPECT_DOUBLE_EQ(of_larger[g], 1024 * plain[g]);
}

TEST(OwnLoss, SameBitsForAnyNumberOfThreads) {
  const Sample s = sample(600);
  EXPECT_EQ(fitted(s, loss_of(expectile_loss(0.8)), 1), fitted(s, loss_of(expectile_loss(0.8)), 3));
}

TEST(OwnLoss, GetsTheTargetsToTheLastBit) {
  const Sample s = sample(200);
  const auto known = [&](double y) { return std::find(s.y.begin(), s.y.end(), y) != s.y.end(); };
  bool all_known = true;
  fitted(s, [&](const LossRows& rows) {
    for (const double y : rows.y) all_known = all_known && known(y);
    return loss_of(squared)(rows);
  });
  EXPECT_TRUE(all_known);
}

TEST(OwnLoss, GoodLossesPassTheCheck) {
  EXPECT_EQ(error_of(loss_of(squared)), "");
  EXPECT_EQ(error_of(loss_of(expectile_loss(0.9))), "");
  EXPECT_EQ(error_of(loss_of(pinball_loss(0.05))), "");
  // The pseudo-Huber loss with the curvature of the parabola that touches it from above.
  EXPECT_EQ(error_of(loss_of([](double f, double y) {
              const auto [gradient, curvature] = PseudoHuberLoss::slopes(f - y);
              return Three{gradient, curvature, 0.25 * PseudoHuberLoss::value(f - y)};
            })),
            "");
}

TEST(OwnLoss, WrongDerivativesAreRefusedWithThePoint) {
  expect_words(error_of(loss_of([](double f, double y) {
                 return Three{f - y, 0.5, (f - y) * (f - y) / 2};
               })),
               {"at prediction", "the curvature is 0.5", "changes by 1 "});
  expect_words(error_of(loss_of([](double f, double y) {
                 return Three{2 * (f - y), 2, (f - y) * (f - y) / 2};
               })),
               {"the gradient is", "the loss changes by"});
  expect_words(error_of(loss_of([](double f, double y) { return Three{y - f, 1, 0}; }, false)), {"sign reversed"});
  expect_words(error_of(loss_of([](double f, double y) {
                 return Three{f < y ? -1.0 : 1.0, 0, std::abs(f - y)};
               })),
               {"upper bound"});
}

TEST(OwnLoss, ResultsOfAnotherLengthAndNumbersThatAreNotFiniteAreRefused) {
  expect_words(error_of([](const LossRows& rows) {
                 LossSlopes found = loss_of(squared)(rows);
                 found.curvature.pop_back();
                 return found;
               }),
               {"expected one curvature for each of", "got"});
  expect_words(error_of(loss_of([](double f, double y) { return Three{std::sqrt(f - y), 1, 0}; })), {"gradient is", "finite"});
  // During training, with the row's numbers.
  const Sample s = sample(300);
  int calls = 0;
  EXPECT_THROW(fitted(s,
                      [&](const LossRows& rows) {
                        LossSlopes found = loss_of(squared)(rows);
                        if (++calls > 10) found.gradient.front() = std::numeric_limits<double>::quiet_NaN();
                        return found;
                      }),
               Error);
}

TEST(OwnLoss, ExceptionsOfTheCallerArriveUnchanged) {
  struct Mine {};
  EXPECT_THROW(fitted(sample(300), [](const LossRows&) -> LossSlopes { throw Mine(); }), Mine);
}

}  // namespace
}  // namespace taut
