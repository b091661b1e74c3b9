// --sample-weight and --calibrate-by-weight in whole models.
#include <taut/calibrate/calibration.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/model/parts.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/label/classifier.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::quick_options;
using testing::small_table;

// The table with a column "w".
Table weighted(const Table& table, const std::vector<double>& weights) {
  TableView view(table);
  view.add({"w"}, weights);
  return view.copy();
}

std::vector<double> random_weights(Index rows, std::uint64_t seed, double zero_share = 0) {
  Random random(seed);
  std::vector<double> weights;
  for (Index i = 0; i < rows; ++i) weights.push_back(random.uniform() < zero_share ? 0 : random.uniform(0.2, 3));
  return weights;
}

Table rows_with(const Table& table, const std::vector<double>& weights, bool positive) {
  Rows chosen;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if ((weights[i] > 0) == positive) chosen.push_back(static_cast<Index>(i));
  Table part = table;
  part.values = table.values(chosen, Eigen::all);
  part.lines.clear();
  return part;
}

std::vector<Interval> intervals_of(const Regressor& model, const Table& rows) {
  return model.predict_interval(rows, std::vector{0.5, 0.9}).intervals;
}

bool same(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Interval& one, const Interval& other) {
    return one.lower == other.lower && one.upper == other.upper;
  });
}

FitOptions weighted_options(const std::string& predictor = "linear") {
  FitOptions options = quick_options();
  options.predictor = predictor;
  options.sample_weight = "w";
  return options;
}

std::string error_of(const Table& table, const FitOptions& options) {
  try {
    Regressor::fit(table, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// The rows are as good as absent: for the split, every trained part, the calibration, and rows that have no valid target.
TEST(SampleWeight, ZeroIsAbsence) {
  const Table table = small_table(240), fresh = small_table(30, 2);
  const auto weights = random_weights(240, 3, 0.3);
  for (const std::string predictor : {"linear", "boost", "stack"}) {
    FitOptions options = weighted_options(predictor);
    if (predictor == "stack") options.effort = "quick";
    const Table all = weighted(table, weights);
    Table without_targets = all;
    const Index target = TableView(all).require("y");
    for (Index row = 0; row < all.values.rows(); ++row)
      if (weights[static_cast<std::size_t>(row)] == 0) without_targets.values(row, target) = missing;
    const auto expected =
        intervals_of(Regressor::fit(rows_with(all, weights, true), options), weighted(fresh, random_weights(30, 1)));
    EXPECT_TRUE(same(intervals_of(Regressor::fit(all, options), weighted(fresh, random_weights(30, 1))), expected)) << predictor;
    const Regressor model = Regressor::fit(without_targets, options);
    EXPECT_TRUE(same(intervals_of(model, fresh), expected)) << predictor << ": rows to predict need no weight";
    EXPECT_EQ(model.record().rows_of_weight_0, std::count(weights.begin(), weights.end(), 0.0));
    EXPECT_EQ(model.record().skipped_rows, 0);
    EXPECT_EQ(Regressor::from_bytes(model.to_bytes()).record().rows_of_weight_0, model.record().rows_of_weight_0);
  }
}

// The same for calibration rows of another table: those of the fit and those of a later calibration, and for evaluations.
TEST(SampleWeight, ZeroIsAbsenceInOtherTables) {
  const Table train = weighted(small_table(200), random_weights(200, 3)), fresh = small_table(30, 2);
  const auto weights = random_weights(160, 5, 0.4);
  Table all = weighted(small_table(160, 4), weights);
  const Table some = rows_with(all, weights, true);
  const Index target = TableView(all).require("y");
  for (Index row = 0; row < all.values.rows(); ++row)
    if (weights[static_cast<std::size_t>(row)] == 0) all.values(row, target) = missing;
  const FitOptions options = weighted_options();
  Regressor model = Regressor::fit(train, options, {}, some);
  const auto expected = intervals_of(model, fresh);
  EXPECT_TRUE(same(intervals_of(Regressor::fit(train, options, {}, all), fresh), expected));
  model.calibrate(all);
  EXPECT_EQ(model.calibration_rows(), some.values.rows());
  EXPECT_TRUE(same(intervals_of(model, fresh), expected));
  const std::vector levels = {0.9};
  const Model& shared = model;
  const auto of_all = shared.evaluate(all, levels, {}, {}, false, "w");
  const auto of_some = shared.evaluate(some, levels, {}, {}, false, "w");
  EXPECT_EQ(of_all->rows, of_some->rows);
  EXPECT_EQ(of_all->weighted.effective_rows, of_some->weighted.effective_rows);
  // A row that counts still needs its target.
  for (Index row = 0; row < all.values.rows(); ++row)
    if (weights[static_cast<std::size_t>(row)] > 0) all.values(row, target) = missing;
  EXPECT_THROW(model.calibrate(all), Error);
}

// Weights that cannot be counts of rows have no unit, also where sums of them would overflow.
TEST(SampleWeight, ExtremeWeightsHaveNoUnit) {
  const Table table = small_table(200), fresh = small_table(30, 2);
  for (const std::string predictor : {"linear", "boost"}) {
    const auto with = [&](const std::vector<double>& weights) {
      return intervals_of(Regressor::fit(weighted(table, weights), weighted_options(predictor)), fresh);
    };
    const auto expected = with(std::vector<double>(200, 1));
    for (const double constant : {1e-310, 1e-300, 0.1, 1e15, 1e19, 1e300, 1e308})
      EXPECT_TRUE(same(with(std::vector<double>(200, constant)), expected)) << predictor << " " << constant;
    auto weights = random_weights(200, 5);
    for (double& weight : weights) weight = std::ldexp(std::round(weight * 8), -2);  // up to 6
    const auto scaled = [&](int exponent) {
      auto result = weights;
      for (double& weight : result) weight = std::ldexp(weight, exponent);
      return with(result);
    };
    const auto large = scaled(60), small = scaled(-60);
    for (const int exponent : {100, 1000, 1020}) EXPECT_TRUE(same(scaled(exponent), large)) << predictor << " " << exponent;
    EXPECT_TRUE(same(scaled(-1000), small)) << predictor;
    for (const Interval& one : large) EXPECT_TRUE(std::isfinite(one.lower) && one.upper - one.lower < 100) << predictor;
  }
}

TEST(SampleWeight, ChangesTheModelButIsNoInput) {
  const Table table = small_table(200), fresh = small_table(30, 2);
  const auto weights = random_weights(200, 5);
  const Regressor with = Regressor::fit(weighted(table, weights), weighted_options());
  FitOptions plain = quick_options();
  const Regressor without = Regressor::fit(table, plain);
  EXPECT_FALSE(same(intervals_of(with, fresh), intervals_of(without, fresh)));
  EXPECT_FALSE(find_column(with.input_schema(), "w").has_value());
  EXPECT_FALSE(find_column(with.prediction_schema(), "w").has_value());
  EXPECT_EQ(with.calibration_rows(), without.calibration_rows());
  EXPECT_EQ(with.calibration_kind(), "plain");
}

// Weights whose mean is below 1 only matter relative to one another.
TEST(SampleWeight, SmallWeightsHaveNoUnit) {
  const Table table = small_table(200), fresh = small_table(30, 2);
  auto weights = random_weights(200, 5);
  for (double& weight : weights) weight = std::ldexp(std::round(weight * 8), -10);  // scaling by powers of two is exact
  const auto first = intervals_of(Regressor::fit(weighted(table, weights), weighted_options("boost")), fresh);
  for (double& weight : weights) weight /= 1024;
  EXPECT_TRUE(same(intervals_of(Regressor::fit(weighted(table, weights), weighted_options("boost")), fresh), first));
}

// Where every learner may use few rows: a stack with all of its members.
TEST(SampleWeight, EveryMemberOfTheStackTakesThem) {
  const Table all = weighted(small_table(600), random_weights(600, 9));
  const Regressor model = Regressor::fit(testing::rows_of(all, 0, 300), weighted_options("stack"), {.threads = 2});
  EXPECT_GE(model.record().stack.size(), 5U);
  const auto level = model.evaluate(testing::rows_of(all, 300, 300), std::vector{0.9}).levels.front();
  EXPECT_GE(level.metric("coverage"), level.metric("coverage_low"));
  EXPECT_LE(level.metric("coverage"), level.metric("coverage_high"));
}

TEST(SampleWeight, WrongWeightsAreErrorsThatNameTheRow) {
  const Table table = small_table(60);
  for (const auto& [value, words] : {std::pair(-0.5, "must not be negative, found -0.5"),
                                     {missing, "found a missing value"},
                                     {infinity, "must be a finite number, found"}}) {
    std::vector<double> weights(60, 1.0);
    weights[17] = value;
    const std::string error = error_of(weighted(table, weights), weighted_options());
    EXPECT_NE(error.find(words), std::string::npos) << error;
    EXPECT_NE(error.find("18"), std::string::npos) << error;
    EXPECT_NE(error.find("sample weight"), std::string::npos) << error;
  }
  EXPECT_NE(error_of(weighted(table, std::vector<double>(60)), weighted_options()).find("all sample weights in 'w' are zero"),
            std::string::npos);
  EXPECT_NE(error_of(table, weighted_options()).find("--sample-weight names"), std::string::npos);
}

TEST(SampleWeight, CombinationsAreRefusedByName) {
  const Table table = weighted(small_table(60), std::vector<double>(60, 1));
  const auto refused = [&](auto change, const std::string& words) {
    FitOptions options = weighted_options();
    change(options);
    const std::string error = error_of(table, options);
    EXPECT_NE(error.find(words), std::string::npos) << words << ": " << error;
  };
  refused([](FitOptions& o) { o.sample_weight = "y"; }, "--sample-weight and --target both name 'y'");
  refused([](FitOptions& o) { o.drop.push_back("w"); }, "--sample-weight and --drop both name 'w'");
  refused([](FitOptions& o) { o.by = {"w"}; }, "--sample-weight and --by both name 'w'");
  refused([](FitOptions& o) { o.categorical = {"w"}; }, "no input: --sample-weight names it");
  refused([](FitOptions& o) { o.prediction = "w"; }, "both name 'w'");
  refused([](FitOptions& o) { o.in_order = true, o.lags = {1}; }, "--sample-weight cannot be combined with --lags");
  refused([](FitOptions& o) { o.sample_weight = "", o.calibrate_by_weight = true; }, "--calibrate-by-weight needs");
  refused([](FitOptions& o) { o.calibrate_by_weight = true, o.by = {"x"}; },
          "--calibrate-by-weight cannot be combined with --by");
  refused([](FitOptions& o) { o.calibrate_by_weight = true, o.sure = 0.9; }, "cannot be combined with --sure");
  refused([](FitOptions& o) { o.calibrate_by_weight = true, o.split = "cv+"; }, "cannot be combined with --split cv+");
  refused([](FitOptions& o) { o.calibrate_by_weight = true, o.in_order = true; }, "cannot be combined with --in-order");
  Regressor model = Regressor::fit(table, weighted_options());
  StreamOptions refits;
  refits.refit_every = 50;
  EXPECT_THROW(model.begin_stream(std::vector{0.9}, refits), UsageError);
  model.begin_stream(std::vector{0.9});
}

TEST(SampleWeight, ModelsOfCvPlusTakeThem) {
  const Table table = small_table(60), fresh = small_table(10, 2);
  FitOptions options = weighted_options();
  options.split = "cv+:5";
  const auto weights = random_weights(60, 3, 0.2);
  const Regressor model = Regressor::fit(weighted(table, weights), options);
  EXPECT_EQ(model.calibration_rows(), 60 - std::count(weights.begin(), weights.end(), 0.0));
  EXPECT_TRUE(same(intervals_of(model, fresh),
                   intervals_of(Regressor::fit(rows_with(weighted(table, weights), weights, true), options), fresh)));
}

// Exactly, by enumeration: atoms with a score and a weight, n calibration rows at random, and a new row that is sampled in
// proportion to its weight. Without the new row's own weight the coverage would be too low somewhere.
TEST(SampleWeight, CalibrationByWeightCoversRowsSampledByWeight) {
  const std::vector<double> scores = {1, 2, 3, 4}, probability = {0.4, 0.3, 0.2, 0.1}, weight = {1, 0.5, 3, 7};
  double mean_weight = 0;
  for (std::size_t k = 0; k < 4; ++k) mean_weight += probability[k] * weight[k];
  constexpr int n = 4, atoms = 4;
  bool own_weight_matters = false;
  for (const double level : {0.3, 0.5, 0.7, 0.8, 0.9}) {
    double coverage = 0, unweighted = 0;
    for (int code = 0; code < 256; ++code) {
      std::vector<SignedScore> rows;
      RowFacts facts;
      double p = 1;
      for (int i = 0, rest = code; i < n; ++i, rest /= atoms) {
        const auto k = static_cast<std::size_t>(rest % atoms);
        rows.push_back({Side::above, scores[k]});
        facts.weights.push_back(weight[k]);
        p *= probability[k];
      }
      const auto calibration = calibrations().make("weighted");
      calibration->calibrate(CalibrationRows(rows, facts), {});
      const auto plain = calibrations().make("weighted");
      plain->calibrate(CalibrationRows(rows, {.weights = std::vector<double>(n, 1.0)}), {});
      for (std::size_t k = 0; k < 4; ++k) {
        const double share = p * probability[k] * weight[k] / mean_weight;
        if (scores[k] <= calibration->distribution({.weights = {weight[k]}}, 0).quantile(level)) coverage += share;
        if (scores[k] <= plain->distribution({.weights = {1}}, 0).quantile(level)) unweighted += share;
      }
    }
    EXPECT_GE(coverage, level - 1e-12) << level;
    own_weight_matters |= unweighted < level - 0.02;
  }
  EXPECT_TRUE(own_weight_matters) << "equal weights would do as well: the test shows nothing";
}

// The same through fit(): rows of large weight have large noise. New rows are sampled in proportion to their weight.
TEST(SampleWeight, ModelsCalibratedByWeightKeepTheLevel) {
  Random random(8);
  const auto table_of = [&](Index rows, bool by_weight) {
    std::vector<double> x, f, w, y;
    while (std::ssize(x) < rows) {
      const double a = random.uniform(), weight = a < 0.7 ? 0.5 : 4;
      if (by_weight && random.uniform() > weight / 4) continue;
      x.push_back(a);
      f.push_back(a);
      w.push_back(weight);
      y.push_back(a + (weight > 1 ? 3 : 1) * random.normal());
    }
    TableView view("rows", rows);
    view.add({"x"}, x);
    view.add({"f"}, f);
    view.add({"w"}, w);
    view.add({"y"}, y);
    return view.copy();
  };
  FitOptions options;
  options.target = "y";
  options.prediction = "f";
  options.transform = "fixed";
  options.sample_weight = "w";
  constexpr Index fits = 300, rows_of_fit = 60, fresh = 20;
  std::array<Index, 2> covered{};
  for (Index fit = 0; fit < fits; ++fit) {
    const Table table = table_of(rows_of_fit, false), rows = table_of(fresh, true);
    const auto y = numbers_of(rows, "y", all_rows(fresh), "target");
    for (const bool by_weight : {false, true}) {
      options.calibrate_by_weight = by_weight;
      const Regressor model = Regressor::fit(table, options);
      if (by_weight) {
        EXPECT_EQ(model.calibration_kind(), "weighted");
        EXPECT_TRUE(find_column(model.prediction_schema(), "w").has_value());
      }
      const auto intervals = model.predict_interval(rows, std::vector{0.8}).intervals;
      for (std::size_t i = 0; i < y.size(); ++i) covered[by_weight ? 1 : 0] += intervals[i].contains(y[i]) ? 1 : 0;
    }
  }
  const auto share = [&](std::size_t which) { return static_cast<double>(covered[which]) / static_cast<double>(fits * fresh); };
  // The coverage given the calibration rows varies by at most 0.5 from fit to fit, so the mean of 300 has an error below 0.03.
  EXPECT_GT(share(1), 0.8 - 0.03);
  EXPECT_LT(share(1), 0.8 + 0.08);
  EXPECT_LT(share(0), 0.75) << "equal weights would do as well: the test shows nothing";
}

TEST(SampleWeight, EvaluationsCountRowsByWeight) {
  const Table table = small_table(200);
  const auto weights = random_weights(200, 5);
  const Regressor model = Regressor::fit(weighted(table, weights), weighted_options());
  const Table fresh = weighted(small_table(100, 2), random_weights(100, 6, 0.2));
  const std::vector<double> levels = {0.5, 0.9};
  const auto evaluation = model.Model::evaluate(fresh, levels, {}, {}, false, "w");
  const auto judged = model.judge(fresh, levels);
  const auto w = numbers_of(fresh, "w", all_rows(100), "weight");
  ASSERT_EQ(evaluation->weighted.levels.size(), 2U);
  EXPECT_FALSE(evaluation->weighted.is_guaranteed);
  double sum = 0, squares = 0;
  for (const double weight : w) sum += weight, squares += weight * weight;
  EXPECT_NEAR(evaluation->weighted.effective_rows, sum * sum / squares, 1e-9);
  for (std::size_t level = 0; level < 2; ++level) {
    double covered = 0, size = 0, loss = 0;
    for (std::size_t i = 0; i < w.size(); ++i) {
      covered += w[i] * judged[level].covered[i] / sum;
      size += w[i] * judged[level].sizes[i] / sum;
      loss += w[i] * judged[level].losses[i] / sum;
    }
    const WeightedLevel& own = evaluation->weighted.levels[level];
    EXPECT_NEAR(own.coverage, covered, 1e-12);
    EXPECT_NEAR(own.mean_size, size, 1e-9);
    EXPECT_NEAR(own.mean_loss, loss, 1e-9);
    EXPECT_LT(own.band.low, own.band.high);
  }
  EXPECT_NE(evaluation->describe().find("By the weights in 'w'"), std::string::npos);
  EXPECT_TRUE(model.Model::evaluate(fresh, levels)->weighted.column.empty());
  EXPECT_THROW(model.Model::evaluate(fresh, levels, {}, {}, false, "y"), UsageError);
  EXPECT_THROW(model.Model::evaluate(fresh, levels, {}, {}, false, "x"), Error);  // negative cells
  FitOptions by_weight = weighted_options();
  by_weight.calibrate_by_weight = true;
  const auto guaranteed = Regressor::fit(weighted(table, weights), by_weight).Model::evaluate(fresh, levels);
  EXPECT_TRUE(guaranteed->weighted.is_guaranteed);
  EXPECT_EQ(guaranteed->weighted.column, "w");
}

// Labels: rows of weight 0 are absent, and rows of one label that count five times raise its probability.
TEST(SampleWeight, LabelsTakeThem) {
  Random random(4);
  std::vector<double> a, b, labels, equal, more;
  for (Index i = 0; i < 260; ++i) {
    a.push_back(random.normal());
    b.push_back(random.normal());
    labels.push_back(a.back() + random.normal() > 0 ? 1 : 0);
    equal.push_back(i % 5 == 0 ? 0 : 1);
    more.push_back(labels.back() == 1 ? 5 : 1);
  }
  const auto table_of = [&](const std::vector<double>& weights) {
    TableView view("labels", 260);
    view.add({"a"}, a);
    view.add({"b"}, b);
    Column column{"y", ColumnKind::category};
    column.categories = {"no", "yes"};
    view.add(column, labels);
    view.add({"w"}, weights);
    return view.copy();
  };
  FitOptions options;
  options.target = "y";
  options.sample_weight = "w";
  options.effort = "quick";
  const Table all = table_of(equal);
  const TableView fresh(all);
  const Classifier absent = Classifier::fit(rows_with(all, equal, true), options);
  const Classifier zero = Classifier::fit(all, options);
  EXPECT_EQ(absent.probabilities(fresh), zero.probabilities(fresh));
  options.effort = "normal";
  const Matrix plain = Classifier::fit(table_of(std::vector<double>(260, 1)), options).probabilities(fresh);
  const Classifier raised = Classifier::fit(table_of(more), options);
  const auto yes = std::find(raised.labels().begin(), raised.labels().end(), "yes") - raised.labels().begin();
  EXPECT_GT(raised.probabilities(fresh).col(yes).mean(), plain.col(yes).mean() + 0.15);
}

}  // namespace
}  // namespace taut
