#include <taut/core/error.hpp>
#include <taut/task/several/linear_sum.hpp>

#include <gtest/gtest.h>

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

TEST(LinearSum, SaysWhatIsWrong) {
  const std::vector<std::string> names = {"y1", "y2"};
  for (const std::string text : {"", "y3", "y1 y2", "2*", "y1 +", "3", "y1 * y2", "2*3", "y1/y2", "*y1"})
    EXPECT_THROW((void)parse_linear_sum(text, names), UsageError) << text;
}

}  // namespace
}  // namespace taut
