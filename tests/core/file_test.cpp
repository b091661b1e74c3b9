// A file is replaced as a whole or not at all, and no more of a file is read than its start justifies.
#include <taut/core/file.hpp>
#include <tests/support/joined_thread.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
std::atomic<int> umask_calls = 0;
}

// Replaces the function of the C library. The mask can only be read by setting it, which changes it for all threads for a moment.
extern "C" mode_t umask(mode_t mask) noexcept {
  ++umask_calls;
  return static_cast<mode_t>(::syscall(SYS_umask, mask));
}

namespace taut {
namespace {

namespace fs = std::filesystem;

class Files : public ::testing::Test {
 protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "taut_core_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error("no temporary folder");
    folder_ = name;
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }
  static void write(const std::string& path, std::string_view bytes) {
    OutputFile file(path);
    file.write(bytes);
    file.commit();
  }

 private:
  fs::path folder_;
};

TEST_F(Files, AreReplacedAsAWhole) {
  write(path("a"), "old");
  {
    OutputFile file(path("a"));
    file.write("new");
    EXPECT_EQ(read_whole_file(path("a")), "old");
    file.commit();
    EXPECT_EQ(read_whole_file(path("a")), "new");
  }
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(Files, AreNotChangedWithoutCommit) {
  write(path("a"), "old");
  {
    OutputFile file(path("a"));
    file.write("half of it");
  }
  EXPECT_EQ(read_whole_file(path("a")), "old");
  { OutputFile file(path("b")); }
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

// tests/faults/crash_test.py kills the program. Because a file has no name before it is complete, nothing is left of it.
TEST_F(Files, HaveNoNameBeforeTheyAreWhole) {
  OutputFile file(path("a"));
  file.write("half of it");
  for (const auto& name : names()) EXPECT_TRUE(name.starts_with("a.")) << name;  // only where files must have a name
  file.commit();
  EXPECT_EQ(names(), std::vector<std::string>{"a"});
}

TEST_F(Files, KeepPermissions) {
  const auto permissions = [](const std::string& file) {
    struct stat status {};
    ::stat(file.c_str(), &status);
    return status.st_mode & 07777;
  };
  const mode_t mask = ::umask(027);
  write(path("new"), "x");
  EXPECT_EQ(permissions(path("new")), 0640U);
  ::chmod(path("new").c_str(), 0604);
  write(path("new"), "y");
  EXPECT_EQ(permissions(path("new")), 0604U);
  ::umask(mask);
}

TEST_F(Files, LeaveTheMaskOfPermissionsAlone) {
  umask_calls = 0;
  write(path("new"), "x");
  write(path("new"), "y");
  EXPECT_EQ(umask_calls, 0);
}

TEST_F(Files, AreClosedWhenReadingFails) {
  write(path("a"), "x");
  const auto open_files = [] { return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()); };
  const auto before = open_files();
  for (int i = 0; i < 3; ++i)
    EXPECT_THROW(read_file(path("a"), [](std::string_view) -> std::uint64_t { throw Error("no"); }), Error);
  EXPECT_EQ(open_files(), before);
}

TEST_F(Files, OfOneNameByManyThreadsAreEachWhole) {
  std::vector<JoinedThread> writers;
  for (char c = 'a'; c < 'i'; ++c)
    writers.emplace_back([&, c] {
      for (int i = 0; i < 20; ++i) write(path("shared"), std::string(100'000, c));
    });
  for (int i = 0; i < 50; ++i) {
    if (!fs::exists(path("shared"))) continue;
    const std::string bytes = read_whole_file(path("shared"));
    EXPECT_EQ(bytes, std::string(100'000, bytes.at(0)));
  }
  writers.clear();
  EXPECT_EQ(names(), std::vector<std::string>{"shared"});
}

TEST_F(Files, AreReadNoFurtherThanTheirStartAllows) {
  write(path("long"), std::string(1'000'000, 'x'));
  EXPECT_LT(read_file(path("long"), [](std::string_view) { return 0; }).size(), 100'000U);
  EXPECT_EQ(read_file(path("long"), [](std::string_view) { return 2'000'000; }).size(), 1'000'000U);
  const auto maximum =
      read_file("/dev/zero", [](std::string_view start) { return start.starts_with("\x89TAUT") ? 1'000'000'000 : 0; });
  EXPECT_LT(maximum.size(), 100'000U);
}

TEST_F(Files, ErrorsGiveTheReason) {
  const auto complaint = [](auto action) -> std::string {
    try {
      action();
    } catch (const Error& error) {
      return error.what();
    }
    return "none";
  };
  EXPECT_NE(complaint([&] { read_whole_file(path("none")); }).find("cannot be read: No such file"), std::string::npos);
  EXPECT_NE(complaint([&] { OutputFile file(path("no/such/a")); }).find("create it first"), std::string::npos);
  EXPECT_NE(complaint([&] { OutputFile file(path("")); }).find("it is a folder"), std::string::npos);
  EXPECT_NE(complaint([&] { write("/dev/full", "x"); }).find("the disk is full"), std::string::npos);
}

}  // namespace
}  // namespace taut
