// CV+ and jackknife+: intervals equal those of the formula with models that are fitted one by one. Whatever needs a predictive
// distribution is refused.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/data/split.hpp>
#include <taut/model/held_out.hpp>
#include <taut/task/number/number_task.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace taut {
namespace {

// The noise is larger where x0 is positive; the third column has three categories.
Table small_rows(Index rows, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> a, b, c, y;
  for (Index i = 0; i < rows; ++i) {
    a.push_back(random.normal());
    b.push_back(random.normal());
    c.push_back(static_cast<double>(random.below(3)));
    y.push_back(a.back() + 0.5 * b.back() + (c.back() == 1 ? 1 : 0) + (a.back() > 0 ? 1.5 : 0.5) * random.normal());
  }
  TableView view("small rows", rows);
  view.add({"a"}, a);
  view.add({"b"}, b);
  Column category{"c", ColumnKind::category};
  category.categories = {"u", "v", "w"};
  view.add(category, c);
  view.add({"y"}, y);
  return view.copy();
}

FitOptions options_of(const std::string& split, const std::string& predictor = "linear") {
  FitOptions options;
  options.target = "y";
  options.predictor = predictor;
  options.split = split;
  options.seed = 5;
  return options;
}

// The formula of Barber et al. with the models in `held_out`, by plain sorting of distances to each prediction.
TEST(HeldOut, IntervalsAreThoseOfTheFormula) {
  const Table rows = small_rows(57, 1), fresh = small_rows(40, 2);
  for (const std::string split : {"cv+:5", "cv+", "jackknife+"}) {
    FitOptions options = options_of(split);
    options.transform = "fixed";
    const Regressor model = Regressor::fit(rows, options);
    const auto& models = model.parts().held_out;
    ASSERT_EQ(std::ssize(models), split == "cv+:5" ? 5 : split == "cv+" ? 10 : 57);
    ASSERT_EQ(model.calibration_rows(), 57);
    const std::vector<double> levels = {0.5, 0.8, 0.9, 0.95, 0.999};
    const Predicted found = model.predict_interval(fresh, levels);
    std::vector<std::vector<double>> predictions;
    for (const auto& part : models) predictions.push_back(see_numbers(*part, fresh, 1).predicted.f());
    for (Index row = 0; row < 40; ++row) {
      std::vector<double> lower, upper;
      for (std::size_t m = 0; m < models.size(); ++m)
        for (const double residual : models[m]->distribution.scores()) {
          const double f = predictions[m][static_cast<std::size_t>(row)], reach = residual * number_task(*models[m]).score.unit();
          lower.push_back(f - reach);
          upper.push_back(f + reach);
        }
      std::sort(lower.begin(), lower.end(), std::greater<>());
      std::sort(upper.begin(), upper.end());
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const Index k = exact_rank(57, levels[level]);
        const Interval& interval = found.at(row, level);
        if (k > 57) {
          EXPECT_EQ(interval.lower, -infinity);
          EXPECT_EQ(interval.upper, infinity);
          continue;
        }
        // Ends may be rounded outward, never inward.
        EXPECT_NEAR(interval.lower, lower[static_cast<std::size_t>(k - 1)], 1e-12);
        EXPECT_NEAR(interval.upper, upper[static_cast<std::size_t>(k - 1)], 1e-12);
      }
    }
  }
}

// Each model has the bits of a fit that never saw its fold.
TEST(HeldOut, NoModelHasSeenItsPart) {
  const Table rows = small_rows(40, 3);
  const Regressor model = Regressor::fit(rows, options_of("cv+:4", "stack"));
  // If targets in the fold of the first model change, that model stays as it is while the others change.
  const Rows order = shuffled(40, 5);
  Table other = rows;
  for (Index i = 0; i < 10; ++i) other.values(order[static_cast<std::size_t>(i)], 3) += 3;
  const Regressor changed = Regressor::fit(other, options_of("cv+:4", "stack"));
  const Table fresh = small_rows(30, 4);
  const auto prediction_of = [&](const Regressor& of, std::size_t part) {
    const ModelParts& parts = *of.parts().held_out[part];
    return see_numbers(parts, fresh, 1).predicted.f();
  };
  EXPECT_EQ(prediction_of(model, 0), prediction_of(changed, 0));
  for (const std::size_t part : {1, 2, 3}) EXPECT_NE(prediction_of(model, part), prediction_of(changed, part));
}

TEST(HeldOut, IntervalsAreNestedAndTheSameFromAFileAndRowByRow) {
  const Table rows = small_rows(50, 6), fresh = small_rows(25, 7);
  FitOptions options = options_of("cv+", "boost");
  options.effort = "quick";
  const Regressor model = Regressor::fit(rows, options);
  const Regressor read = Regressor::from_bytes(model.to_bytes());
  EXPECT_EQ(read.to_bytes(), model.to_bytes());
  EXPECT_EQ(read.calibration_kind(), "cv+");
  const std::vector<double> levels = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95};
  ExecutionContext alone;
  alone.threads = 1;
  const Predicted found = model.predict_interval(fresh, levels), again = read.predict_interval(fresh, levels, alone);
  for (Index row = 0; row < 25; ++row) {
    std::vector<double> cells(3);
    TableView(fresh).matched(read.prediction_schema()).copy_row(row, cells.data());
    std::vector<Interval> own(levels.size());
    read.predict_row(cells, levels, own);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const Interval& interval = found.at(row, level);
      EXPECT_EQ(interval.lower, again.at(row, level).lower);
      EXPECT_EQ(interval.upper, again.at(row, level).upper);
      EXPECT_EQ(interval.lower, own[level].lower);
      EXPECT_EQ(interval.upper, own[level].upper);
      EXPECT_LE(interval.lower, interval.upper);
      if (level > 0) {
        EXPECT_LE(interval.lower, found.at(row, level - 1).lower);
        EXPECT_GE(interval.upper, found.at(row, level - 1).upper);
      }
    }
  }
}

// Means over many tables of 30 rows: coverage is near the level, far above the guaranteed lower bound. Split conformal on the
// same rows gives wider intervals.
TEST(HeldOut, CoverageIsAboutTheLevelAndIntervalsAreNarrowerThanOfASplit) {
  double covered = 0, width = 0, width_of_split = 0;
  constexpr int tables = 60;
  for (int table = 0; table < tables; ++table) {
    const auto seed = static_cast<std::uint64_t>(100 + table);
    const Table rows = small_rows(30, seed), fresh = small_rows(100, 1000 + seed);
    const std::vector<double> levels = {0.9};
    FitOptions held_out = options_of("cv+"), cut = options_of("cross");
    held_out.transform = cut.transform = "fixed";
    const Evaluation cross = Regressor::fit(rows, held_out).evaluate(fresh, levels);
    const Evaluation split = Regressor::fit(rows, cut).evaluate(fresh, levels);
    covered += cross.levels[0].metric("coverage") / tables;
    width += cross.levels[0].metric("mean_width") / tables;
    width_of_split += split.levels[0].metric("mean_width") / tables;
    EXPECT_NEAR(cross.levels[0].delivered, 2 * 0.9 - 1 - (1 - 10.0 / 30) / 11, 1e-12);
  }
  EXPECT_GT(covered, 0.87);
  EXPECT_LT(covered, 0.95);
  EXPECT_LT(width, width_of_split);
}

TEST(HeldOut, WhatIsPromisedAtWorst) {
  EXPECT_NEAR(coverage_held_out(50, 50, 0.9), 0.8, 1e-15);               // jackknife+: 1 − 2α
  EXPECT_NEAR(coverage_held_out(1000, 2, 0.9), 0.8 - 1.0 / 501, 1e-15);  // few large folds: the first term
  EXPECT_NEAR(coverage_held_out(40, 10, 0.9), 0.8 - 0.75 / 11, 1e-15);   // many small ones: the second
  EXPECT_EQ(coverage_held_out(40, 10, 0.3), 0);
}

TEST(HeldOut, WhatNeedsADistributionIsRefusedWithAMessage) {
  const Table rows = small_rows(40, 8);
  Regressor model = Regressor::fit(rows, options_of("cv+:4"));
  EXPECT_THROW(model.calibrate(rows), UsageError);
  EXPECT_THROW(model.distribution_at(std::vector<double>{0, 0, 0}), UsageError);
  EXPECT_THROW(model.begin_drift_check(), UsageError);
  EXPECT_THROW(model.predict_interval(rows, std::vector{0.9}, {}, 1), UsageError);
  for (const auto& entry : questions().entries()) {
    std::vector<std::unique_ptr<Question>> asked;
    asked.push_back(questions().make(entry.example));
    if (entry.name == "interval")
      EXPECT_EQ(model.ask(rows, asked).values.cols(), 2);
    else
      EXPECT_THROW(model.ask(rows, asked), UsageError) << entry.name;
  }
  for (const char* split : {"cv+:1", "cv+:x", "cv+5", "cv+:2.5"})
    EXPECT_THROW(Regressor::fit(rows, options_of(split)), UsageError) << split;
  FitOptions grouped = options_of("cv+");
  grouped.by = {"c"};
  EXPECT_THROW(Regressor::fit(rows, grouped), UsageError);
  EXPECT_THROW(Regressor::fit(rows, options_of("cv+"), {}, TableView(rows)), UsageError);
  EXPECT_THROW(Regressor::fit(small_rows(5, 1), options_of("jackknife+")), Error);
}

}  // namespace
}  // namespace taut
