// Models on tables with dates, ordered categories and many categories.
#include <taut/core/random.hpp>
#include <taut/fit/point_predictor.hpp>
#include <taut/predict/training_inputs.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

Column categories(std::string name, Index count, ColumnKind kind = ColumnKind::category) {
  Column column{std::move(name), kind};
  for (Index i = 0; i < count; ++i) column.categories.push_back("level " + std::to_string(i));
  return column;
}

constexpr double day = 86'400;

// A date with a daily pattern and a trend, ordered sizes, shops of which most are rare, and a number.
Table shops(Index rows, std::uint64_t seed = 1) {
  Table table{"shops.csv",
              {{"when", ColumnKind::date}, categories("size", 4, ColumnKind::ordered), categories("shop", 60), {"x"}, {"y"}},
              Matrix(rows, 5),
              {}};
  Random random(seed);
  for (Index row = 0; row < rows; ++row) {
    const double when = 1.6e9 + std::floor(700 * day * random.uniform());
    const double size = static_cast<double>(random.below(4)), x = random.normal();
    const double shop = std::floor(60 * std::pow(random.uniform(), 3));
    const double y = std::sin(when / day * 2 * 3.14159) + size + std::fmod(shop * 7, 11) + x +
                     0.3 * (1 + std::fmod(shop, 3)) * random.normal();
    table.values.row(row) << (row % 17 == 0 ? missing : when), (row % 19 == 0 ? missing : size), (row % 23 == 0 ? missing : shop),
        x, y;
  }
  return table;
}

void expect_bits_to_be_kept(const std::string& predictor, const std::string& localizer, const std::string& effort, Index rows) {
  const Table table = shops(rows);
  Table fresh = shops(24, 2);
  fresh.values(5, 1) = 4;   // a size that the fit did not see
  fresh.values(6, 2) = 60;  // a shop that the fit did not see
  fresh.values(7, 0) = infinity;
  const std::vector<double> levels = {0.5, 0.9};
  FitOptions options;
  options.target = "y";
  options.predictor = predictor;
  options.localizer = localizer;
  options.hidden = {10};
  options.epochs = 10;
  options.effort = effort;
  const Regressor model = Regressor::fit(table, options, {.threads = 1});
  const std::string bytes = model.to_bytes();
  EXPECT_EQ(Regressor::fit(table, options, {.threads = 3}).to_bytes(), bytes) << predictor << " " << localizer;
  const Regressor back = Regressor::from_bytes(bytes);
  const Predicted was = model.predict_interval(fresh, levels), is = back.predict_interval(fresh, levels, {.threads = 2});
  EXPECT_EQ(is.prediction, was.prediction);
  for (Index row = 0; row < fresh.rows(); ++row) {
    std::vector<double> cells;
    const TableView matched = TableView(fresh).matched(back.prediction_schema());
    cells.resize(matched.columns().size());
    matched.copy_row(row, cells.data());
    std::vector<Interval> one(levels.size());
    EXPECT_EQ(back.predict_row(cells, levels, one), was.prediction[static_cast<std::size_t>(row)]);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      EXPECT_EQ(one[level].lower, was.at(row, level).lower);
      EXPECT_EQ(is.at(row, level).lower, was.at(row, level).lower);
      EXPECT_EQ(is.at(row, level).upper, was.at(row, level).upper);
    }
  }
}

// Every predictor, with one of two localizers in turn.
TEST(Categories, EveryKindByEveryPathKeepsItsBitsSlow) {
  bool is_odd = false;
  for (const auto& entry : predictors().entries()) {
    expect_bits_to_be_kept(entry.example, is_odd ? "mlp" : "boost", "quick", 200);
    is_odd = !is_odd;
  }
}

TEST(Categories, EveryKindByEveryPairOfPathsKeepsItsBitsSlow) {
  for (const auto& entry : predictors().entries())
    for (const char* localizer : {"boost", "mlp"}) expect_bits_to_be_kept(entry.example, localizer, FitOptions().effort, 400);
}

// The encoding of a training row's category does not depend on targets in its own block, nor on those of the validation rows of
// the part.
TEST(Categories, NoRowIsDescribedByItself) {
  constexpr Index rows = 500;
  Table table{"t.csv", {categories("kind", 100)}, Matrix(rows, 1), {}};
  Random random(5);
  std::vector<double> values;
  for (Index row = 0; row < rows; ++row) {
    table.values(row, 0) = static_cast<double>(random.below(100));
    values.push_back(table.values(row, 0) + random.normal());
  }
  std::vector<TrainingPart> folds;
  for (Index fold = 0; fold < 5; ++fold) folds.push_back({rows, 100 * fold, 100 * fold + 100});
  const Rows all = all_rows(rows);
  for (const auto& parts : {folds, std::vector{TrainingPart{rows, 400, 500}}, std::vector{TrainingPart{.rows = rows}}}) {
    const TrainingInputs before(Encoding::raw, table, all, values, parts, true);
    ASSERT_EQ(before.encoder().columns(), 3);
    for (Index from = 0; from < rows; from += 100) {
      std::vector<double> changed = values;
      for (Index row = from; row < from + 100; ++row) changed[static_cast<std::size_t>(row)] = 1000;
      const TrainingInputs after(Encoding::raw, table, all, changed, parts, true);
      const auto means_of = [&](const MatrixF& x) { return Eigen::VectorXf(x.col(1).segment(from, 100)); };
      EXPECT_TRUE(parts.size() == 1 || means_of(after.shared(1)) == means_of(before.shared(1)));
      for (std::size_t part = 0; part < parts.size(); ++part) {
        if (parts[part].begin != from || parts[part].end != from + 100) continue;
        EXPECT_EQ(after.of_part(part, 1).rightCols(2), before.of_part(part, 1).rightCols(2));
      }
    }
    EXPECT_EQ(before.of_part(0, 1).rightCols(2), before.of_part(0, 3).rightCols(2));
  }
}

// The target is noise, so out-of-fold predictions must be independent of it: Σ f y / √(Σ f²) has mean 0 and variance 1.
TEST(Categories, HeldOutPredictionsKnowNothingOfTheirTargetsSlow) {
  constexpr Index rows = 4000;
  for (const Index count : {10, 40, 400, 3000}) {
    Table table{"t.csv", {categories("kind", count), {"the same as a number"}, {"x"}}, Matrix(rows, 3), {}};
    Random random(static_cast<std::uint64_t>(count));
    std::vector<double> y;
    for (Index row = 0; row < rows; ++row) {
      const auto code = static_cast<double>(random.below(count));
      table.values.row(row) << code, code, random.normal();
      y.push_back(random.normal());
    }
    FitOptions options;
    options.target = "y";
    options.effort = "quick";
    const RowPlan plan = plan_rows(rows, options, true, true, "t.csv");
    const auto fitted = PointPredictor::fit(table, y, plan, options, {});
    double product = 0, squares = 0, mean = 0;
    for (const Index row : plan.transform) mean += y[static_cast<std::size_t>(row)] / static_cast<double>(rows);
    for (std::size_t i = 0; i < plan.transform.size(); ++i) {
      const double f = fitted.out_of_sample[i].f - mean;
      product += f * y[static_cast<std::size_t>(plan.transform[i])];
      squares += f * f;
    }
    EXPECT_LT(product / std::sqrt(squares), 5) << count << " categories";
  }
}

// Shifting a column of numbers changes nothing if doubles hold the shifted numbers exactly. Predictions of trees keep their bits;
// ends agree to the rounding of centres and quantiles, which linear quantile regression uses.
TEST(CentredNumbers, OfInputsMayBeFarFromZeroSlow) {
  Table table = testing::small_table(600), fresh = testing::small_table(100, 2);
  const auto rounded = [](Table& each) { each.values.col(0) = (each.values.col(0).array() * 1024).round() / 1024; };
  rounded(table);
  rounded(fresh);
  const std::vector<double> levels = {0.9};
  for (const std::string given : {"", "f"}) {
    FitOptions options;
    options.target = "y";
    options.predictor = "boost";
    options.effort = "quick";
    options.prediction = given;
    options.drop = given.empty() ? std::vector<std::string>{"f", "sigma"} : std::vector<std::string>{"sigma"};
    const Predicted was = Regressor::fit(table, options).predict_interval(fresh, levels);
    for (const double far : {1e6, -1e9, 1e12}) {
      Table moved = table, moved_fresh = fresh;
      moved.values.col(0).array() += far;
      moved_fresh.values.col(0).array() += far;
      const Predicted is = Regressor::from_bytes(Regressor::fit(moved, options).to_bytes()).predict_interval(moved_fresh, levels);
      EXPECT_EQ(is.prediction, was.prediction) << far;
      for (Index row = 0; row < fresh.rows(); ++row)
        EXPECT_NEAR(is.at(row, 0).lower, was.at(row, 0).lower, 1e-12) << far << " " << row;
    }
  }
}

// Predictors on standardised inputs round differently, but lose no precision.
TEST(CentredNumbers, OfStandardisedInputsMayBeFarFromZeroSlow) {
  Table table = testing::small_table(300), fresh = testing::small_table(50, 2);
  const auto rounded = [](Table& each) { each.values.col(0) = (each.values.col(0).array() * 1024).round() / 1024; };
  rounded(table);
  rounded(fresh);
  for (const auto& entry : predictors().entries()) {
    if (predictors().make(entry.example)->needs() != Encoding::standardised) continue;
    FitOptions options;
    options.target = "y";
    options.predictor = entry.example;
    options.localizer = "none";
    options.drop = {"f", "sigma", "x2"};
    const auto was = Regressor::fit(table, options).predict(fresh);
    for (const double far : {1e12}) {
      Table moved = table, moved_fresh = fresh;
      moved.values.col(0).array() += far;
      moved_fresh.values.col(0).array() += far;
      const auto is = Regressor::from_bytes(Regressor::fit(moved, options).to_bytes()).predict(moved_fresh);
      for (std::size_t i = 0; i < is.size(); ++i) EXPECT_NEAR(is[i], was[i], 0.02) << entry.name << " " << far;
    }
  }
}

// The same for f as an input of g: the scales are equal at every row that trained it.
TEST(CentredNumbers, OfPredictionsMayBeFarFromZero) {
  Table table = testing::small_table(1000);
  for (const char* name : {"f", "y"}) {
    auto column = table.values.col(table.require(name));
    column = (column.array() * 1024).round() / 1024;
  }
  FitOptions options = testing::given_options();
  options.transform = "exp";
  options.drop = {"sigma", "x"};  // rows differ only in f
  const Regressor reference = Regressor::fit(table, options);
  const Rows trained = plan_rows(table.rows(), options, true, false, "").transform;
  const Matrix was = reference.log_scales(table);
  EXPECT_GT((was.col(0).array() - was.col(0).mean()).abs().maxCoeff(), 0.1);
  for (const double far : {-1e9, 1e12}) {
    Table moved = table;
    for (const char* name : {"f", "y"}) moved.values.col(table.require(name)).array() += far;
    const Matrix is = Regressor::from_bytes(Regressor::fit(moved, options).to_bytes()).log_scales(moved);
    ASSERT_EQ(is.cols(), was.cols());
    for (const Index row : trained) EXPECT_EQ(is(row, 0), was(row, 0)) << far << " " << row;
  }
}

}  // namespace
}  // namespace taut
