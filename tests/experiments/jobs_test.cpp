#include <experiments/jobs.hpp>

#include <experiments/resume_file.hpp>
#include <taut/core/error.hpp>
#include <taut/core/types.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace taut {
namespace {

class InFile : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string text() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& text) const { std::ofstream(path_) << text; }

  std::string path_ = (std::filesystem::temp_directory_path() /
                       ("taut-jobs-" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name())))
                          .string();
};

using Resume = InFile;
using Jobs = InFile;

TEST_F(Resume, EveryBitComesBack) {
  const NamedValues values = {
      {"third", 1.0 / 3}, {"tiny", 5e-324}, {"infinite", infinity}, {"none", missing}, {"minus", -infinity}};
  ResumeFile(path_).add("a \"key\"", values);
  const auto back = ResumeFile(path_).find("a \"key\"");
  ASSERT_TRUE(back);
  ASSERT_EQ(back->size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ((*back)[i].first, values[i].first);
    EXPECT_TRUE((*back)[i].second == values[i].second || std::isnan(values[i].second)) << values[i].first;
  }
  EXPECT_TRUE(std::isnan(value_named(*back, "none")));
  EXPECT_FALSE(ResumeFile(path_).find("another"));
}

// A program that is killed while it writes leaves any prefix of its file.
TEST_F(Resume, EveryPrefixServes) {
  {
    ResumeFile file(path_);
    file.add("one", {{"x", 1}});
    file.add("two", {{"x", 2}});
  }
  const std::string whole = text();
  const std::size_t first_end = whole.find('\n') + 1, second_end = whole.find('\n', first_end) + 1;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write(whole.substr(0, length));
    {
      ResumeFile file(path_);
      EXPECT_EQ(file.find("one").has_value(), length >= second_end) << length;
      EXPECT_FALSE(file.find("two"));
      file.add("one", {{"x", 1}});
      file.add("two", {{"x", 2}});
    }
    EXPECT_EQ(value_named(*ResumeFile(path_).find("two"), "x"), 2) << length;
  }
}

TEST_F(Resume, ForeignFilesAreLeftAlone) {
  for (const std::string foreign : {"x,y\n1,2\n", "{}\n", "\n"}) {
    write(foreign);
    EXPECT_THROW(ResumeFile{path_}, Error);
    EXPECT_EQ(text(), foreign);
  }
  EXPECT_THROW(ResumeFile{std::filesystem::temp_directory_path().string()}, Error);
}

TEST_F(Resume, AFileThatNothingWasAddedToGoesAway) {
  { const ResumeFile file(path_); }
  EXPECT_FALSE(std::filesystem::exists(path_));
  ResumeFile(path_).add("one", {{"x", 1}});
  { const ResumeFile file(path_); }
  EXPECT_TRUE(ResumeFile(path_).find("one"));
}

TEST_F(Resume, TwoRunsDoNotShareAFile) {
  ResumeFile first(path_);
  first.add("one", {{"x", 1}});
  EXPECT_THROW(ResumeFile{path_}, Error);
  first.add("two", {{"x", 2}});
  EXPECT_EQ(first.size(), 2);
}

std::vector<Job> squares(int count, std::atomic<int>& ran) {
  std::vector<Job> jobs;
  for (int i = 0; i < count; ++i)
    jobs.push_back({"square of " + std::to_string(i), static_cast<double>(i % 5), [i, &ran](const ExecutionContext&) {
                      ++ran;
                      return NamedValues{{"square", static_cast<double>(i * i)}};
                    }});
  return jobs;
}

TEST_F(Jobs, ResultsKeepTheirOrder) {
  for (const int threads : {1, 4}) {
    std::atomic<int> ran = 0;
    taut::ExecutionContext context;
    context.threads = threads;
    const auto results = run_jobs(squares(20, ran), "", "squaring", context);
    for (int i = 0; i < 20; ++i) EXPECT_EQ(value_named(results[static_cast<std::size_t>(i)], "square"), i * i);
    EXPECT_EQ(ran, 20);
  }
}

TEST_F(Jobs, InterruptedWorkGoesOn) {
  std::atomic<int> ran = 0;
  taut::ExecutionContext context;
  context.threads = 1;
  context.cancelled = [&] { return ran >= 7; };
  try {
    run_jobs(squares(20, ran), path_, "squaring", context);
    FAIL();
  } catch (const Interrupted& stop) {
    EXPECT_NE(std::string(stop.what()).find("holds 7 of 20"), std::string::npos) << stop.what();
  }
  context.cancelled = {};
  const auto results = run_jobs(squares(20, ran), path_, "squaring", context);
  EXPECT_EQ(ran, 20);  // none ran twice
  for (int i = 0; i < 20; ++i) EXPECT_EQ(value_named(results[static_cast<std::size_t>(i)], "square"), i * i);
  run_jobs(squares(20, ran), path_, "squaring", context);
  EXPECT_EQ(ran, 20);
}

// One job of each kind runs first. Then the total time can be estimated.
TEST_F(Jobs, EveryKindIsTimedFirst) {
  std::vector<Job> jobs;
  std::vector<std::string> order, messages;
  for (const std::string kind : {"slow", "fast", "medium"})
    for (int i = 0; i < 3; ++i)
      jobs.push_back({kind + std::to_string(i),
                      kind == "slow"   ? 3.0
                      : kind == "fast" ? 1.0
                                       : 2.0,
                      [&order, kind](const ExecutionContext&) {
                        order.push_back(kind);
                        return NamedValues{};
                      },
                      kind});
  taut::ExecutionContext context;
  context.threads = 1;
  context.say = [&](std::string_view sentence) { messages.emplace_back(sentence); };
  run_jobs(std::move(jobs), "", "working", context);
  EXPECT_EQ(order, (std::vector<std::string>{"slow", "medium", "fast", "slow", "slow", "medium", "medium", "fast", "fast"}));
  ASSERT_EQ(messages.size(), 2);
  EXPECT_TRUE(messages[0].starts_with("the first of 9 fits took ")) << messages[0];
  EXPECT_EQ(messages[1], "3 fits done, each method timed: about 1 s left");
}

TEST_F(Jobs, ErrorsSayWhatIsKept) {
  std::vector<Job> jobs = {{"good", 2,
                            [](const ExecutionContext&) {
                              return NamedValues{{"x", 1}};
                            }},
                           {"bad", 1, [](const ExecutionContext&) -> NamedValues { throw Error("no"); }}};
  taut::ExecutionContext context;
  context.threads = 1;
  std::string messages;
  context.say = [&](std::string_view sentence) { messages = sentence; };
  EXPECT_THROW(run_jobs(jobs, path_, "working", context), Error);
  EXPECT_EQ(messages, path_ + " holds 1 of 2 fits; the same command goes on from there");
}

TEST_F(Jobs, ProgressTellsTheTimeLeft) {
  std::atomic<int> ran = 0;
  std::vector<double> shares;
  std::string last;
  taut::ExecutionContext context;
  context.threads = 1;
  context.progress = [&](std::string_view stage, double done) {
    last = stage;
    shares.push_back(done);
  };
  run_jobs(squares(10, ran), "", "squaring", context);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
  EXPECT_EQ(shares.back(), 1);
  EXPECT_EQ(last, "squaring, 0 s left");
}

}  // namespace
}  // namespace taut
