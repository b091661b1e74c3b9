#include <taut/core/error.hpp>
#include <taut/core/memory.hpp>
#include <taut/model/enough_memory.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace taut {
namespace {

struct Said {
  std::vector<std::string> words;
  std::string refused;
};

Said check(Index rows, Index columns, std::size_t available) {
  Said said;
  ExecutionContext context;
  context.say = [&](std::string_view words) { said.words.emplace_back(words); };
  try {
    check_memory(rows, columns, available, "rows.csv", context);
  } catch (const Error& error) {
    said.refused = error.what();
  }
  return said;
}

TEST(EnoughMemory, NothingIsSaidWhereItIsEnoughOrUnknown) {
  const std::size_t needed = memory_of_training(1'000'000, 10);
  for (const std::size_t available : {needed, 10 * needed, std::size_t{0}}) {
    const Said said = check(1'000'000, 10, available);
    EXPECT_TRUE(said.words.empty() && said.refused.empty()) << available;
  }
}

TEST(EnoughMemory, TooLittleIsSaidWithTheOptionThatHelps) {
  const std::size_t needed = memory_of_training(100'000'000, 10);
  const Said said = check(100'000'000, 10, needed - 1);
  ASSERT_EQ(said.words.size(), 1U);
  EXPECT_TRUE(said.refused.empty());
  EXPECT_NE(said.words[0].find("rows.csv: training on 100,000,000 rows takes about 28 GB of memory"), std::string::npos)
      << said.words[0];
  EXPECT_NE(said.words[0].find("--max-rows 99000000 would do"), std::string::npos) << said.words[0];
}

TEST(EnoughMemory, HalfOfItIsRefused) {
  const std::size_t needed = memory_of_training(100'000'000, 10);
  const Said said = check(100'000'000, 10, needed / 3);
  EXPECT_TRUE(said.words.empty());
  EXPECT_NE(said.refused.find("--max-rows 33000000 would do"), std::string::npos) << said.refused;
  const Said hopeless = check(100'000'000, 10, 1000);
  EXPECT_FALSE(hopeless.refused.empty());
  EXPECT_EQ(hopeless.refused.find("--max-rows"), std::string::npos) << "no number of rows would do";
}

// What was suggested is taken without a word.
TEST(EnoughMemory, TheSuggestedRowsFit) {
  for (const std::size_t available : {std::size_t{100'000}, std::size_t{7'777'777}, std::size_t{20'000'000'000}}) {
    const Said said = check(1'000'000'000, 3, available);
    const auto at = said.refused.find("--max-rows ");
    ASSERT_NE(at, std::string::npos);
    const Index rows = std::stoll(said.refused.substr(at + 11));
    EXPECT_LE(memory_of_training(rows, 3), available);
    EXPECT_GT(static_cast<double>(memory_of_training(rows, 3)), 0.9 * static_cast<double>(available)) << "not fewer than need be";
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
