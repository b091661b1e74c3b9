// --check-shift for kinds of calibration whose new rows are not expected to be distributed like the calibration rows.
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace taut {
namespace {

Index repetitions(Index usual, Index at_length) {
  const char* asked = std::getenv("TAUT_VALIDATE");
  return asked != nullptr && std::string(asked) == "long" ? at_length : usual;
}

// Columns x, group, w, p = 0 and y. Rows come in groups of eight with an x that is nearly the same; x is shifted by `mean`.
Table rows_of(Index groups, Index size, double mean, Index first_group, Random& random) {
  Table table{"rows", {}, Matrix(groups * size, 5), {}};
  for (const char* name : {"x", "group", "w", "p", "y"}) table.columns.push_back({name});
  for (Index group = 0; group < groups; ++group) {
    const double centre = mean + random.normal();
    for (Index i = 0; i < size; ++i) {
      const double x = size == 1 ? centre : centre + 0.01 * random.normal();
      table.values.row(group * size + i) << x, static_cast<double>(first_group + group), std::exp(x - 0.5), 0, random.normal();
    }
  }
  return table;
}

Regressor fitted(Random& random) {
  FitOptions options;
  options.target = "y";
  options.prediction = "p";
  options.localizer = "none";
  options.drop = {"group", "w"};
  return Regressor::fit(rows_of(100, 1, 0, 0, random), options, ExecutionContext{.threads = 1});
}

bool alarms(const Regressor& model, const Table& rows) {
  DriftCheck check = model.begin_drift_check();
  model.add_rows(check, rows, ExecutionContext{.threads = 1});
  return !check.findings().empty();
}

TEST(Population, RaisesFalseAlarmsNoMoreOftenThanItSays) {
  const ExecutionContext context{.threads = 1};
  for (const std::string kind : {"--keep-together", "--weights", "--towards"}) {
    Random random(3);
    Regressor model = fitted(random);
    const bool together = kind == "--keep-together", towards = kind == "--towards";
    const Index count = towards ? repetitions(5, 200) : repetitions(400, 4000);
    Index found = 0, naive = 0, power = 0;
    for (Index again = 0; again < count; ++again) {
      const Table calibration = together ? rows_of(40, 8, 0, 0, random) : rows_of(150, 1, 0, 0, random);
      const Table other = rows_of(150, 1, 1, 0, random);
      CalibrationOptions how;
      if (together) how.keep_together = "group";
      if (kind == "--weights") how.weights = "w";
      if (towards) how.towards = TableView(other);
      model.calibrate(calibration, context, how);
      // New rows without drift: whole new groups, or rows of the other population.
      const Table fresh = together ? rows_of(40, 8, 0, 1000, random) : rows_of(150, 1, 1, 0, random);
      const Table shifted = together ? rows_of(40, 8, 3, 1000, random) : rows_of(150, 1, -3, 0, random);
      found += alarms(model, fresh) ? 1 : 0;
      power += alarms(model, shifted) ? 1 : 0;
      model.calibrate(calibration, context, {.plain = true});
      naive += alarms(model, fresh) ? 1 : 0;
    }
    std::printf("%s: %ld false alarms in %ld files, %ld of a shift; compared with the calibration rows as they are: %ld\n",
                kind.c_str(), static_cast<long>(found), static_cast<long>(count), static_cast<long>(power),
                static_cast<long>(naive));
    EXPECT_GT(1 - binomial_cdf(found - 1, count, DriftCheck::false_alarms), 1e-4) << kind << " " << found;
    EXPECT_EQ(power, count) << kind;
    EXPECT_GT(naive, count / 2) << kind << ": this test notices the mistake";
  }
}

TEST(Population, IsReadBackAndDoesNotDependOnTheOrderOfRows) {
  Random random(4);
  Regressor model = fitted(random);
  const Table rows = rows_of(30, 8, 0, 0, random), fresh = rows_of(20, 8, 0.7, 50, random);
  Table shuffled = rows;
  const Rows order = random.permutation(rows.rows());
  for (Index i = 0; i < rows.rows(); ++i) shuffled.values.row(i) = rows.values.row(order[static_cast<std::size_t>(i)]);
  for (const CalibrationOptions& how : {CalibrationOptions{.weights = "w"}, CalibrationOptions{.keep_together = "group"}}) {
    model.calibrate(rows, {}, how);
    const std::string bytes = model.to_bytes();
    const Regressor again = Regressor::from_bytes(bytes);
    DriftCheck one = model.begin_drift_check(), other = again.begin_drift_check();
    model.add_rows(one, fresh);
    // In two batches, which split a group.
    Table first = fresh, second = fresh;
    first.values = Matrix(fresh.values.topRows(77));
    second.values = Matrix(fresh.values.bottomRows(fresh.rows() - 77));
    again.add_rows(other, first);
    again.add_rows(other, second);
    EXPECT_EQ(one.rows(), other.rows());
    const auto a = one.findings(1), b = other.findings(1);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].words, b[i].words);
    model.calibrate(shuffled, {}, how);
    EXPECT_EQ(model.to_bytes(), bytes);
  }
  const Table bare = rows_of(5, 1, 0, 0, random);
  TableView without("rows", 5);
  without.append(TableView(bare).matched({{"x"}, {"p"}}));
  DriftCheck check = model.begin_drift_check();
  EXPECT_THROW(model.add_rows(check, without), Error);  // the group column is missing
}

}  // namespace
}  // namespace taut
