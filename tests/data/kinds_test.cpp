#include <taut/data/kinds/kinds.hpp>

#include <taut/data/csv/reader.hpp>
#include <taut/data/kinds/date_text.hpp>

#include <tests/support/files.hpp>

namespace taut {
namespace {

using Texts = std::vector<std::string>;

Table table_of(const std::string& text, const CsvOptions& options = {}) {
  const Folder folder;
  return read_table(folder.write("t.csv", text), options);
}

TEST(Kinds, OnlyTheGivenRowsChoose) {
  const Table table = table_of("x,colour\n??,grey\n1,red\n2,blue\n,blue\n3,\nno,green\n");
  ASSERT_TRUE(table.columns[0].is_categorical());
  const auto kinds = columns_of(infer_columns(table, Rows{4, 3, 2, 1}));
  ASSERT_EQ(kinds.size(), 2U);
  EXPECT_EQ(kinds[0], Column{"x"});
  EXPECT_EQ(kinds[1], (Column{"colour", ColumnKind::category, {"blue", "red"}}));  // the most frequent first
  const TableView matched = TableView(table).matched(kinds);
  EXPECT_EQ(matched(2, 0), 2);
  EXPECT_TRUE(std::isnan(matched(0, 0)));
  EXPECT_EQ(matched(5, 1), kinds[1].other_code());

  EXPECT_TRUE(columns_of(infer_columns(table, Rows{0, 1}))[0].is_categorical());
  EXPECT_EQ(columns_of(infer_columns(table, Rows{0, 1}))[0].categories, (Texts{"??", "1"}));
}

// The categories of the table are in the order of all its rows; those of the schema must be in the order of the given rows only.
TEST(Kinds, EquallyFrequentOnesByTheirFirstRow) {
  const Table table = table_of("c\nb\na\nc\nb\na\n");  // row 0 is not among the given rows
  EXPECT_EQ(columns_of(infer_columns(table, Rows{1, 2, 3}))[0].categories, (Texts{"a", "c", "b"}));
  EXPECT_EQ(columns_of(infer_columns(table, Rows{3, 2, 1}))[0].categories, (Texts{"a", "c", "b"}));
  EXPECT_EQ(columns_of(infer_columns(table, Rows{1, 2, 3, 4}))[0].categories, (Texts{"a", "c", "b"}));
}

TEST(Kinds, DeclaredCategoriesStayCategories) {
  const Table table = table_of("zip,x\n1,1\n2,2\n1,3\n", {.categories = {"zip"}});
  const auto kinds = columns_of(infer_columns(table, Rows{0, 1, 2}));
  EXPECT_EQ(kinds[0], (Column{"zip", ColumnKind::category, {"1", "2"}}));
  EXPECT_EQ(kinds[1], Column{"x"});
}

TEST(Kinds, WithoutAValueThereAreNoCategories) {
  const Table table = table_of("a,b\nx,1\n,2\nNA,3\n");
  EXPECT_EQ(columns_of(infer_columns(table, Rows{1, 2}))[0], Column{"a"});
  EXPECT_EQ(columns_of(infer_columns(table, Rows{}))[0], Column{"a"});
}

std::string with_cells(const std::vector<std::string>& cells) {
  std::string text = "c,x\n";  // a line with an empty cell only would be a blank line
  for (const auto& cell : cells) text += cell + ",1\n";
  return text;
}

InferredColumn inferred(const std::vector<std::string>& cells, const Rows& rows) {
  return infer_columns(table_of(with_cells(cells)), rows).front();
}

// None is a level or a missing cell by what the given rows hold beside it. Other rows have no say.
TEST(Kinds, NoneByTheKindOfTheGivenRows) {
  const std::vector<std::string> cells = {"None", "1", "2", "None", "Some", "Marked", ""};
  EXPECT_EQ(inferred(cells, {0, 1, 2, 3}).column, Column{"c"});
  EXPECT_EQ(inferred(cells, {0, 3, 4, 5}).column.categories, (Texts{"None", "Some", "Marked"}));
  EXPECT_EQ(inferred(cells, {0, 3, 6}).column.categories, (Texts{"None"}));
  EXPECT_EQ(inferred({"None", "None", ""}, {0, 1, 2}).column.categories, (Texts{"None"}));
  EXPECT_EQ(inferred({"None", "None", "5"}, {0, 1, 2}).column, Column{"c"});
}

TEST(Kinds, FormatsOfTheGivenRowsOnly) {
  const std::vector<std::string> cells = {"13.5.45", "14.5.99", "15.5.01", "13.5.02"};
  EXPECT_EQ(inferred(cells, {1, 2, 3}).column.format.last_short_year, TextFormat::posix_short_year);
  EXPECT_EQ(inferred(cells, {0, 1, 2}).column.format.last_short_year, short_year_of_version);
  const std::vector<std::string> spelled = {"Yes sir", "yes sir", "no", "Yes sir", "no"};
  EXPECT_TRUE(inferred(spelled, {0, 1, 2}).column.folds_case);
  EXPECT_FALSE(inferred(spelled, {0, 3, 2, 4}).column.folds_case);
  const std::vector<std::string> times = {"12:10", "13:10", "75:10"};
  EXPECT_EQ(inferred(times, {0, 1}).column.kind, ColumnKind::date);
  EXPECT_TRUE(inferred(times, {0, 1, 2}).column.format.is_duration);
}

TEST(Kinds, DaysInEightDigits) {
  const Table table = table_of("d,x\n19750103,\n19750104,\n19750205,\n19750306,\n,1\n19750407,\n19759999,\n");
  const auto judged = infer_columns(table, Rows{0, 1, 2, 3, 4, 5}).front();
  ASSERT_EQ(judged.column.kind, ColumnKind::date);
  const TableView read = TableView(table).matched({judged.column});
  EXPECT_EQ(read(1, 0) - read(0, 0), 86400);
  EXPECT_TRUE(std::isnan(read(4, 0)));
  EXPECT_TRUE(std::isnan(read(6, 0)));  // no day; counted like any cell that the model cannot read
  EXPECT_EQ(read.mismatches()[0].cells, 1);
  EXPECT_EQ(infer_columns(table, Rows{0, 1, 2, 3, 6}).front().column, Column{"d"});
  EXPECT_EQ(infer_columns(table, Rows{0, 1, 2, 3, 5}, {.numeric = {"d"}}).front().column, Column{"d"});
}

TEST(Kinds, GroupsOfNumbersAndNone) {
  const Column raw{"g", ColumnKind::category, {"1", "None", "2"}, true};
  EXPECT_EQ(column_of_values(raw), Column{"g"});
  EXPECT_EQ(column_of_values({"g", ColumnKind::category, {"a", " a", "None"}, true}).categories, (Texts{"a", "None"}));
  EXPECT_EQ(column_of_values({"g", ColumnKind::category, {"1", "2"}, true}).categories, (Texts{"1", "2"}));
}

}  // namespace
}  // namespace taut
