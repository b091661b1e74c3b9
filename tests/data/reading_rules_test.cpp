// The rules by which new rows are read: those of this version, and those of model files of before.
#include <taut/data/csv/reader.hpp>
#include <taut/data/table_view.hpp>

#include <tests/support/files.hpp>

#include <cmath>

namespace taut {
namespace {

// Compares cell by cell; NaN equals NaN.
void expect_cells(const Table& table, const std::vector<std::vector<double>>& rows) {
  ASSERT_EQ(table.rows(), std::ssize(rows));
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t c = 0; c < rows[i].size(); ++c) {
      const double got = table.values(static_cast<Index>(i), static_cast<Index>(c));
      EXPECT_TRUE(got == rows[i][c] || (std::isnan(got) && std::isnan(rows[i][c]))) << i << "," << c << ": " << got;
    }
}

// None and the like are missing among numbers. Before the kind of a column is known they are kept as texts.
TEST(RulesOfReading, MissingWordsAmongNumbers) {
  const Folder folder;
  for (const std::string word : {"None", "nOnE", ".", "..", "*", "--", "\xE2\x80\x94", " . "}) {
    EXPECT_FALSE(is_missing_cell(word)) << word;
    EXPECT_TRUE(is_missing_cell(word, MissingSet::among_numbers)) << word;
    EXPECT_EQ(is_missing_cell(word, MissingSet::former), word.size() == 4 && word != " . ") << word;
    const std::string path = folder.write("a.csv", "x,c\n1," + word + "\n" + word + ",red\n3,\n");
    const Table table = read_table(path);
    EXPECT_EQ(table.columns[0].categories, (std::vector<std::string>{"1", word, "3"}));
    EXPECT_EQ(table.columns[1].categories, (std::vector<std::string>{word, "red"}));
    expect_cells(read_table(path, {.numbers = {"x"}}), {{1, 0}, {missing, 1}, {3, missing}});
    std::vector<Column> schema = {{"x"}, {"c", ColumnKind::category, {"red"}}};
    expect_cells(read_table_as(schema, path), {{1, 1}, {missing, 0}, {3, missing}});
    expect_cells(match(table, schema), {{1, 1}, {missing, 0}, {3, missing}});
    for (Column& column : schema) column.reading = ReadingRules::former;  // a model file of before
    const double former = word == "None" || word == "nOnE" ? missing : 1;
    expect_cells(read_table_as(schema, path), {{1, former}, {missing, 0}, {3, missing}});
    expect_cells(match(table, schema), {{1, former}, {missing, 0}, {3, missing}});
  }
}

// Blanks around texts and, if the column says so, case do not matter. A model file of before compares texts as they are.
TEST(RulesOfReading, SpellingsOfCategories) {
  const Folder folder;
  const std::string path = folder.write("a.csv", "c\nred\n\" red\xC2\xA0\"\nRed\n RED\nblue\n");
  std::vector<Column> schema = {{"c", ColumnKind::category, {"red", "blue"}}};
  const auto expect_both = [&](const std::vector<std::vector<double>>& expected, const std::vector<std::string>& unseen) {
    const Table read = read_table_as(schema, path), matched = match(read_table(path), schema);
    expect_cells(read, expected);
    expect_cells(matched, expected);
    EXPECT_EQ(read.mismatches[0].texts, unseen);
    EXPECT_EQ(matched.mismatches[0].texts, unseen);
  };
  expect_both({{0}, {0}, {2}, {2}, {1}}, {"Red", "RED"});
  schema[0].folds_case = true;
  expect_both({{0}, {0}, {0}, {0}, {1}}, {});
  schema[0].folds_case = false;
  schema[0].reading = ReadingRules::former;
  expect_both({{0}, {2}, {2}, {2}, {1}}, {" red\xC2\xA0", "Red", " RED"});
}

}  // namespace
}  // namespace taut
