#include <taut/core/memory.hpp>
#include <taut/guard/limits.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace taut {
namespace {

std::vector<std::string> messages_of(Index rows, Index columns, std::size_t available) {
  std::vector<std::string> messages;
  ExecutionContext context;
  context.say = [&](std::string_view words) { messages.emplace_back(words); };
  check_memory(rows, columns, available, "rows.csv", context);
  return messages;
}

TEST(EnoughMemory, NothingIsSaidWhereItIsEnoughOrUnknown) {
  const std::size_t needed = memory_of_training(1'000'000, 10);
  for (const std::size_t available : {needed, 10 * needed, std::size_t{0}})
    EXPECT_TRUE(messages_of(1'000'000, 10, available).empty()) << available;
}

TEST(EnoughMemory, TooLittleIsSaidWithTheOptionThatHelps) {
  const auto messages = messages_of(100'000'000, 10, memory_of_training(100'000'000, 10) - 1);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages[0].find("rows.csv: training on 100,000,000 rows takes about 20 GB of memory"), std::string::npos)
      << messages[0];
  EXPECT_NE(messages[0].find("--max-rows 99000000 would do"), std::string::npos) << messages[0];
}

TEST(EnoughMemory, NoNumberOfRowsIsNamedWhereNoneWouldDo) {
  const auto messages = messages_of(100'000'000, 10, 1000);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].find("--max-rows"), std::string::npos) << messages[0];
}

// The suggested number of rows raises no warning.
TEST(EnoughMemory, TheSuggestedRowsFit) {
  for (const std::size_t available : {std::size_t{100'000}, std::size_t{7'777'777}, std::size_t{20'000'000'000}}) {
    const auto messages = messages_of(1'000'000'000, 3, available);
    ASSERT_EQ(messages.size(), 1U);
    const auto at = messages[0].find("--max-rows ");
    ASSERT_NE(at, std::string::npos);
    const Index rows = std::stoll(messages[0].substr(at + 11));
    EXPECT_TRUE(messages_of(rows, 3, available).empty());
    EXPECT_GT(static_cast<double>(memory_of_training(rows, 3)), 0.9 * static_cast<double>(available))
        << "not fewer than necessary";
  }
}

#ifdef __linux__
TEST(EnoughMemory, TheSystemSaysWhatIsLeft) {
  const std::size_t available = available_bytes();
  EXPECT_GT(available, std::size_t{1} << 20U);
  EXPECT_LT(available, std::size_t{1} << 50U);
}
#endif

}  // namespace
}  // namespace taut
