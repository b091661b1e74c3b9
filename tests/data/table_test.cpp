#include <taut/core/text.hpp>
#include <taut/data/split.hpp>
#include <taut/data/table_view.hpp>

#include <tests/support/files.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

Table example() {
  Table table{"houses.csv", {{"price"}, {"kind", ColumnKind::category, {"flat", "house"}}, {"rooms"}}, Matrix(3, 3), {2, 3, 5}};
  table.values << 1.5, 0, 3, 2.5, missing, 4, 3.5, 1, missing;
  return table;
}

TEST(Table, FindsAndNames) {
  Table table = example();
  EXPECT_EQ(table.find("rooms"), 2);
  EXPECT_EQ(table.find("room"), std::nullopt);
  EXPECT_EQ(table.require("kind"), 1);
  EXPECT_EQ(table.where(2, 0), "houses.csv, line 5, column 'price'");
  expect_words(complaint([&] { table.require("prise"); }),
               {"houses.csv", "'prise'", "did you mean 'price'?", "price, kind, rooms"});
  table.lines.clear();
  EXPECT_EQ(table.where(2, 0), "houses.csv, row 3, column 'price'");
}

TEST(Match, OrderExtraColumnsAndCategories) {
  const Table table = example();
  const std::vector<Column> schema = {{"rooms"}, {"kind", ColumnKind::category, {"castle", "house"}}};
  const Table matched = match(table, schema);
  EXPECT_EQ(matched.columns, schema);
  EXPECT_EQ(matched.source, table.source);
  EXPECT_EQ(matched.lines, table.lines);
  EXPECT_EQ(matched.values(0, 0), 3);
  EXPECT_TRUE(std::isnan(matched.values(2, 0)));
  EXPECT_EQ(matched.values(0, 1), schema[1].other_code());  // flat
  EXPECT_TRUE(std::isnan(matched.values(1, 1)));            // missing
  EXPECT_EQ(matched.values(2, 1), 1);
  EXPECT_EQ(match(table, table.columns).values.col(0), table.values.col(0));
  expect_words(complaint([&] { match(table, {{"room"}}); }), {"no column 'room'", "did you mean 'rooms'?"});
  // "Other" is matched to "other".
  EXPECT_EQ(match(matched, {{"kind", ColumnKind::category, {"house"}}}).values(0, 0), 1);
  EXPECT_TRUE(std::isnan(match(matched, {{"kind"}}).values(0, 0)));
}

TEST(Match, NumbersAndCategoriesThatLookAlike) {
  Table table{"t", {{"zip"}}, Matrix(3, 1), {}};
  table.values << 1, 2.5, 7;
  const Table codes = match(table, {{"zip", ColumnKind::category, {"x", "1.0", "1", "2.50"}}});
  EXPECT_EQ(codes.values(0, 0), 2);
  EXPECT_EQ(codes.values(1, 0), 3);
  EXPECT_EQ(codes.values(2, 0), codes.columns[0].other_code());
  EXPECT_EQ(match(codes, {{"zip"}}).values(1, 0), 2.5);
}

// A text in a column of numbers is a missing cell, or an error where every cell must hold a number.
TEST(Match, TextsAmongNumbers) {
  EXPECT_TRUE(std::isnan(match(example(), {{"kind"}}).values(0, 0)));
  expect_words(complaint([&] { match(example(), {{.name = "kind", .is_strict = true}}); }),
               {"line 2", "column 'kind'", "'flat'", "number"});
}

TEST(Match, CountsAndQuotesWhatDoesNotFit) {
  Table table{
      "t",
      {{"kind", ColumnKind::category, {"a", "b", "c", "1"}}, {"x", ColumnKind::category, {"1", "2", "much", "1e999"}}, {"n"}},
      Matrix(4, 3),
      {}};
  table.values << 1, 2, 5, 2, 0, 6, 1, 2, 7, missing, 3, missing;
  const std::vector<Column> schema = {{"kind", ColumnKind::category, {"a"}}, {"x"}, {"n", ColumnKind::category, {"5", "6.0"}}};
  const TableView matched = TableView(table).matched(schema);
  const Mismatches& mismatches = matched.mismatches();
  ASSERT_EQ(mismatches.size(), 3U);
  EXPECT_EQ(mismatches[0].column, "kind");
  EXPECT_TRUE(mismatches[0].is_categorical);
  EXPECT_EQ(mismatches[0].cells, 3);
  EXPECT_EQ(mismatches[0].texts, (std::vector<std::string>{"b", "c"}));
  EXPECT_FALSE(mismatches[1].is_categorical);
  EXPECT_EQ(mismatches[1].cells, 2);
  EXPECT_EQ(mismatches[1].texts, (std::vector<std::string>{"much"}));
  EXPECT_EQ(matched(3, 1), infinity);  // as the CSV reader reads it
  EXPECT_EQ(mismatches[2].texts, (std::vector<std::string>{"7"}));
  // If the table is matched once more, nothing is counted twice and the texts are still available.
  const TableView again = matched.matched(schema);
  EXPECT_EQ(again.mismatches()[0].cells, 3);
  EXPECT_EQ(again.mismatches()[0].texts.size(), 2U);
  EXPECT_EQ(again.mismatches()[1].cells, 2);
}

// The user's words for missing cells match texts in any case, and numbers however they are written.
TEST(TableView, WithMissingForgetsWordsAndNumbers) {
  Table table{"t",
              {{"n"}, {"kind", ColumnKind::category, {"a", "Unknown", "b", "-999"}}, {"flag", ColumnKind::boolean}},
              Matrix(4, 3),
              {}};
  table.values << -999, 0, 1, 1, 1, 0, 2, 2, 1, missing, 3, missing;
  const std::vector<std::string> words = {"unknown", "-999.0", "0"};
  const TableView view = TableView(table).with_missing(words);
  EXPECT_TRUE(std::isnan(view(0, 0)));
  EXPECT_EQ(view(1, 0), 1);
  EXPECT_EQ(view.columns()[1].categories, (std::vector<std::string>{"a", "b", "-999"}));  // a category is compared as a text
  EXPECT_EQ(view(0, 1), 0);
  EXPECT_TRUE(std::isnan(view(1, 1)));
  EXPECT_EQ(view(2, 1), 1);
  EXPECT_EQ(view(3, 1), 2);
  EXPECT_EQ(view(1, 2), 0);  // "no" is not the number 0
  for (const Column& column : view.columns()) EXPECT_EQ(column.missing_words, words);
  EXPECT_EQ(TableView(table).with_missing({}).columns(), table.columns);
}

TEST(Match, WordsOfTheSchemaAreMissingAndNoMismatch) {
  Table table{"t",
              {{"n"},
               {"text", ColumnKind::category, {"1", "unknown", "-999,0", "abc"}},
               {"kind", ColumnKind::category, {"a", "UNKNOWN"}}},
              Matrix(4, 3),
              {}};
  table.values << -999, 0, 0, 1, 1, 1, 2, 2, missing, missing, 3, 2;
  std::vector<Column> schema = {{"n"}, {"text"}, {"kind", ColumnKind::category, {"a"}}};
  schema[1].format.decimal = ',';
  for (Column& column : schema) column.missing_words = {"unknown", "-999"};
  const TableView matched = TableView(table).matched(schema);
  EXPECT_TRUE(std::isnan(matched(0, 0)));
  EXPECT_EQ(matched(1, 0), 1);
  EXPECT_EQ(matched(0, 1), 1);
  for (const Index row : {1, 2, 3}) EXPECT_TRUE(std::isnan(matched(row, 1))) << row;
  EXPECT_EQ(matched(0, 2), 0);
  EXPECT_TRUE(std::isnan(matched(1, 2)));
  EXPECT_EQ(matched(3, 2), 1);
  EXPECT_EQ(matched.mismatches()[0].cells, 0);
  EXPECT_EQ(matched.mismatches()[1].texts, (std::vector<std::string>{"abc"}));
  EXPECT_EQ(matched.mismatches()[2].cells, 1);
}

// A table that was filled by hand may hold wrong codes.
TEST(Match, CodesThatTheColumnDoesNotHaveAreRefused) {
  for (const double code : {-1.0, 4.0, 0.5, 1e300, -infinity, infinity}) {
    Table table = example();
    table.values(2, 1) = code;
    const std::vector<Column> others = {{"kind", ColumnKind::category, {"house"}}}, numbers = {{"kind"}};
    for (const auto& schema : {table.columns, others, numbers})
      expect_words(complaint([&] { match(table, schema); }),
                   {"houses.csv, line 5, column 'kind'", "the code " + print_number(code), "2 categories"});
  }
}

TEST(TableView, NumbersStayWhereTheyAre) {
  std::vector<double> doubles = {1, 2, 3, 4, 5, 6};
  const std::vector<float> floats = {0.1F, 0.2F, 0.3F};
  TableView view("arrays", 3);
  view.add({"a"}, CellsView(doubles.data(), 2));
  view.add({"b"}, CellsView(doubles.data() + 5, -1));
  view.add({"c"}, CellsView(floats.data(), 1));
  view.add({"d", ColumnKind::category, {"red", "blue"}}, std::vector<double>{1, 0, 1});
  EXPECT_EQ(view(2, 0), 5);
  EXPECT_EQ(view(2, 1), 4);
  EXPECT_EQ(view(1, 2), static_cast<double>(0.2F));
  EXPECT_EQ(view.where(1, 2), "arrays, row 2, column 'c'");
  expect_words(complaint([&] { view.require("e"); }), {"no column 'e'", "a, b, c, d"});

  // A choice of columns uses the same memory, and keeps it alive if the first view owned it.
  const TableView chosen = [&] { return TableView(view).matched({{"d", ColumnKind::category, {"red", "blue"}}, {"a"}}); }();
  view = TableView("nothing", 0);
  EXPECT_EQ(chosen(0, 0), 1);
  doubles[4] = 50;
  EXPECT_EQ(chosen(2, 1), 50);
  const Table copied = chosen.copy();
  EXPECT_EQ(copied.values(2, 1), 50);
  EXPECT_EQ(copied.names(), (std::vector<std::string>{"d", "a"}));
}

std::vector<Index> sorted_union(const std::vector<Rows>& parts) {
  Rows all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Split, SharesThatSumToOneUseEveryRow) {
  for (const auto& shares : {std::vector<double>{.1, .2, .7}, {.6, .15, .25}, {1. / 3, 1. / 3, 1. / 3}, {0, 1, 0}, {1}}) {
    for (const Index count : {0, 1, 2, 3, 10, 19, 1000}) {
      Random random(1);
      const auto cut = parts(count, shares, random);
      ASSERT_EQ(cut.size(), shares.size());
      EXPECT_EQ(sorted_union(cut), all_rows(count));
      for (std::size_t i = 0; i < cut.size(); ++i)
        EXPECT_NEAR(static_cast<double>(cut[i].size()), shares[i] * static_cast<double>(count), 1.0);
    }
  }
}

TEST(Split, SharesBelowOneLeaveRowsAndWrongOnesAreRefused) {
  Random random(1);
  const auto cut = parts(100, std::vector<double>{.25, .25}, random);
  EXPECT_EQ(cut[0].size(), 25U);
  EXPECT_EQ(cut[1].size(), 25U);
  EXPECT_THROW(parts(10, std::vector<double>{.6, .6}, random), UsageError);
  EXPECT_THROW(parts(10, std::vector<double>{1.1, -.1}, random), UsageError);
  EXPECT_THROW(parts(10, std::vector<double>{missing}, random), UsageError);
}

TEST(Split, FoldsPartitionTheirRows) {
  Rows rows = all_rows(23);
  for (Index& row : rows) row = row * 3 + 5;
  Random random(2);
  const auto cut = folds(rows, 5, random);
  ASSERT_EQ(cut.size(), 5U);
  EXPECT_EQ(sorted_union(cut), rows);
  for (const auto& fold : cut) EXPECT_TRUE(fold.size() == 4 || fold.size() == 5);
  EXPECT_THROW(folds(rows, 1, random), UsageError);
  EXPECT_THROW(folds(rows, 24, random), Error);
  EXPECT_EQ(shuffled(50, 9), shuffled(50, 9));
  EXPECT_NE(shuffled(50, 9), shuffled(50, 8));
  EXPECT_EQ(sorted_union({shuffled(50, 9)}), all_rows(50));
}

// A large table is kept in a temporary file.
TEST(Table, ALargeTableIsTheSameOnceItIsOwned) {
  constexpr Index rows = 300'000;
  Table table{"rows.csv",
              {{"a"}, {"b", ColumnKind::category, {"x", "y"}}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}, {"h"}},
              Matrix::Random(rows, 8),
              {}};
  for (Index row = 0; row < rows; ++row) {
    table.values(row, 1) = row % 3 == 2 ? missing : static_cast<double>(row % 3);
    table.lines.push_back(2 * row + 7);
  }
  const Table kept = table;
  const TableView view = TableView::owning(std::move(table));
  const TableView chosen = view.matched({kept.columns[2], kept.columns[1]});
  for (Index row = 0; row < rows; ++row) {
    for (Index column = 0; column < 8; ++column)
      ASSERT_TRUE(view(row, column) == kept.values(row, column) || std::isnan(kept.values(row, column)));
    ASSERT_EQ(chosen(row, 0), kept.values(row, 2));
    ASSERT_EQ(std::isnan(chosen(row, 1)), row % 3 == 2);
  }
  EXPECT_EQ(view.where(rows - 1, 2), "rows.csv, line 600005, column 'c'");
  EXPECT_EQ(chosen.describe_row(0), "line 7");
  EXPECT_EQ(view.copy().lines, kept.lines);
}

}  // namespace
}  // namespace taut
