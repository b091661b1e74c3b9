#include <taut/data/kinds/kinds.hpp>

#include <taut/data/csv/reader.hpp>

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

}  // namespace
}  // namespace taut
