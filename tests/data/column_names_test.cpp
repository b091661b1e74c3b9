// What names say about columns, columns that count the rows, and categories that are numbers.
#include <taut/data/kinds/column_names.hpp>

#include <taut/data/csv/reader.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/number_codes.hpp>
#include <tests/support/files.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

TEST(ColumnNames, Records) {
  for (const char* name : {"obs", "CASE_NO", "patnr", "case", "caseid", "idcase", "seqno", "Subject", "record_id", "Number", "X",
                           "person", "obs.number", "rowIndex", "idnum"})
    EXPECT_TRUE(is_called_record(name)) << name;
  for (const char* name : {"t", "time", "day", "rank", "x", "age", "dose", "year", "count", "Round", "piano", "", "trend"})
    EXPECT_FALSE(is_called_record(name)) << name;
}

TEST(ColumnNames, KeysAndTimes) {
  for (const char* name :
       {"schoolid", "school_id", "zip", "zipcode", "state_code", "plant.no", "prof_id", "id_firm", "PatientId"})
    EXPECT_TRUE(is_called_key(name)) << name;
  for (const char* name : {"paid", "grid", "age", "rooms", "n_children", "acid", "Humid", ""})
    EXPECT_FALSE(is_called_key(name)) << name;
  for (const char* name : {"year", "yr_built", "t", "saleYear", "day_of_year", "Age"}) EXPECT_TRUE(is_called_time(name)) << name;
  for (const char* name : {"schoolid", "weight", "stage", "yearly", "dates"}) EXPECT_FALSE(is_called_time(name)) << name;
}

std::vector<std::string> taken_for(const std::string& text, const Rows& rows, const ColumnDeclarations& declarations = {}) {
  const Folder folder;
  const Table table = read_table(folder.write("t.csv", text));
  std::vector<std::string> result;
  for (const InferredColumn& one : infer_columns(table, rows, declarations)) result.push_back(one.taken_for);
  return result;
}

TEST(RowNumbers, AreLeftOutIfTheNameIsThatOfARecord) {
  const std::string text = "obs,t,case,x\n1,1,0,5\n2,2,1,3\n3,3,2,7\n4,4,3,1\n5,5,4,2\n";
  const std::vector<std::string> all = {"row number", "number", "row number", "number"};
  EXPECT_EQ(taken_for(text, {0, 1, 2, 3, 4}), all);
  EXPECT_EQ(taken_for(text, {1, 3, 4}), all) << "training rows alone";
  EXPECT_EQ(taken_for(text, {1, 3, 4}, {.numeric = {"obs"}}).front(), "number") << "declared";
}

TEST(RowNumbers, OtherNumbersOfRecordsAreKept) {
  EXPECT_EQ(taken_for("obs,x\n7,5\n8,3\n9,7\n", {0, 1, 2}).front(), "number") << "starts elsewhere";
  EXPECT_EQ(taken_for("obs,x\n1,5\n3,3\n2,7\n", {0, 1, 2}).front(), "number") << "another order";
  EXPECT_EQ(taken_for("obs,x\n1,5\n,3\n3,7\n", {0, 1, 2}).front(), "number") << "a missing cell";
}

TEST(NumberCodes, FindsWholeNumbersByTheirValue) {
  const NumberCodes codes({"7", "12", "1e+05"});
  EXPECT_EQ(codes.of_text("07"), 0);
  EXPECT_EQ(codes.of_text(" 12.0"), 1);
  EXPECT_EQ(codes.of_text("100000"), 2);
  EXPECT_EQ(codes.of_text("8"), std::nullopt);
  EXPECT_EQ(codes.of_text("seven"), std::nullopt);
}

TEST(NumberCodes, CategoriesOfWholeNumbersHaveNoExponent) {
  EXPECT_EQ(category_of_number(100000), "100000");
  EXPECT_EQ(category_of_number(-2e7), "-20000000");
  EXPECT_EQ(category_of_number(0.5), "0.5");
  EXPECT_EQ(category_of_number(1e300), "1e+300");
  EXPECT_EQ(category_of_number(-0.0), "0");
  EXPECT_EQ(NumberCodes({"100000", "7"}).of_text("1e5"), 0) << "names of today";
  EXPECT_EQ(NumberCodes({"1e+05", "7"}).of_text("100000"), 0) << "names in files of before";
}

// 07 and 7 may be two codes of the same list.
TEST(NumberCodes, TextsThatAreNotInShortestFormStayTexts) {
  EXPECT_EQ(NumberCodes({"07", "12"}).of_text("7"), std::nullopt);
  EXPECT_EQ(NumberCodes({"7", "other"}).of_text("7.0"), std::nullopt);
  EXPECT_EQ(NumberCodes({"7", "2.5"}).of_text("7.0"), std::nullopt);
  EXPECT_EQ(NumberCodes(std::vector<std::string>{}).of_text("7"), std::nullopt);
  EXPECT_EQ(NumberCodes({"07", "12"}).of_value(7), 0) << "a cell that is a number has no spelling";
}

TEST(NumberCodes, EveryReaderUsesThem) {
  const std::vector<Column> schema = {{"id", ColumnKind::category, {"3", "10", "1e+05"}}};
  const Folder folder;
  const auto file = folder.write("n.csv", "id\n3\n03\n10.0\n100000\n11\nNA\n");
  const Table direct = read_table_as(schema, file);
  Table texts = read_table(file, CsvOptions{.categories = {"id"}});
  for (const TableView& view : {TableView(direct), TableView(texts).matched(schema)}) {
    const std::vector<double> expected = {0, 0, 1, 2, 3};
    for (Index row = 0; row < 5; ++row) EXPECT_EQ(view(row, 0), expected[static_cast<std::size_t>(row)]) << row;
    EXPECT_TRUE(std::isnan(view(5, 0)));
    ASSERT_EQ(view.mismatches().size(), 1U);
    EXPECT_EQ(view.mismatches()[0].texts, (std::vector<std::string>{"11"}));
  }
}

}  // namespace
}  // namespace taut
