// `curve` from the fit to the file: its centre, skew and shape depend on x.
#include <taut/core/error.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace taut {
namespace {

const std::vector<double> levels = {0.68, 0.9, 0.95};

// y = x + noise of mean 0, skewed for x > 0 and uniform elsewhere. Its mean size is the same for every x and scaled by z. f is
// given.
constexpr double half_of_uniform = 1.4715177646857693;  // 4 / e: the mean size of both is 2 / e

double noise_at(double x, Random& random) {
  const double u = random.uniform();
  return x > 0 ? -std::log(1 - u) - 1 : half_of_uniform * (2 * u - 1);
}

Table skewed_table(Index rows, std::uint64_t seed) {
  Table table;
  for (const char* name : {"x", "z", "f", "y"}) table.columns.push_back({name});
  table.values.resize(rows, 4);
  Random random(seed);
  for (Index i = 0; i < rows; ++i) {
    const double x = random.uniform(-1, 1), z = random.uniform();
    table.values.row(i) << x, z, x, x + (0.5 + z) * noise_at(x, random);
  }
  return table;
}

FitOptions options_of(const std::string& transform) {
  FitOptions options;
  options.target = "y";
  options.prediction = "f";
  options.split = "cross";
  options.transform = transform;
  return options;
}

// P(y in the interval given x, z), exactly.
double coverage_at(double x, double z, const Interval& interval) {
  const auto cdf = [&](double y) {
    const double t = (y - x) / (0.5 + z);
    if (x > 0) return t < -1 ? 0 : 1 - std::exp(-1 - t);
    return std::clamp(0.5 + 0.5 * t / half_of_uniform, 0.0, 1.0);
  };
  return cdf(interval.upper) - cdf(interval.lower);
}

struct Quality {
  double score = 0, misses = 0;  // interval score, and mean distance of the coverage given x from the level
};

Quality quality_of(const Regressor& model, const Table& rows, std::size_t level) {
  const Predicted predicted = model.predict_interval(rows, levels);
  Quality result;
  for (Index i = 0; i < rows.rows(); ++i) {
    const Interval& own = predicted.at(i, level);
    const double y = rows.values(i, 3), penalty = 2 / (1 - levels[level]), n = static_cast<double>(rows.rows());
    result.score += (own.width() + penalty * (std::max(0.0, own.lower - y) + std::max(0.0, y - own.upper))) / n;
    result.misses += std::abs(coverage_at(rows.values(i, 0), rows.values(i, 1), own) - levels[level]) / n;
  }
  return result;
}

TEST(Curve, FindsAShapeThatAScaleCannotSeeSlow) {
  const Table train = skewed_table(3000, 1), fresh = skewed_table(4000, 2);
  FitOptions options = options_of("curve"), of_scale = options_of("exp");
  options.sides = of_scale.sides = "one";
  const Regressor curve = Regressor::fit(train, options), scale = Regressor::fit(train, of_scale);
  ASSERT_EQ(curve.transform_name(), "curve");
  ASSERT_EQ(scale.transform_name(), "exp");
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const Quality with = quality_of(curve, fresh, level), without = quality_of(scale, fresh, level);
    EXPECT_LT(with.score, (levels[level] < 0.9 ? 1 : 0.97) * without.score) << levels[level];
    EXPECT_LT(with.misses, levels[level] < 0.9 ? 0.07 : 0.05) << levels[level];
    // At 0.9 the residuals of both shapes happen to have the same quantile.
    if (levels[level] != 0.9) {
      EXPECT_LT(with.misses, 0.85 * without.misses) << levels[level];
    }
  }
  EXPECT_EQ(curve.predict(fresh), scale.predict(fresh)) << "the prediction is still f";
  const Index params = curve.transform().n_params();
  EXPECT_EQ(params, 4);
  EXPECT_EQ(curve.log_scales(fresh).cols(), 0) << "the curve has no single scale";
}

TEST(Curve, IsListedBesideItsBaseScale) {
  const Regressor model = Regressor::fit(skewed_table(1500, 1), options_of("curve"));
  const auto& candidates = model.record().candidates;
  const CandidateRecord& last = candidates.back();
  EXPECT_TRUE(last.kept);
  EXPECT_EQ(last.transform, "curve");
  EXPECT_GT(last.standard_error, 0);
  Index kept = 0;
  for (const auto& candidate : candidates) {
    kept += candidate.kept ? 1 : 0;
    if (candidate.name + ", curve" == last.name) {
      EXPECT_LT(last.validation_loss, candidate.validation_loss);
    }
  }
  EXPECT_EQ(kept, 1);
}

// For widths and for a single level the scale itself is the right model.
TEST(Curve, IsNotTriedForWidthsOrOneLevel) {
  const Table train = skewed_table(400, 1);
  for (const char* objective : {"size", "pinball:0.9", "level:0.9", "power:1"}) {
    FitOptions options = options_of("curve");
    options.objective = objective;
    options.epochs = 5;
    EXPECT_FALSE(options.tries_shape()) << objective;
    EXPECT_NE(Regressor::fit(train, options).transform_name(), "curve") << objective;
  }
  FitOptions options = options_of("curve");
  options.focus = 0.9;
  EXPECT_FALSE(options.tries_shape());
  options.focus = 0;
  for (const char* objective : {"", "conditional", "sidewise", "power:0.5"}) {
    options.objective = objective;
    EXPECT_TRUE(options.tries_shape()) << objective;
  }
  options.localizer = "mlp";
  EXPECT_FALSE(options.tries_shape());
}

TEST(Curve, SameBitsForAnyNumberOfThreadsFromAFileAndRowByRow) {
  const Table train = skewed_table(1200, 3), fresh = skewed_table(300, 4);
  FitOptions options = options_of("curve");
  const Regressor one = Regressor::fit(train, options, {.threads = 1}), many = Regressor::fit(train, options, {.threads = 4});
  ASSERT_EQ(one.transform_name(), "curve");
  EXPECT_EQ(one.to_bytes(), many.to_bytes());
  const Regressor back = Regressor::from_bytes(one.to_bytes());
  const Predicted was = one.predict_interval(fresh, levels, {.threads = 1}),
                  is = back.predict_interval(fresh, levels, {.threads = 3});
  ASSERT_EQ(was.intervals.size(), is.intervals.size());
  EXPECT_EQ(std::memcmp(was.intervals.data(), is.intervals.data(), was.intervals.size() * sizeof(Interval)), 0);
  for (Index i = 0; i < fresh.rows(); ++i) {
    const std::vector<double> row = {fresh.values(i, 0), fresh.values(i, 1), fresh.values(i, 2)};
    std::vector<Interval> own(levels.size());
    EXPECT_EQ(one.predict_row(row, levels, own), fresh.values(i, 2));
    EXPECT_EQ(own[1].lower, was.at(i, 1).lower);
    EXPECT_EQ(own[1].upper, was.at(i, 1).upper);
    EXPECT_EQ(one.distribution_at(row).prediction(), fresh.values(i, 2));
    EXPECT_EQ(one.distribution_at(row).interval(0.9).upper, was.at(i, 1).upper);
  }
}

// A negated target swaps the ends if trees do not see f, which would be negated too, and have no separate scale for each side.
TEST(Curve, FollowsTheUnitAndTheZeroOfTheTargetSlow) {
  const Table train = skewed_table(1200, 5), fresh = skewed_table(200, 6);
  for (const bool turned : {false, true}) {
    FitOptions options = options_of("curve");
    options.effort = "quick";
    if (turned) {
      options.see_prediction = "no";
      options.sides = "one";
    }
    const Predicted was = Regressor::fit(train, options).predict_interval(fresh, levels);
    for (const auto& [size, d] : {std::pair{1e6, 0.0}, {0.001, 5.0}}) {
      const double c = turned ? -size : size;
      Table moved = train, fresh_moved = fresh;
      for (Table* table : {&moved, &fresh_moved})
        for (const Index column : {2, 3}) table->values.col(column) = (table->values.col(column).array() * c + d).matrix();
      const Regressor model = Regressor::fit(moved, options);
      EXPECT_EQ(model.transform_name(), "curve");
      const Predicted is = model.predict_interval(fresh_moved, levels);
      for (std::size_t i = 0; i < is.intervals.size(); ++i) {
        const double lower = c * was.intervals[i].lower + d, upper = c * was.intervals[i].upper + d;
        ASSERT_NEAR(is.intervals[i].lower, std::min(lower, upper), 1e-4 * size) << c;
        ASSERT_NEAR(is.intervals[i].upper, std::max(lower, upper), 1e-4 * size) << c;
      }
    }
  }
}

TEST(Curve, UsesAConstantBaseScaleWhereNoneIsBetter) {
  Table train = skewed_table(3000, 7);
  Random random(8);
  for (Index i = 0; i < train.rows(); ++i) {  // the same scale everywhere
    const double x = train.values(i, 0);
    train.values(i, 3) = x + noise_at(x, random);
  }
  FitOptions options = options_of("curve");
  options.sides = "one";
  const Regressor model = Regressor::from_bytes(Regressor::fit(train, options).to_bytes());
  EXPECT_EQ(model.transform_name(), "curve");
  EXPECT_FALSE(model.record().fell_back);
}

}  // namespace
}  // namespace taut
