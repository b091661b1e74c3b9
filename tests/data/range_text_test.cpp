#include <taut/data/kinds/range_text.hpp>

#include <taut/core/types.hpp>
#include <taut/data/kinds/duration_text.hpp>
#include <taut/data/kinds/spellings.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

using Texts = std::vector<std::string>;

ColumnTexts texts_of(std::initializer_list<CountedText> texts) {
  ColumnTexts result;
  for (const CountedText& one : texts) {
    result.first_rows.push_back(std::ssize(result.texts));
    result.texts.push_back(one);
    result.cells += one.cells;
  }
  return result;
}

Texts written(const ColumnTexts& texts) {
  Texts result;
  for (const CountedText& one : texts.texts) result.emplace_back(one.text);
  return result;
}

TEST(RangeText, Forms) {
  struct Form {
    const char* text;
    double low, high;
  };
  for (const Form& form :
       {Form{"0-4", 0, 4}, Form{"0.0-2.0", 0, 2}, Form{"5 \xE2\x80\x93 9", 5, 9}, Form{"18 to 24", 18, 24},
        Form{"10+", 10, infinity}, Form{"<5", -infinity, 5}, Form{"<= 5", -infinity, 5}, Form{">=10", 10, infinity},
        Form{"\xE2\x89\xA5 10", 10, infinity}, Form{"Under 18", -infinity, 18}, Form{"65 and over", 65, infinity},
        Form{"3 or more", 3, infinity}, Form{"18-24 years", 18, 24}, Form{"$25,000 - $49,999", 25000, 49999},
        Form{"10%-20%", 10, 20}, Form{"<$10k", -infinity, 10000}, Form{"7", 7, 7}, Form{" 05-09 ", 5, 9}}) {
    const auto range = read_range(form.text);
    ASSERT_TRUE(range) << form.text;
    EXPECT_EQ(range->low, form.low) << form.text;
    EXPECT_EQ(range->high, form.high) << form.text;
  }
  for (const char* text : {"", "-", "-5", "3-1", "2014-05", "4-4", "a-b", "1-2-3", "10 - ", "- 10", "5..", "+5", "1,2", "10x",
                           "tower 5", "5-9 reds", "++", "<"})
    EXPECT_FALSE(read_range(text)) << text;
}

TEST(RangeText, OrderOfAColumn) {
  EXPECT_EQ(ordered_ranges(texts_of({{"10+", 9}, {"0-4", 5}, {"5-9", 2}})), (Texts{"0-4", "5-9", "10+"}));
  EXPECT_EQ(ordered_ranges(texts_of({{"2", 9}, {"3+", 5}, {"0", 2}, {"1"}})), (Texts{"0", "1", "2", "3+"}));
  EXPECT_EQ(ordered_ranges(texts_of({{"0-5", 50}, {"5-10", 45}, {"other", 5}})), (Texts{"0-5", "5-10"}));
  EXPECT_FALSE(ordered_ranges(texts_of({{"0-5", 50}, {"5-10", 44}, {"other", 6}})));
  EXPECT_FALSE(ordered_ranges(texts_of({{"0-5"}, {"4-10"}})));             // overlap
  EXPECT_FALSE(ordered_ranges(texts_of({{"0-5"}, {"0 - 5"}})));            // two spellings of one range
  EXPECT_FALSE(ordered_ranges(texts_of({{"1", 50}, {"2", 50}})));          // numbers
  EXPECT_FALSE(ordered_ranges(texts_of({{"1", 50}, {"2", 50}, {"3+"}})));  // one odd cell among numbers
}

TEST(DurationText, Seconds) {
  EXPECT_EQ(read_duration("3:59.4"), 239.4);
  EXPECT_EQ(read_duration("1:02:33"), 3753);
  EXPECT_EQ(read_duration(" 75:10 "), 4510);
  EXPECT_EQ(read_duration("-0:05,25"), -5.25);
  EXPECT_EQ(read_duration("59.12"), 59.12);
  for (const char* text : {"", ":", "3:5", "3:60", "1:2:3", "1:60:00", "1:2:3:4", "3:59.", "a:10", "3:59.4s", "3 :59"})
    EXPECT_EQ(read_duration(text), std::nullopt) << text;
}

TEST(DurationText, TimesOfDayAreNone) {
  const auto are = [](std::initializer_list<CountedText> texts) { return are_durations(texts_of(texts).texts); };
  EXPECT_TRUE(are({{"3:59.4"}, {"4:01.0"}}));
  EXPECT_TRUE(are({{"12:10"}, {"75:10"}}));
  EXPECT_TRUE(are({{"12:10"}, {"1:02:33"}}));
  EXPECT_TRUE(are({{"59.12"}, {"1:02.33"}}));
  EXPECT_FALSE(are({{"12:10"}, {"23:59"}}));
  EXPECT_FALSE(are({{"12:10:00"}, {"24:00:00"}}));
  EXPECT_FALSE(are({{"13:05"}, {"13:05:07"}}));
  EXPECT_FALSE(are({{"75.5", 20}, {"12:30"}}));  // an odd cell among numbers
  EXPECT_FALSE(are({{"3:59.4"}, {"dnf"}}));
  EXPECT_FALSE(are({{"59.12"}, {"58"}}));
}

TEST(Spellings, AreJoinedWhereTheCaseSaysNothing) {
  const FoldedTexts joined = fold_case(texts_of({{"no", 5}, {"Yes", 4}, {"yes", 3}, {"YES"}}));
  EXPECT_TRUE(joined.folds_case);
  EXPECT_EQ(written(joined.texts), (Texts{"Yes", "no"}));
  EXPECT_EQ(joined.texts.texts[0].cells, 8);
  EXPECT_EQ(joined.texts.first_rows[0], 1);
  for (const auto& apart : {texts_of({{"m"}, {"M"}}), texts_of({{"mW"}, {"MW"}}), texts_of({{"Yes"}, {"yes"}, {"m"}, {"M"}})}) {
    EXPECT_FALSE(fold_case(apart).folds_case);
    EXPECT_EQ(written(fold_case(apart).texts), written(apart));
    EXPECT_NE(fold_case(apart).words.find("differ only in case"), std::string::npos);
  }
  EXPECT_EQ(fold_case(texts_of({{"a"}, {"b"}})).words, "");
  EXPECT_FALSE(fold_case(texts_of({{"True"}, {"TRUE"}, {"maybe"}})).folds_case);  // joined in any column
}

TEST(Spellings, WordsThatMayBeMissing) {
  const ColumnTexts texts = texts_of({{"None", 42}, {"Some", 14}, {"Marked", 28}});
  EXPECT_EQ(describe_doubtful_words(texts, "class"), "'None' in 42 of 84 cells is a class; --na 'None' makes it missing");
  EXPECT_EQ(written(without_doubtful_words(texts)), (Texts{"Some", "Marked"}));
  EXPECT_EQ(without_doubtful_words(texts).missing, 42);
  EXPECT_EQ(describe_doubtful_words(texts_of({{"a"}, {"nothing"}}), "class"), "");
}

}  // namespace
}  // namespace taut
