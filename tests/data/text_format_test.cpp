#include <taut/data/kinds/text_format.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

std::vector<CountedText> counted(std::initializer_list<const char*> texts) {
  std::vector<CountedText> result;
  for (const char* text : texts) result.push_back({text});
  return result;
}

TextFormat found(std::initializer_list<const char*> texts, char decimal = 0, char delimiter = ',') {
  return number_format(counted(texts), {.told = decimal, .delimiter = delimiter});
}

TEST(TextFormat, IsFoundFromTheColumn) {
  EXPECT_EQ(found({"1", "2.5", "abc"}), TextFormat{});
  EXPECT_EQ(found({"$12.50", "$3"}), (TextFormat{'.', 0, "$"}));
  EXPECT_EQ(found({"63.7%", "1 %"}), (TextFormat{'.', 0, "%"}));
  EXPECT_EQ(found({"6,369,617", "12"}), (TextFormat{'.', ','}));
  EXPECT_EQ(found({"3,5", "4,25"}), (TextFormat{','}));
  EXPECT_EQ(found({"1.234,5", "0,25"}), (TextFormat{',', '.'}));
  EXPECT_EQ(found({"1 234,5", "2 000"}), (TextFormat{',', ' '}));
  EXPECT_EQ(found({"1'234.5"}), (TextFormat{'.', '\''}));
}

TEST(TextFormat, OneCellDecidesForTheColumn) {
  EXPECT_EQ(found({"1,234", "2,345"}), (TextFormat{'.', ','}));
  EXPECT_EQ(found({"1,234", "2,345", "0,5"}), (TextFormat{','}));
  EXPECT_EQ(found({"1,234", "2,345", "0,500"}), (TextFormat{','}));  // 500 is not written as 0,500
  EXPECT_EQ(found({"1,234", "2,345"}, 0, ';'), (TextFormat{','}));
  EXPECT_EQ(found({"1,234", "2,345", "3,456,789"}, 0, ';'), (TextFormat{'.', ','}));
  EXPECT_EQ(found({"1,234", "2,345"}, ','), (TextFormat{','}));
  EXPECT_EQ(found({"1.234", "2.345"}, ','), (TextFormat{',', '.'}));
  EXPECT_EQ(found({"1,392", "981"}, 0, ';'), (TextFormat{'.', ','}));
  EXPECT_EQ(number_format(counted({"434 €", "1.746 €"}), {.elsewhere = ','}), (TextFormat{',', '.', "€"}));
  EXPECT_EQ(number_format(counted({"4,339"}), {.elsewhere = '.', .delimiter = ';'}), (TextFormat{'.', ','}));
  EXPECT_EQ(number_format(counted({"3,209"}), {.elsewhere = ',', .delimiter = '\t'}), (TextFormat{','}));
  EXPECT_EQ(certain_decimal(counted({"2,21", "3"})), ',');
  EXPECT_EQ(certain_decimal(counted({"$2.5"})), '.');
  EXPECT_EQ(certain_decimal(counted({"1,234", "5"})), 0);
}

TEST(TextFormat, NumbersInAFormat) {
  const TextFormat american{'.', ',', "$"}, european{',', '.', "€"};
  EXPECT_EQ(read_number("$1,234,567.25", american), 1234567.25);
  EXPECT_EQ(read_number("-$5", american), -5);
  EXPECT_EQ(read_number("$-5", american), -5);
  EXPECT_EQ(read_number("($5.00)", american), -5);
  EXPECT_EQ(read_number("5", american), 5);
  EXPECT_EQ(read_number("1.234,5 €", european), 1234.5);
  EXPECT_EQ(read_number("1e3", TextFormat{}), 1000);
  EXPECT_EQ(read_number(",5", TextFormat{','}), 0.5);
  for (const char* text :
       {"$", "1,23", "1,2345", "12,34,5", "1,,234", "$$5", "5$5", "1.2.3", "--5", "(5", "0,500", "1234,567", ""})
    EXPECT_EQ(read_number(text, american), std::nullopt) << text;
}

TEST(TextFormat, Booleans) {
  for (const char* text : {"true", "TRUE", "Yes", "y", "T", "on", "1"}) EXPECT_EQ(read_boolean(text), 1.0) << text;
  for (const char* text : {"false", "No", "N", "f", "OFF", "0", " no "}) EXPECT_EQ(read_boolean(text), 0.0) << text;
  EXPECT_EQ(read_number("0.5", TextFormat{'.', 0, "%"}), std::nullopt);  // beside 50% it may mean 0.5 or 0.5 %
  for (const char* text : {"maybe", "2", "", "tru"}) EXPECT_EQ(read_boolean(text), std::nullopt) << text;
  EXPECT_TRUE(are_booleans(counted({"yes", "No", "YES"})));
  EXPECT_FALSE(are_booleans(counted({"yes", "false"})));  // of different pairs
}

TEST(TextFormat, DayAndMonthInOneOrder) {
  EXPECT_EQ(date_order(counted({"2014-05-02", "2014-05-03"})), DateOrder::year_first);
  EXPECT_EQ(date_order(counted({"02.05.2014", "13.05.2014"})), DateOrder::day_first);
  EXPECT_EQ(date_order(counted({"05/02/2014", "05/13/2014"})), DateOrder::month_first);
  EXPECT_EQ(date_order(counted({"05/02/2014", "06/03/2014"})), std::nullopt);
  EXPECT_EQ(date_order(counted({"05/05/2014", "06/06/2014"})), DateOrder::year_first);  // both orders give the same dates
}

}  // namespace
}  // namespace taut
