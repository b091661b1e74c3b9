// Calibration rows that a model keeps make P(y <= v) at fixed v calibrated, through the whole model and its file.
#include <taut/core/random.hpp>
#include <taut/task/number/assemble.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>

namespace taut {
namespace {

const ExecutionContext single{.threads = 1};

// Columns x, group, w and y. y is 0 for a share of the rows that depends on the group, else about x.
Table rows_of(Index count, Random& random) {
  Table table;
  for (const char* name : {"x", "group", "w", "y"}) table.columns.push_back({name});
  table.values.resize(count, 4);
  for (Index row = 0; row < count; ++row) {
    const double x = random.uniform(), group = static_cast<double>(random.below(2));
    const bool zero = random.uniform() < (group == 0 ? 0.9 : 0.5);
    table.values.row(row) << x, group, 1 + x, zero ? 0 : 1 + x + 0.3 * random.normal();
  }
  return table;
}

FitOptions kept_options(const std::string& transform = "exp") {
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.transform = transform;
  options.drop = {"group", "w"};
  return options;
}

Matrix asked(const Regressor& model, const Table& table, const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Question>> all;
  for (const auto& name : names) all.push_back(questions().make(name));
  return model.ask(table, all, {.seed = 3, .band = true}, single).values;
}

double zeros(const Table& table, double group) {
  double found = 0, rows = 0;
  for (Index row = 0; row < table.rows(); ++row)
    if (group < 0 || table.values(row, 1) == group) {
      ++rows;
      found += table.values(row, 3) == 0 ? 1 : 0;
    }
  return found / rows;
}

// With 300 calibration rows the share of zeros has a standard error of 0.026, so errors are averaged over fits.
TEST(KeptRows, MakeProbabilitiesRightOnAverageOverFitsSlow) {
  Random random(2);
  for (const char* transform : {"fixed", "exp", "curve"}) {
    constexpr int fits = 10;
    double of_below = 0, of_samples = 0;
    for (int fit = 0; fit < fits; ++fit) {
      const Regressor model = Regressor::fit(rows_of(1500, random), kept_options(transform), single);
      const Table fresh = rows_of(2000, random);
      const Matrix found = asked(model, fresh, {"below:0", "samples:20"});
      of_below += (found.col(0).mean() - zeros(fresh, -1)) / fits;
      of_samples += ((found.rightCols(20).array() == 0).cast<double>().mean() - zeros(fresh, -1)) / fits;
    }
    std::printf("%s: mean error of below %.4f, of samples %.4f\n", transform, of_below, of_samples);
    EXPECT_NEAR(of_below, 0, 0.04) << transform;
    EXPECT_NEAR(of_samples, 0, 0.04) << transform;
  }
}

TEST(KeptRows, MakeProbabilitiesAtFixedValuesRightSlow) {
  Random random(1);
  for (const char* transform : {"fixed", "exp", "curve"}) {
    Regressor model = Regressor::fit(rows_of(1500, random), kept_options(transform), single);
    EXPECT_GT(model.kept_rows(), 100);
    for (const bool again : {false, true}) {
      if (again) model.calibrate(rows_of(5000, random), single);
      const Table fresh = rows_of(2000, random);
      const Matrix found = asked(model, fresh, {"below:0", "below:0.5", "samples:20"});
      EXPECT_GE((found.col(3) - found.col(0)).minCoeff(), 0) << transform;
      if (again) {
        EXPECT_NEAR(found.col(0).mean(), zeros(fresh, -1), 0.04) << transform;
        EXPECT_NEAR((found.rightCols(20).array() == 0).cast<double>().mean(), zeros(fresh, -1), 0.04) << transform;
      }
      // One row at a time, and with the model from its file.
      const Regressor read = Regressor::from_bytes(model.to_bytes());
      EXPECT_EQ(asked(read, fresh, {"below:0", "below:0.5", "samples:20"}), found);
      const std::array cells = {fresh.values(7, 0)};
      EXPECT_EQ(model.distribution_at(cells).cdf(0.5), found(7, 3)) << transform;
    }
    EXPECT_LE(model.kept_rows(), 2000);
    EXPECT_GE(model.kept_rows(), 500);
  }
}

TEST(KeptRows, GroupsHaveTheirOwn) {
  Random random(2);
  Regressor model = Regressor::fit(rows_of(300, random), kept_options("fixed"), single);
  const Table fresh = rows_of(1000, random);
  for (const char* kind : {"by", "weights", "keep_together", "local"}) {
    CalibrationOptions how;
    if (kind == std::string("by")) how.by = {"group"};
    if (kind == std::string("weights")) how.weights = "w";
    if (kind == std::string("keep_together")) how.keep_together = "x";
    if (kind == std::string("local")) how.local = 100;
    model.calibrate(rows_of(6000, random), single, how);
    const Matrix found = asked(model, fresh, {"below:0"});
    EXPECT_NEAR(found.col(0).mean(), zeros(fresh, -1), 0.05) << kind;
    const Regressor read = Regressor::from_bytes(model.to_bytes());
    EXPECT_EQ(asked(read, fresh, {"below:0"}), found) << kind;
    if (kind != std::string("by")) continue;
    for (const double group : {0.0, 1.0}) {
      double sum = 0, rows = 0;
      for (Index row = 0; row < fresh.rows(); ++row)
        if (fresh.values(row, 1) == group) {
          sum += found(row, 0);
          ++rows;
        }
      EXPECT_NEAR(sum / rows, zeros(fresh, group), 0.06) << group;
    }
  }
}

// Scores that a cluster has counted: no rows are kept, and rows of an earlier calibration are not used instead.
TEST(KeptRows, WithoutThemRanksAnswer) {
  Random random(4);
  const Regressor model = Regressor::fit(rows_of(500, random), kept_options("fixed"), single);
  std::vector<SignedScore> by_t;
  for (Index rank = 1; rank <= model.distribution().rows(); ++rank) by_t.push_back(model.distribution().signed_score(rank));
  const Regressor counted = with_counted_distribution(model, model.distribution().scores(), by_t);
  EXPECT_GT(model.kept_rows(), 0);
  EXPECT_EQ(counted.kept_rows(), 0);
  const Table fresh = rows_of(20, random);
  const Matrix found = asked(counted, fresh, {"below:0"});
  for (Index row = 0; row < fresh.rows(); ++row) {
    const std::array cells = {fresh.values(row, 0)};
    const auto by_ranks = model.distribution_at(cells).distribution().below_by_ranks(0);
    EXPECT_EQ(found(row, 0), by_ranks.value);
    EXPECT_EQ(found(row, 1), by_ranks.low);
  }
}

TEST(KeptRows, StreamsKeepTheMostRecent) {
  Random random(3);
  FitOptions options = kept_options("fixed");
  options.in_order = true;
  Regressor model = Regressor::fit(rows_of(400, random), options, single);
  const auto moved = [&](Index count) {
    Table table = rows_of(count, random);
    for (Index row = 0; row < count; ++row)
      if (table.values(row, 3) == 0 && random.uniform() < 0.8) table.values(row, 3) = 1;
    return table;
  };
  // In two runs with a file between them, and in one run.
  const Table first = moved(1500), second = moved(1500);
  Regressor stopped = Regressor::from_bytes(model.to_bytes());
  for (Regressor* one : {&model, &stopped}) {
    one->update(first, {}, single);
    if (one == &stopped) stopped = Regressor::from_bytes(stopped.to_bytes());
    one->update(second, {}, single);
  }
  EXPECT_EQ(model.to_bytes(), stopped.to_bytes());
  EXPECT_LE(Regressor::from_bytes(model.to_bytes()).kept_rows(), 2000);
  const Table fresh = moved(1000);
  EXPECT_NEAR(asked(model, fresh, {"below:0"}).col(0).mean(), zeros(fresh, -1), 0.05);
}

}  // namespace
}  // namespace taut
