// An alarm is only useful if its rate of false alarms is known: that is tested first.
#include <taut/guard/drift/drift_check.hpp>

#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/split.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <tuple>

namespace taut {
namespace {

// A number, a number with few values, one that is often missing, and a category with a rare value.
Table mixed_rows(Index rows, Random& random) {
  Table table;
  table.columns = {{"smooth"}, {"ties"}, {"gaps"}, {"colour", ColumnKind::category, {"red", "green", "blue"}}};
  table.values.resize(rows, 4);
  for (Index row = 0; row < rows; ++row) {
    const double u = random.uniform();
    table.values.row(row) << random.normal(), std::floor(random.uniform(0, 3)), random.uniform() < 0.3 ? missing : u,
        u < 0.5    ? 0
        : u < 0.98 ? 1
                   : 2;
  }
  return table;
}

std::vector<DriftFinding> compare(const Table& before, const Table& after, double rate = DriftCheck::false_alarms) {
  const InputSummary summary(before, all_rows(before.rows()), Matrix(before.rows(), 0), 1);
  DriftCheck check(summary, before.columns, {});
  check.add(after, Matrix(after.rows(), 0));
  return check.findings(rate);
}

// The probability of a false alarm is at most `rate`, for few rows, unequal numbers of rows and ties. It is not far below `rate`
// either, or the check would miss too much.
TEST(DriftCheck, RaisesFalseAlarmsNoMoreOftenThanItSays) {
  Random random(1);
  for (const auto& [n, m, rate] :
       {std::tuple{60, 40, 0.001}, {25, 300, 0.001}, {400, 200, 0.001}, {60, 40, 0.1}, {25, 300, 0.1}, {400, 200, 0.1}}) {
    const Index files = n + m > 500 ? 4000 : 10000;
    Index alarms = 0;
    for (Index file = 0; file < files; ++file)
      alarms += compare(mixed_rows(n, random), mixed_rows(m, random), rate).empty() ? 0 : 1;
    const double share = static_cast<double>(alarms) / static_cast<double>(files);
    EXPECT_GT(1 - binomial_cdf(alarms - 1, files, rate), 1e-5) << n << " and " << m << " rows: " << share << " for " << rate;
    EXPECT_TRUE(rate < 0.01 || share > rate / 10) << n << " and " << m << " rows: " << share;
    std::printf("%d and %d rows, at most %g: %g of %td files\n", n, m, rate, share, files);
  }
}

TEST(DriftCheck, FindsWhatIsDifferentAndNothingElse) {
  Random random(2);
  const Table before = mixed_rows(300, random);
  const auto found_after = [&](auto change) {
    Table after = mixed_rows(300, random);
    for (Index row = 0; row < after.rows(); ++row) change(after.values.row(row), row);
    std::string columns;
    for (const DriftFinding& shift : compare(before, after)) columns += shift.column + " ";
    return columns;
  };
  EXPECT_EQ(found_after([](auto, Index) {}), "");
  EXPECT_EQ(found_after([](auto row, Index) { row(0) += 0.6; }), "smooth ");
  EXPECT_EQ(found_after([](auto row, Index) { row(0) *= 2.5; }), "smooth ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(0) += i % 10 == 0 ? 1000 : 0; }), "smooth ");  // one row in ten
  EXPECT_EQ(found_after([](auto row, Index) { row(1) = 2; }), "ties ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(2) = i % 5 == 0 ? 0.5 : missing; }), "gaps ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(3) = i % 4 == 0 ? 2 : row(3); }), "colour ");
  EXPECT_EQ(found_after([](auto row, Index i) { row(3) = i % 4 == 0 ? 3 : row(3); }), "colour ");  // values never seen
  EXPECT_EQ(found_after([](auto row, Index i) { row(3) = i % 4 == 0 ? missing : row(3); }), "colour ");
}

TEST(DriftCheck, SaysWhatIsDifferent) {
  Random random(3);
  const Table before = mixed_rows(400, random);
  Table after = mixed_rows(400, random);
  after.values.col(0).array() += 3;
  after.values.col(3).setConstant(2);
  const auto found = compare(before, after);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].column, "colour");
  EXPECT_NE(found[0].words.find("100 % of the rows have the value 'blue'; of the calibration rows"), std::string::npos)
      << found[0].words;
  EXPECT_NE(found[1].words.find("of the rows lie at or below"), std::string::npos) << found[1].words;
  EXPECT_LT(found[1].p_value, 1e-10);
}

TEST(DriftCheck, SaysDatesAsDates) {
  constexpr double day = 86'400;
  Table before{"t", {{"sold", ColumnKind::date}}, Matrix(400, 1), {}};
  for (Index row = 0; row < before.rows(); ++row) before.values(row, 0) = day * static_cast<double>(row % 20);
  Table after = before;
  after.values.array() += 30 * day;
  const auto found = compare(before, after);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NE(found[0].words.find(" 1970-01-"), std::string::npos) << found[0].words;
}

// A single row may be unusual, but it cannot show that the source has changed.
TEST(DriftCheck, FewRowsProveNothing) {
  Random random(4);
  Table one = mixed_rows(1, random);
  one.values << 1e9, 1e9, 1e9, 2;
  EXPECT_TRUE(compare(mixed_rows(500, random), one).empty());
  EXPECT_TRUE(compare(one, mixed_rows(500, random)).empty());
  EXPECT_TRUE(compare(mixed_rows(500, random), mixed_rows(0, random)).empty());
}

// A category of many values: half of the rows have any of them, the other half mostly one of the first few.
Table many_values(Index rows, Index values, Random& random) {
  static std::map<Index, std::vector<std::string>> names;
  auto& known = names[values];
  for (Index i = std::ssize(known); i < values; ++i) known.push_back("v" + std::to_string(i));
  Table table{"t", {{"customer", ColumnKind::category, known}}, Matrix(rows, 1), {}};
  for (Index row = 0; row < rows; ++row) {
    const bool is_rare = random.uniform() < 0.5;
    const double frequent = std::floor(1 / random.uniform(1e-9, 1)) - 1;
    table.values(row, 0) =
        is_rare ? static_cast<double>(random.below(values)) : std::min(frequent, static_cast<double>(values - 1));
  }
  return table;
}

// Categories are those of the training rows, so calibration rows and new rows differ only by chance: many values, values that
// training did not have, values that occur once.
struct ManyCategories {
  Index values, calibration_rows, rows, files;
  std::vector<double> rates;
};

void expect_no_false_alarms(const std::vector<ManyCategories>& cases) {
  Random random(5);
  for (const auto& [values, n, m, files, rates] : cases) {
    Index unseen = 0;
    std::vector<Index> alarms(rates.size());
    for (Index file = 0; file < files; ++file) {
      const Table training = many_values(300, values, random);
      const auto schema = columns_of(infer_columns(training, all_rows(training.rows())));
      const Table before = match(many_values(n, values, random), schema), after = match(many_values(m, values, random), schema);
      unseen += (after.values.array() == schema[0].other_code()).count();
      for (std::size_t i = 0; i < rates.size(); ++i) alarms[i] += compare(before, after, rates[i]).empty() ? 0 : 1;
    }
    EXPECT_GT(static_cast<double>(unseen) / static_cast<double>(files * m), 0.2) << "few values are new: the case is not tested";
    for (std::size_t i = 0; i < rates.size(); ++i) {
      EXPECT_GT(1 - binomial_cdf(alarms[i] - 1, files, rates[i]), 1e-5) << values << " values: " << alarms[i] << " of " << files;
      std::printf("%td values, %td and %td rows, at most %g: %td of %td files\n", values, n, m, rates[i], alarms[i], files);
    }
  }
}

TEST(DriftCheck, ManyCategoriesRaiseNoFalseAlarms) { expect_no_false_alarms({{500, 100, 150, 4000, {0.001, 0.1}}}); }

TEST(DriftCheck, ManyMoreCategoriesRaiseNoFalseAlarmsSlow) {
  expect_no_false_alarms({{500, 300, 100, 4000, {0.1}}, {5000, 100, 150, 1500, {0.1, 0.001}}});
}

// Many rare values do not hide the frequent ones, and all values that training did not have count as one value.
TEST(DriftCheck, FindsWhatHappensToMany) {
  Random random(6);
  const Table training = many_values(2000, 5000, random);
  const auto schema = columns_of(infer_columns(training, all_rows(training.rows())));
  const Table before = match(many_values(500, 5000, random), schema);
  Table after = match(many_values(500, 5000, random), schema);
  EXPECT_TRUE(compare(before, after).empty());
  const Table same = after;
  after.values.topRows(120).setConstant(0);
  ASSERT_EQ(compare(before, after).size(), 1U);
  EXPECT_NE(compare(before, after)[0].words.find("have the value '" + schema[0].categories[0] + "'"), std::string::npos);
  after = same;
  after.values.topRows(150).setConstant(schema[0].other_code());
  ASSERT_EQ(compare(before, after).size(), 1U);
  EXPECT_NE(compare(before, after)[0].words.find("have a value that the fit did not know"), std::string::npos);
  after = same;
  after.values.topRows(250).setConstant(schema[0].other_code() - 1);
  ASSERT_EQ(compare(before, after).size(), 1U);
  EXPECT_NE(compare(before, after)[0].words.find("have one of the rarer values"), std::string::npos);
}

}  // namespace
}  // namespace taut
