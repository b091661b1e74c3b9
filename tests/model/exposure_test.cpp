// --exposure in whole models: claims in policies of different lengths.
#include <taut/core/beta.hpp>
#include <taut/core/error.hpp>
#include <taut/model/parts.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {
namespace {

Index poisson(double mean, Random& random) {
  double product = random.uniform();
  Index count = 0;
  for (const double bound = std::exp(-mean); product > bound; ++count) product *= random.uniform();
  return count;
}

// Rates from 5 to 15 and exposures from 0.05 to 5.
Table claims(Index rows, std::uint64_t seed, double factor = 1) {
  Random random(seed);
  std::vector<double> a, b, years, count;
  for (Index i = 0; i < rows; ++i) {
    a.push_back(random.uniform());
    b.push_back(random.uniform());
    years.push_back(factor * std::exp(random.uniform(std::log(0.05), std::log(5.0))));
    count.push_back(static_cast<double>(poisson((5 + 10 * a.back()) * years.back() / factor, random)));
  }
  TableView view("claims", rows);
  view.add({"a"}, a);
  view.add({"b"}, b);
  view.add({"years"}, years);
  view.add({"count"}, count);
  return view.copy();
}

FitOptions exposure_options(const std::string& predictor) {
  FitOptions options;
  options.target = "count";
  options.exposure = "years";
  options.predictor = predictor;
  options.epochs = 60;
  options.y_min = 0;
  options.seed = 2;
  return options;
}

// Given the calibration rows, the number of covered rows is Beta-binomial; all bands together fail once in 10,000.
TEST(Exposure, CoverageFollowsItsDistribution) {
  const Regressor model = Regressor::fit(claims(900, 1), exposure_options("linear"), {.threads = 2});
  const Table fresh = claims(3000, 2);
  const std::vector<double> levels = {0.5, 0.8, 0.9, 0.95};
  const auto evaluation = model.evaluate(fresh, levels);
  for (const LevelReport& level : evaluation.levels) {
    EXPECT_GE(level.metric("coverage"), level.metric("coverage_low")) << level.confidence;
    EXPECT_LE(level.metric("coverage"), level.metric("coverage_high")) << level.confidence;
  }
  EXPECT_FALSE(find_column(model.input_schema(), "years").has_value());
  EXPECT_TRUE(find_column(model.prediction_schema(), "years").has_value());
}

// The sum of predictions is the number of claims: f is a mean, although most short policies have none.
TEST(Exposure, PredictionsAddUp) {
  for (const std::string predictor : {"boost", "symmetric", "linear"}) {
    const Regressor model = Regressor::fit(claims(2000, 3), exposure_options(predictor), {.threads = 2});
    const Table fresh = claims(4000, 4);
    const auto f = model.predict(fresh);
    const auto y = numbers_of(fresh, "count", all_rows(4000), "target");
    double expected = 0, found = 0;
    for (std::size_t i = 0; i < y.size(); ++i) expected += y[i], found += f[i];
    EXPECT_NEAR(found / expected, 1, 0.05) << predictor;
  }
}

// Days instead of years change nothing but the unit of the rate.
TEST(Exposure, HasNoUnit) {
  const Regressor years = Regressor::fit(claims(300, 5), exposure_options("linear")),
                  days = Regressor::fit(claims(300, 5, 256), exposure_options("linear"));
  const std::vector<double> levels = {0.8};
  const auto a = years.predict_interval(claims(20, 6), levels), b = days.predict_interval(claims(20, 6, 256), levels);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_NEAR(a.prediction[i], b.prediction[i], 1e-6 * (1 + std::abs(a.prediction[i])));
    EXPECT_NEAR(a.intervals[i].upper, b.intervals[i].upper, 1e-4 * (1 + a.intervals[i].upper));
  }
}

TEST(Exposure, OneRowIsTheRowOfATable) {
  const Regressor model = Regressor::fit(claims(300, 7), exposure_options("boost"));
  const Regressor loaded = Regressor::from_bytes(model.to_bytes());
  const Table fresh = claims(10, 8);
  const std::vector<double> levels = {0.5, 0.9};
  const auto all = model.predict_interval(fresh, levels);
  EXPECT_EQ(loaded.predict(fresh), model.predict(fresh));
  for (Index row = 0; row < 10; ++row) {
    const std::vector<double> cells = {fresh.values(row, 0), fresh.values(row, 1), fresh.values(row, 2)};
    std::vector<Interval> own(2);
    EXPECT_EQ(loaded.predict_row(cells, levels, own), all.prediction[static_cast<std::size_t>(row)]);
    for (std::size_t level = 0; level < 2; ++level) {
      EXPECT_EQ(own[level].lower, all.at(row, level).lower);
      EXPECT_EQ(own[level].upper, all.at(row, level).upper);
    }
    EXPECT_EQ(loaded.distribution_at(cells).interval(0.9).upper, all.at(row, 1).upper);
  }
  std::vector<Interval> own(2);
  EXPECT_THROW(loaded.predict_row(std::vector<double>{0.1, 0.2, 0}, levels, own), Error);
  EXPECT_THROW(loaded.predict_row(std::vector<double>{0.1, 0.2}, levels, own), Error);
}

// The scale of a score is in units of √exposure: the same rate in four times the time has twice the width with constant width.
TEST(Exposure, WidthsGrowWithTheRoot) {
  FitOptions options = exposure_options("linear");
  options.y_min = -infinity;
  options.transform = "fixed";
  const Regressor model = Regressor::fit(claims(300, 9), options);
  TableView rows("rows", 2);
  rows.add({"a"}, {0.5, 0.5});
  rows.add({"b"}, {0.5, 0.5});
  rows.add({"years"}, {1, 4});
  const auto found = model.predict_interval(rows, std::vector{0.9});
  EXPECT_NEAR(found.intervals[1].width(), 2 * found.intervals[0].width(), 1e-9 * found.intervals[1].width());
  EXPECT_NEAR(found.prediction[1], 4 * found.prediction[0], 1e-9 * found.prediction[1]);
}

TEST(Exposure, ModelsOfCvPlusAndWeightsTakeIt) {
  FitOptions options = exposure_options("linear");
  options.split = "cv+:5";
  const Regressor held_out = Regressor::fit(claims(60, 10), options);
  EXPECT_EQ(held_out.predict_interval(claims(5, 11), std::vector{0.8}).intervals.size(), 5U);
  options.split = "";
  const Table rows = claims(200, 12);
  TableView table(rows);
  Random random(1);
  std::vector<double> weights;
  for (Index i = 0; i < 200; ++i) weights.push_back(random.uniform(0, 2));
  table.add({"w"}, weights);
  options.sample_weight = "w";
  const Regressor weighted = Regressor::fit(table, options);
  options.sample_weight = "";
  options.drop = {"w"};
  EXPECT_NE(weighted.predict(claims(5, 11)), Regressor::fit(table, options).predict(claims(5, 11)));
}

}  // namespace
}  // namespace taut
