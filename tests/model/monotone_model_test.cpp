// --increasing and --decreasing: f, quantiles and ends never turn back, whatever the other options; what cannot hold is refused.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/assemble.hpp>
#include <taut/task/number/number_task.hpp>
#include <tests/support/monotone_pairs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>

namespace taut {
namespace {

using testing::monotone_pairs;
using testing::turned_back;

// y rises with `a` and falls with `b`, on average, but not at every place, and its noise depends on both. `k` is a category. One
// cell in twenty of the other columns is missing.
Table direction_rows(Index rows, std::uint64_t seed) {
  Table table{.source = "rows",
              .columns = {{"a"}, {"b"}, {"c"}, {"k", ColumnKind::category, {"u", "v", "w"}}, {"y"}},
              .values = Matrix(rows, 5),
              .lines = {}};
  Random random(seed);
  for (Index i = 0; i < rows; ++i) {
    const double a = random.normal(), b = random.uniform(0, 3), c = random.normal();
    const auto k = static_cast<double>(random.below(3));
    const double f = 4 + a + std::sin(4 * a) - b + 0.5 * c + (k == 1 ? a : 0);
    table.values.row(i) << a, b, random.uniform() < 0.05 ? missing : c, random.uniform() < 0.05 ? missing : k,
        std::exp(f / 4) + (0.2 + 0.2 * std::abs(a) + 0.1 * std::abs(c)) * random.normal();
  }
  return table;
}

FitOptions direction_options() {
  FitOptions options;
  options.target = "y";
  options.increasing = {"a"};
  options.decreasing = {"b"};
  options.predictor = "boost";
  options.effort = "quick";
  options.epochs = 20;
  return options;
}

struct DirectionCase {
  const char* name;
  std::function<void(FitOptions&)> change;
};

struct MonotoneModel : ::testing::TestWithParam<DirectionCase> {};

TEST_P(MonotoneModel, NeverTurnsBack) {
  FitOptions options = direction_options();
  GetParam().change(options);
  const Table table = direction_rows(600, 1);
  const Regressor model = Regressor::fit(table, options);
  const auto pairs = monotone_pairs(direction_rows(2000, 2), options.increasing, options.decreasing, 8000, 3);
  const auto turned = turned_back(model, pairs, !options.holds_out());
  EXPECT_EQ(turned.pairs, 0);
  EXPECT_GT(turned.moved, 4000);
}

const std::vector<DirectionCase> direction_cases = {
    {"Plain", [](FitOptions&) {}},
    {"Symmetric", [](FitOptions& o) { o.predictor = "symmetric"; }},
    {"Linear", [](FitOptions& o) { o.predictor = "linear"; }},
    {"StackOfLogTarget", [](FitOptions& o) { o.predictor = "stack", o.effort = "quick", o.target_scale = "root"; }},
    {"LogScores", [](FitOptions& o) { o.score_scale = "root"; }},
    {"OneWidth", [](FitOptions& o) { o.localizer = "none"; }},
    {"AnotherTransformation", [](FitOptions& o) { o.transform = "erc", o.epochs = 3; }},
    {"TwoSidesAtAFocus", [](FitOptions& o) { o.focus = 0.9, o.sides = "two"; }},
    {"StepsAndRange", [](FitOptions& o) { o.y_min = -50, o.y_max = 50; }},
    {"Groups",
     [](FitOptions& o) {
       o.by = {"k", "scale:2"};
     }},
    {"CvPlus", [](FitOptions& o) { o.split = "cv+:3"; }},
    {"ByShares", [](FitOptions& o) { o.split = "0.4,0.2,0.2,0.2"; }},
};

INSTANTIATE_TEST_SUITE_P(Options, MonotoneModel, ::testing::ValuesIn(direction_cases),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(MonotoneModelOfOthers, InfiniteCellsAreInOrder) {
  for (const std::string predictor : {"linear", "boost"}) {
    FitOptions options = direction_options();
    options.predictor = predictor;
    const Regressor model = Regressor::fit(direction_rows(600, 1), options);
    auto pairs = monotone_pairs(direction_rows(500, 2), options.increasing, options.decreasing, 2000, 3);
    for (Index pair = 0; pair < 2000; ++pair) {  // the columns are a, which rises, and b, which falls
      if (pair % 4 < 2) pairs.high.values(pair, 0) = infinity;
      if (pair % 4 == 1) pairs.low.values(pair, 0) = -infinity;
      if (pair % 3 == 0) pairs.low.values(pair, 1) = infinity;
      if (pair % 5 == 0) pairs.high.values(pair, 1) = -infinity;
    }
    EXPECT_EQ(turned_back(model, pairs).pairs, 0) << predictor;
    EXPECT_EQ(turned_back(Regressor::from_bytes(model.to_bytes()), pairs).pairs, 0) << predictor;
  }
}

TEST(MonotoneModelOfOthers, TurnsBackWithoutTheOptions) {
  FitOptions options = direction_options();
  options.increasing.clear();
  options.decreasing.clear();
  const Regressor model = Regressor::fit(direction_rows(600, 1), options);
  EXPECT_GT(turned_back(model, monotone_pairs(direction_rows(2000, 2), {"a"}, {"b"}, 2000, 3)).pairs, 200);
}

TEST(MonotoneModelOfOthers, SingleRowsAndFilesKeepEveryBit) {
  const FitOptions options = direction_options();
  const Regressor model = Regressor::fit(direction_rows(600, 1), options);
  const Regressor loaded = Regressor::from_bytes(model.to_bytes());
  const auto pairs = monotone_pairs(direction_rows(500, 2), options.increasing, options.decreasing, 300, 3);
  const auto of_low = model.predict_interval(pairs.low, testing::monotone_levels);
  const std::vector<Column> schema = loaded.prediction_schema();
  const auto cells_of = [&](const Table& table, Index row) {
    std::vector<double> cells;
    for (const Column& column : schema) {
      const Index at = *find_column(table.columns, column.name);
      double cell = table.values(row, at);
      if (column.is_categorical() && !std::isnan(cell)) {
        const auto& texts = table.columns[static_cast<std::size_t>(at)].categories;
        cell = static_cast<double>(
            std::find(column.categories.begin(), column.categories.end(), texts[static_cast<std::size_t>(cell)]) -
            column.categories.begin());
      }
      cells.push_back(cell);
    }
    return cells;
  };
  std::vector<Interval> low(3), high(3);
  for (Index row = 0; row < 300; ++row) {
    const std::vector<double> cells = cells_of(pairs.low, row), beyond = cells_of(pairs.high, row);
    const double f = loaded.predict_row(cells, testing::monotone_levels, low);
    EXPECT_LE(f, loaded.predict_row(beyond, testing::monotone_levels, high));
    EXPECT_EQ(f, of_low.prediction[static_cast<std::size_t>(row)]);
    for (std::size_t level = 0; level < 3; ++level) {
      EXPECT_EQ(low[level].lower, of_low.at(row, level).lower);
      EXPECT_LE(low[level].lower, high[level].lower);
      EXPECT_LE(low[level].upper, high[level].upper);
    }
  }
}

TEST(MonotoneModelOfOthers, WidthsDependOnOtherColumnsOnly) {
  FitOptions options = direction_options();
  options.score_scale = "as-is";
  const Regressor model = Regressor::fit(direction_rows(1500, 1), options);
  const NumberTask& task = number_task(model.parts());
  EXPECT_FALSE(task.score.uses_prediction());
  ASSERT_GT(task.score.transform().n_params(), 0);
  const auto pairs = monotone_pairs(direction_rows(500, 2), options.increasing, options.decreasing, 500, 3);
  EXPECT_EQ(see_numbers(model.parts(), pairs.low, 1).g, see_numbers(model.parts(), pairs.high, 1).g);
}

// Whole numbers that would become a category stay numbers, and a column of row numbers stays an input.
TEST(MonotoneColumns, OfNumbersStayNumbers) {
  Table table = direction_rows(600, 1);
  table.columns[0].name = "obs";
  for (Index row = 0; row < 600; ++row) table.values(row, 0) = static_cast<double>(row);
  for (Index row = 0; row < 600; ++row) table.values(row, 1) = static_cast<double>(static_cast<int>(table.values(row, 1) * 4));
  FitOptions options = direction_options();
  options.increasing = {"obs"};
  options.localizer = "none";
  const Regressor model = Regressor::fit(table, options);
  for (const char* name : {"obs", "b"}) {
    const auto at = find_column(model.input_schema(), name);
    ASSERT_TRUE(at) << name;
    EXPECT_EQ(model.input_schema()[static_cast<std::size_t>(*at)].kind, ColumnKind::number);
  }
  EXPECT_EQ(turned_back(model, monotone_pairs(table, {"obs"}, {"b"}, 4000, 2)).pairs, 0);
}

TEST(MonotoneColumns, MayBeDatesAndOrderedCategories) {
  Table table = direction_rows(600, 1);
  table.columns[0] = {"when", ColumnKind::date};
  for (Index row = 0; row < 600; ++row) table.values(row, 0) = 1.4e9 + 4e7 * table.values(row, 0);
  table.columns[3] = {"k", ColumnKind::category, {"w", "u", "v"}};
  table.columns[3].is_inferred = true;
  FitOptions options = direction_options();
  options.increasing = {"when", "k"};
  options.date = {"when"};
  options.ordered = {"k:u<v<w"};
  options.localizer = "none";
  const Regressor model = Regressor::fit(table, options);
  auto pairs = monotone_pairs(table, {"when"}, {"b"}, 4000, 2);
  const auto w = 0.0, u = 1.0, v = 2.0;  // codes in the table
  for (Index row = 0; row < 4000; ++row) {
    pairs.low.values(row, 3) = row % 3 == 0 ? v : u;
    pairs.high.values(row, 3) = row % 2 == 0 ? w : v;
  }
  const auto turned = turned_back(model, pairs);
  EXPECT_EQ(turned.pairs, 0);
  EXPECT_GT(turned.moved, 1000);
}

void expect_refused(const std::function<void(FitOptions&)>& change, const std::string& words) {
  static const Table table = direction_rows(200, 1);
  FitOptions options = direction_options();
  change(options);
  try {
    (void)Regressor::fit(table, options);
    ADD_FAILURE() << "not refused: " << words;
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
  }
}

TEST(MonotoneColumns, WhatCannotHoldIsRefused) {
  expect_refused([](auto& o) { o.increasing = {"k"}; }, "which have no order");
  expect_refused([](auto& o) { o.increasing = {"y"}; }, "the target has no direction");
  expect_refused([](auto& o) { o.increasing = {"nope"}; }, "'nope'");
  expect_refused([](auto& o) { o.increasing = {"a", "b"}; }, "--increasing and --decreasing both name 'b'");
  expect_refused([](auto& o) { o.increasing = {"a", "a"}; }, "names 'a' twice");
  expect_refused([](auto& o) { o.drop = {"a"}; }, "--increasing and --drop both name 'a'");
  expect_refused([](auto& o) { o.categorical = {"b"}; }, "--decreasing and --categorical both name 'b'");
  expect_refused([](auto& o) { o.prediction = "c"; }, "predictors that Taut trains");
  expect_refused([](auto& o) { o.predictor = "knn"; }, "these can: stack, boost, symmetric, deep, linear");
  expect_refused([](auto& o) { o.predictor = "quantile:0.1,0.9"; }, "--predictor quantile:0.1,0.9 cannot keep");
  expect_refused([](auto& o) { o.localizer = "mlp"; }, "--localizer mlp cannot keep");
  expect_refused([](auto& o) { o.see_prediction = "yes"; }, "--see-prediction yes");
  expect_refused([](auto& o) { o.by = {"a:3"}; }, "--by a:3 cannot be combined");
  expect_refused([](auto& o) { o.by = {"k", "prediction:2"}; }, "--by prediction:2 cannot be combined");
}

TEST(MonotoneColumns, TreesOfClustersAreRefused) {
  EXPECT_THROW((void)begin_assembly(direction_rows(100, 1), direction_options()), UsageError);
}

TEST(MonotoneColumns, CalibrationsWhoseThresholdsDependOnTheRowAreRefused) {
  const Table table = direction_rows(300, 1);
  Regressor model = Regressor::fit(table, direction_options());
  const auto before = model.to_bytes();
  CalibrationOptions local, towards, by, overlapping;
  local.local = 20;
  towards.towards = table;
  by.by = {"b:2"};
  overlapping.overlapping = {"a:2", "k"};
  for (const auto& how : {local, towards, by, overlapping}) EXPECT_THROW(model.calibrate(table, {}, how), UsageError);
  EXPECT_EQ(before, model.to_bytes());
  by.by = {"k"};
  model.calibrate(table, {}, by);
  EXPECT_EQ(turned_back(model, monotone_pairs(table, {"a"}, {"b"}, 2000, 2)).pairs, 0);
}

// f, nine quantiles and six ends of 300,000 pairs; of 10^7 in `make validate`.
TEST(MonotoneModelOfOthers, ManyPairsSlow) {
  const char* const wanted = std::getenv("TAUT_VALIDATE");
  const std::uint64_t parts = wanted != nullptr && std::string(wanted) == "long" ? 100 : 3;
  FitOptions options = direction_options();
  options.predictor = "stack";
  options.effort = "normal";
  options.epochs = 0;
  const Regressor model = Regressor::fit(direction_rows(2000, 1), options);
  const Table fresh = direction_rows(20'000, 2);
  Index moved = 0;
  for (std::uint64_t part = 0; part < parts; ++part) {
    const auto turned = turned_back(model, monotone_pairs(fresh, options.increasing, options.decreasing, 100'000, part));
    ASSERT_EQ(turned.pairs, 0);
    moved += turned.moved;
  }
  EXPECT_GT(moved, static_cast<Index>(parts) * 50'000);
}

}  // namespace
}  // namespace taut
