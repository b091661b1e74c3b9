// The arithmetic of traces, with clocks that only advance when a test advances them.
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <gtest/gtest.h>

#include <thread>

namespace taut {
namespace {

thread_local double spent = 0;  // by this thread
double spent_here() { return spent; }
double stopped_clock() { return 0; }
constexpr Trace::Clocks by_hand{spent_here, stopped_clock};

double seconds_of(const TraceReport& report, const std::string& stage) {
  for (const TraceStage& one : report.stages)
    if (one.name == stage) return one.seconds;
  return 0;
}
double path_of(const TraceReport& report, const std::string& stage) {
  for (const TraceStage& one : report.stages)
    if (one.name == stage) return one.path;
  return 0;
}

// Blocks of 1, 2, ..., count seconds.
void spend_in_blocks(Index count, int threads) {
  parallel_blocks(count, 1, threads, [](Index which, Index) { spent += static_cast<double>(which + 1); });
}

TEST(TraceThread, StagesTakeWhatIsSpentInThemOnAllThreads) {
  for (const int threads : {1, 2, 4}) {
    Trace trace(by_hand);
    spent += 3;
    {
      const TracedPart outer("outer");
      spent += 5;
      spend_in_blocks(4, threads);
      const TracedPart inner("inner");
      spent += 7;
    }
    spent += 1;
    const TraceReport report = trace.finish();
    EXPECT_EQ(seconds_of(report, "other"), 4);
    EXPECT_EQ(seconds_of(report, "outer"), 15);
    EXPECT_EQ(seconds_of(report, "inner"), 7);
    EXPECT_EQ(report.work, 26);
    EXPECT_EQ(report.alone, 16) << "what is spent outside of loops";
  }
}

// 16 s outside of loops and a loop of 10 s whose longest block takes 4 s: on P threads 16 + max(10 / P, 4).
TEST(TraceThread, MinimalTimesFollowFromBlocks) {
  for (const int threads : {1, 3}) {
    Trace trace(by_hand);
    spent += 16;
    spend_in_blocks(4, threads);
    const TraceReport report = trace.finish();
    EXPECT_EQ(report.minimum, (std::array<double, 5>{26, 21, 20, 20, 20}));
    EXPECT_EQ(report.speed_up(4), 26.0 / 20);
  }
}

// Two blocks, each with 2 s outside of loops and a loop of 8 blocks of one second. The work is 20 s; on 2 threads it takes 20 /
// 2. On 4 threads each block takes at least 2 + 8 / 4 = 4, but both together 20 / 4 = 5. On 8 and more it takes 2 + 8 / P.
TEST(TraceThread, LoopsInsideBlocks) {
  for (const int threads : {1, 2, 5}) {
    Trace trace(by_hand);
    parallel_blocks(2, 1, threads, [&](Index, Index) {
      spent += 2;
      const TracedPart inside("inside");
      parallel_blocks(8, 1, threads, [](Index, Index) { spent += 1; });
    });
    const TraceReport report = trace.finish();
    EXPECT_EQ(report.minimum, (std::array<double, 5>{20, 10, 5, 3, 3}));
    EXPECT_EQ(report.alone, 0);
    EXPECT_EQ(seconds_of(report, "inside"), 16);
    EXPECT_EQ(path_of(report, "inside"), 1) << "on sixteen threads the eight blocks run at once";
    EXPECT_EQ(path_of(report, "other"), 2);
  }
}

TEST(TraceThread, BarsSayWhatWasSpentBelowThem) {
  Trace trace(by_hand);
  {
    const Traced whole("train", [] { return std::string("fold \"2\""); });
    spend_in_blocks(3, 2);
    const TracedPart part("histograms");
    spend_in_blocks(2, 2);
  }
  const TraceReport report = trace.finish();
  ASSERT_EQ(report.bars.size(), 1U);
  EXPECT_EQ(report.bars[0].work.at("train"), 6);
  EXPECT_EQ(report.bars[0].work.at("histograms"), 3);
  EXPECT_NE(report.json().find(R"("name":"train: fold \"2\"")"), std::string::npos) << report.json();
  EXPECT_NE(report.describe(2).find("histograms"), std::string::npos) << report.describe(2);
}

TEST(TraceThread, AFailedBlockLeavesTheTraceInOrder) {
  Trace trace(by_hand);
  EXPECT_THROW(parallel_blocks(3, 1, 2, [](Index, Index) { throw Error("no"); }), Error);
  spent += 2;
  EXPECT_EQ(trace.finish().alone, 2);
}

TEST(TraceThread, OneAtATimeAndNothingWithout) {
  {
    const TracedPart part("not traced");
    spend_in_blocks(2, 2);
    EXPECT_FALSE(is_traced);
  }
  {
    const Trace trace(by_hand);
    EXPECT_THROW(Trace{by_hand}, Error);
    EXPECT_TRUE(is_traced);
  }
  EXPECT_FALSE(is_traced) << "a trace ends with its scope";
  Trace trace(by_hand);
  std::thread([] { spend_in_blocks(2, 1); }).join();  // other threads of the program are not traced
  EXPECT_EQ(trace.finish().work, 0);
}

// Stages beyond the maximum number are counted in the unnamed stage.
TEST(TraceThread, TooManyStagesLoseNothing) {
  static std::vector<std::string> names;
  for (std::size_t i = 0; i < max_trace_stages + 10; ++i) names.push_back("stage " + std::to_string(i));
  Trace trace(by_hand);
  for (const auto& name : names) {
    const TracedPart part(name.c_str());
    spent += 1;
  }
  const TraceReport report = trace.finish();
  EXPECT_EQ(report.work, static_cast<double>(names.size()));
  EXPECT_EQ(report.stages.size(), max_trace_stages);
}

}  // namespace
}  // namespace taut
