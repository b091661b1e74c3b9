// Columns of which no cell can be used: which alarms there are, and when chance explains them.
#include <taut/guard/unusable_columns.hpp>

#include <tests/support/files.hpp>

namespace taut {
namespace {

const std::vector<Column> schema = {{"x"}, {"c", ColumnKind::category, {"red", "blue"}}, {"d", ColumnKind::date}};

// Rows with these cells in the three columns.
Table rows_of(const std::vector<std::array<double, 3>>& cells) {
  Table table{"rows", schema, Matrix(std::ssize(cells), 3), {}};
  for (std::size_t row = 0; row < cells.size(); ++row)
    for (Index column = 0; column < 3; ++column)
      table.values(static_cast<Index>(row), column) = cells[row][static_cast<std::size_t>(column)];
  return table;
}

std::vector<AlarmKind> kinds_of(const std::vector<Alarm>& alarms) {
  std::vector<AlarmKind> kinds;
  for (const Alarm& alarm : alarms) kinds.push_back(alarm.kind);
  return kinds;
}

using Kinds = std::vector<AlarmKind>;

TEST(UnusableColumns, AreToldFromColumnsWithSomeBadCells) {
  Mismatches mismatches = no_mismatches(schema);
  mismatches[0].add("1,5");
  mismatches[0].add("2,5");
  mismatches[1].add("rot", 2);
  const std::vector<AbsentCells> known(3, {100, 0});
  UsableColumns usable;
  usable.add(rows_of({{missing, 2, 5}}));
  usable.add(rows_of({{missing, 2, 5}}));
  const auto alarms = alarms_of_columns(usable, schema, known, mismatches);
  EXPECT_EQ(kinds_of(alarms), (Kinds{AlarmKind::unusable_columns, AlarmKind::unusable_columns}));
  expect_words(alarms[0].words, {"'x'", "all 2 cells", "'1,5', '2,5'", "decimal points; --decimal , reads these"});
  expect_words(alarms[1].words, {"'c'", "all 2 cells", "'rot'", "'red', 'blue'"});
  usable.add(rows_of({{3, 0, 5}}));
  EXPECT_EQ(kinds_of(alarms_of_columns(usable, schema, known, mismatches)),
            (Kinds{AlarmKind::text_among_numbers, AlarmKind::unseen_categories}));
}

TEST(UnusableColumns, OfOneRowAreSaidAsInAnyRow) {
  Mismatches mismatches = no_mismatches(schema);
  mismatches[1].add("rot");
  UsableColumns usable;
  usable.add(rows_of({{1, 2, 5}}));
  EXPECT_EQ(kinds_of(alarms_of_columns(usable, schema, std::vector<AbsentCells>(3, {100, 0}), mismatches)),
            Kinds{AlarmKind::unseen_categories});
}

TEST(UnusableColumns, AreEmptyByChanceOnlyIfKnownRowsAre) {
  const auto alarms = [](Index rows, AbsentCells known) {
    UsableColumns usable;
    for (Index row = 0; row < rows; ++row) usable.add(rows_of({{missing, 0, 5}}));
    return kinds_of(alarms_of_columns(usable, schema, std::vector<AbsentCells>(3, known), no_mismatches(schema)));
  };
  const Kinds none, empty{AlarmKind::empty_columns};
  EXPECT_EQ(alarms(1, {100, 0}), none);
  EXPECT_EQ(alarms(1, {100'000, 0}), empty);
  EXPECT_EQ(alarms(2, {5, 0}), empty);
  EXPECT_EQ(alarms(2, {100, 1}), none);
  EXPECT_EQ(alarms(3, {100, 1}), empty);
  EXPECT_EQ(alarms(20, {100, 90}), none);
  EXPECT_EQ(alarms(2, {0, 0}), none);
}

TEST(UnusableColumns, WithoutKnownTextsAreStillSaid) {
  Mismatches mismatches = no_mismatches(schema);
  mismatches[1].add({}, 3);
  UsableColumns usable;
  usable.add(rows_of({{1, 2, 5}, {1, 2, 5}, {1, 2, 5}}));
  const auto alarms = alarms_of_columns(usable, schema, std::vector<AbsentCells>(3, {100, 0}), mismatches);
  ASSERT_EQ(kinds_of(alarms), Kinds{AlarmKind::unusable_columns});
  expect_words(alarms[0].words, {"all 3 cells are categories that the fit has not seen, and the model knows"});
}

}  // namespace
}  // namespace taut
