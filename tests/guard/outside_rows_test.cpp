// Rows with numbers outside those of the calibration rows: which alarms there are, and when chance explains them.
#include <taut/core/random.hpp>
#include <taut/guard/outside_rows.hpp>

#include <tests/support/files.hpp>

namespace taut {
namespace {

const std::vector<Column> columns_outside = {{"x"}, {"c", ColumnKind::category, {"red", "blue"}}, {"when", ColumnKind::date}};
const std::vector<KnownNumbers> known_numbers = {{200, 0, 1}, {}, {200, 0, 86'400}};

Table outside_table(const std::vector<double>& x, double when = 0) {
  Table table{"rows", columns_outside, Matrix(std::ssize(x), 3), {}};
  for (std::size_t row = 0; row < x.size(); ++row) table.values.row(static_cast<Index>(row)) << x[row], 5, when;
  return table;
}

std::vector<Alarm> alarms_outside(const std::vector<double>& x, double when = 0) {
  OutsideRows outside(columns_outside, known_numbers);
  outside.add(outside_table(x, when));
  return outside.alarms();
}

TEST(OutsideRows, AreAlarmingWhereChanceDoesNotExplainThem) {
  // The k largest of 210 numbers are all among the last 10 with probability 1/21, 0.0021 and 8e-5 for k = 1, 2, 3; the rate is
  // 0.00025.
  std::vector<double> x(10, 0.5);
  x[0] = x[1] = 1.5;
  EXPECT_TRUE(alarms_outside(x).empty());
  x[2] = 1.25;
  const auto alarms = alarms_outside(x);
  ASSERT_EQ(std::ssize(alarms), 1);
  EXPECT_EQ(alarms[0].kind, AlarmKind::outside_rows);
  EXPECT_EQ(alarms[0].column, "x");
  expect_words(alarms[0].words, {"3 of 10 rows have", "'x' goes up to 1.5 in 3 rows, and from 0 to 1 in the calibration rows"});
  EXPECT_EQ(alarms[0].numbers, (std::vector<std::pair<std::string, double>>{{"rows", 10}, {"outside", 3}}));
}

TEST(OutsideRows, OnBothSidesAreTestedSeparately) {
  std::vector<double> x(10, 0.5);
  x[0] = x[1] = 1.5;
  x[2] = x[3] = -1;
  EXPECT_TRUE(alarms_outside(x).empty());
  x[4] = -2;
  expect_words(alarms_outside(x).at(0).words, {"5 of 10 rows", "'x' goes down to -2 in 3 rows and up to 1.5 in 2 rows"});
}

TEST(OutsideRows, FarOutAreAlarmingAlone) {
  EXPECT_TRUE(alarms_outside({0.5, 11}).empty());
  EXPECT_EQ(std::ssize(alarms_outside({0.5, 11.1})), 1);
  EXPECT_EQ(std::ssize(alarms_outside({-10.1})), 1);
  EXPECT_EQ(std::ssize(alarms_outside({infinity})), 1);
}

TEST(OutsideRows, AreNotFarFromFewNumbersOrASingleOne) {
  for (const KnownNumbers& numbers : {KnownNumbers{49, 0, 1}, KnownNumbers{1000, 0, 0}}) {
    OutsideRows outside({{"x"}}, {numbers});
    Table table{"rows", {{"x"}}, Matrix::Constant(1, 1, 100), {}};
    outside.add(table);
    EXPECT_TRUE(outside.alarms().empty());
  }
}

TEST(OutsideRows, IgnoreMissingCellsAndCategories) {
  EXPECT_TRUE(alarms_outside({missing, missing, missing}).empty());
  OutsideRows nothing(columns_outside, std::vector<KnownNumbers>(3));
  nothing.add(outside_table({1e9}));
  EXPECT_TRUE(nothing.alarms().empty());
}

TEST(OutsideRows, HaveDatesAsText) {
  expect_words(alarms_outside({0.5, 0.5}, 86'400.0 * 20).at(0).words,
               {"'when' goes up to 1970-01-21 in 2 rows, and from 1970-01-01 to 1970-01-02"});
}

TEST(OutsideRows, OfTheSameDistributionAreRarelyAlarming) {
  Random random(1);
  Index alarming = 0;
  constexpr Index files = 4000, calibration = 60, rows = 30;
  const std::vector<Column> one = {{"x"}};
  for (Index file = 0; file < files; ++file) {
    KnownNumbers numbers;
    for (Index row = 0; row < calibration; ++row) {
      const double value = random.uniform();
      numbers.add({1, value, value});
    }
    Table table{"rows", one, Matrix(rows, 1), {}};
    for (Index row = 0; row < rows; ++row) table.values(row, 0) = random.uniform();
    OutsideRows outside(one, {numbers});
    outside.add(table);
    alarming += std::ssize(outside.alarms());
  }
  // At most 1 in 1,000: 4 are expected at most, and 16 or more have probability 1e-5.
  EXPECT_LT(alarming, 16);
  EXPECT_GT(alarming, 0);
}

TEST(OutsideRows, OfPartsAreTakenTogether) {
  KnownNumbers numbers;
  numbers.add({});
  EXPECT_EQ(numbers.cells, 0);
  numbers.add({3, 5, 7});
  numbers.add({2, 6, 9});
  numbers.add({});
  EXPECT_EQ(numbers.cells, 5);
  EXPECT_EQ(numbers.minimum, 5);
  EXPECT_EQ(numbers.maximum, 9);
}

}  // namespace
}  // namespace taut
