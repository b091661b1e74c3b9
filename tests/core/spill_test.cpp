#include <taut/core/memory.hpp>
#include <taut/core/threads.hpp>

#include <gtest/gtest.h>

#ifdef __linux__
#include <sys/resource.h>
#endif

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace taut {
namespace {

#ifdef __linux__

namespace fs = std::filesystem;

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<std::byte>((i * 2654435761U) >> 13U);
  return bytes;
}

// Sets $TMPDIR during a test.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const fs::path& folder) {
    if (const char* const now = std::getenv("TMPDIR")) before_ = now;
    ::setenv("TMPDIR", folder.c_str(), 1);
  }
  ~TemporaryFolder() { before_.empty() ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", before_.c_str(), 1); }

 private:
  std::string before_;
};

// In containers the usual folder for temporary files is often in memory, where nothing is spilled. The build folder, where the
// test runs, is on a disk.
class SpillOnDisk : public testing::Test {
 protected:
  SpillOnDisk() : there_(fs::current_path()) {}

 private:
  TemporaryFolder there_;
};

#define SPILL_OR_SKIP(spill) \
  if (!(spill)) GTEST_SKIP() << "SKIPPED: no folder for temporary files is on a disk with space left"

TEST_F(SpillOnDisk, HoldsTheBytesOfAllPartsBeforeAndAfterEviction) {
  const auto bytes = some_bytes(5'000'001);
  const std::span<const std::byte> all(bytes);
  const auto spill = Spill::of({all.first(1'234'567), all.subspan(1'234'567)}, 1);
  SPILL_OR_SKIP(spill);
  for (int turn = 0; turn < 3; ++turn) {
    EXPECT_EQ(std::memcmp(spill->data(), bytes.data(), bytes.size()), 0);
    turn == 0 ? spill->evict() : return_free_memory();
  }
}

TEST_F(SpillOnDisk, EvictedBytesTakeNoMemory) {
  constexpr std::size_t count = std::size_t{1} << 26;
  const auto spill = Spill::of({some_bytes(count)}, 1);
  SPILL_OR_SKIP(spill);
  return_free_memory();
  const std::size_t evicted = resident_bytes();
  unsigned sum = 0;
  for (std::size_t i = 0; i < count; i += 512) sum += static_cast<unsigned>(spill->data()[i]);
  EXPECT_GT(sum, 0U);
  EXPECT_GT(resident_bytes(), evicted + count / 2) << "what was read is not counted as resident: nothing is tested";
  spill->evict();
  EXPECT_LT(resident_bytes(), evicted + count / 8);
}

TEST_F(SpillOnDisk, ThreadsMayReadWhileOthersEvict) {
  const auto bytes = some_bytes(std::size_t{1} << 22);
  const auto spill = Spill::of({bytes}, 1);
  SPILL_OR_SKIP(spill);
  std::vector<int> same(64);
  parallel_blocks(64, 1, 4, [&](Index which, Index) {
    if (which % 2 == 0) Spill::evict_all();
    same[static_cast<std::size_t>(which)] = std::memcmp(spill->data(), bytes.data(), bytes.size()) == 0 ? 1 : 0;
  });
  EXPECT_EQ(std::count(same.begin(), same.end(), 1), 64);
}

TEST(Spill, LeavesNoFileBehind) {
  const fs::path folder = fs::temp_directory_path() / "taut-spill-test";
  fs::create_directories(folder);
  {
    const TemporaryFolder there(folder);
    const auto spill = Spill::of({some_bytes(1000)}, 1);
    EXPECT_TRUE(fs::is_empty(folder)) << "a process that is killed would leave the file";
  }
  fs::remove_all(folder);
}

TEST(Spill, ALimitOnTheSizeOfFilesIsKept) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit small{1000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto spill = Spill::of({some_bytes(100'000)}, 1);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(spill, nullptr);
}

TEST(Spill, FewBytesNoFolderOrAFolderInMemoryStayInMemory) {
  const auto bytes = some_bytes(1000);
  EXPECT_EQ(Spill::of({bytes}), nullptr);
  EXPECT_EQ(Spill::of({}, 0), nullptr);
  {
    const TemporaryFolder nowhere("/no/such/folder");
    EXPECT_EQ(Spill::of({bytes}, 1), nullptr);
  }
  if (fs::exists("/dev/shm")) {
    const TemporaryFolder memory("/dev/shm");
    EXPECT_EQ(Spill::of({bytes}, 1), nullptr);
  }
}

#endif

}  // namespace
}  // namespace taut
