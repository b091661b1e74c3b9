#include <taut/core/error.hpp>
#include <taut/task/several/linear_sum.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace taut {
namespace {

using Weights = std::vector<double>;

TEST(LinearSum, ReadsTermsOfNamesAndNumbers) {
  const std::vector<std::string> names = {"y1", "y2", "y 3", "y1-y2"};
  EXPECT_EQ(parse_linear_sum("y1 + 2*y2", names), (Weights{1, 2, 0, 0}));
  EXPECT_EQ(parse_linear_sum("-y1+y2 * 0.5", names), (Weights{-1, 0.5, 0, 0}));
  EXPECT_EQ(parse_linear_sum("  1e-3*y 3 - 4*y1", names), (Weights{-4, 0, 1e-3, 0}));
  EXPECT_EQ(parse_linear_sum("y1 - y2", names), (Weights{1, -1, 0, 0}));
  EXPECT_EQ(parse_linear_sum("y1-y2", names), (Weights{0, 0, 0, 1}));  // the longest name that fits
  EXPECT_EQ(parse_linear_sum("y1 + y1", names), (Weights{2, 0, 0, 0}));
}

TEST(LinearSum, NamesMayLookLikeNumbers) {
  EXPECT_EQ(parse_linear_sum("2*y + 3", std::vector<std::string>{"y", "3"}), (Weights{2, 1}));
  EXPECT_EQ(parse_linear_sum("y*2 - 2", std::vector<std::string>{"y", "2"}), (Weights{2, -1}));
  EXPECT_EQ(parse_linear_sum("2*y", std::vector<std::string>{"y", "2"}), (Weights{2, 0}));
  EXPECT_EQ(parse_linear_sum("0.5*2019 + 2020", std::vector<std::string>{"2019", "2020"}), (Weights{0.5, 1}));
  EXPECT_EQ(parse_linear_sum("2*2", std::vector<std::string>{"y", "2"}), (Weights{0, 2}));  // either way
  for (const auto& [text, names] :
       std::vector<std::pair<std::string, std::vector<std::string>>>{{"2*3", {"2", "3"}}, {"y + 2*y", {"y", "2*y"}}}) {
    try {
      (void)parse_linear_sum(text, names);
      ADD_FAILURE() << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find("can be read as"), std::string::npos) << error.what();
    }
  }
}

TEST(LinearSum, RefusesWeightsThatOverflow) {
  const std::vector<std::string> names = {"y1", "y2"};
  try {
    (void)parse_linear_sum("1e308*y2 + y1 + 1e308*y2", names);
    ADD_FAILURE();
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("weights of 'y2'"), std::string::npos) << error.what();
  }
}

TEST(LinearSum, SaysWhatIsWrong) {
  const std::vector<std::string> names = {"y1", "y2"};
  for (const std::string text : {"", "y3", "y1 y2", "2*", "y1 +", "3", "y1 * y2", "2*3", "y1/y2", "*y1"})
    EXPECT_THROW((void)parse_linear_sum(text, names), UsageError) << text;
}

}  // namespace
}  // namespace taut
