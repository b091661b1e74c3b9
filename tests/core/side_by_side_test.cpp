#include <taut/core/error.hpp>
#include <taut/core/side_by_side.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace taut {
namespace {

void raise_to(std::atomic<int>& most, int value) {
  for (int before = most; before < value && !most.compare_exchange_weak(before, value);) {
  }
}

// What happened while jobs of a few rounds each were run.
struct Seen {
  std::vector<int> times;      // each job ran
  std::atomic<int> at_work{};  // most at a time that did not wait for their turn
  std::atomic<int> begun{};    // most at a time that were begun and not ended
  std::atomic<double> progress{};
};

void watch(Index count, Jobs jobs, int threads, Seen& seen) {
  seen.times.assign(static_cast<std::size_t>(count), 0);
  std::atomic<int> working{0}, open{0};
  const ExecutionContext context{.threads = threads, .progress = [&](std::string_view, double done) { seen.progress = done; }};
  side_by_side(count, jobs, context, "test", [&](Index which, const ExecutionContext& own) {
    raise_to(seen.begun, ++open);
    ++seen.times[static_cast<std::size_t>(which)];
    for (int round = 0; round < 50; ++round) {
      raise_to(seen.at_work, ++working);
      --working;
      own.report("round", 0);
    }
    --open;
  });
}

TEST(SideBySide, EveryJobRunsOnceAndNoMoreThanThreadsAtATime) {
  for (const Jobs jobs : {Jobs::small, Jobs::large})
    for (const int threads : {1, 2, 3, 8})
      for (const Index count : {1, 2, 5, 7}) {
        Seen seen;
        watch(count, jobs, threads, seen);
        EXPECT_EQ(seen.times, std::vector<int>(static_cast<std::size_t>(count), 1));
        EXPECT_LE(seen.at_work, threads);
        if (jobs == Jobs::large) {
          EXPECT_LE(seen.begun, threads);
        }
        if (count > 1) {
          EXPECT_EQ(seen.progress, 1);
        }
      }
}

TEST(SideBySide, SmallJobsTakeTurns) {
  const auto late = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  std::atomic<int> begun{0}, met_all{0};
  side_by_side(5, Jobs::small, taut::ExecutionContext{.threads = 2}, "test", [&](Index, const taut::ExecutionContext& own) {
    ++begun;
    while (begun < 5 && std::chrono::steady_clock::now() < late) own.report("round", 0);
    met_all += begun == 5 ? 1 : 0;
  });
  EXPECT_EQ(met_all, 5);
}

TEST(SideBySide, AJobThatFailsIsHeardOf) {
  for (const Jobs jobs : {Jobs::small, Jobs::large}) {
    const auto fail = [](Index which, const taut::ExecutionContext& own) {
      own.report("round", 0);
      if (which == 3) throw Error("the fourth");
    };
    EXPECT_THROW(side_by_side(5, jobs, taut::ExecutionContext{.threads = 2}, "test", fail), Error);
  }
}

TEST(SideBySide, CanBeInterrupted) {
  std::atomic<int> rounds{0};
  const taut::ExecutionContext context{.threads = 2, .cancelled = [&] { return rounds > 20; }};
  const auto endless = [&](Index, const taut::ExecutionContext& own) {
    for (;; ++rounds) own.report("round", 0);
  };
  EXPECT_THROW(side_by_side(5, Jobs::small, context, "test", endless), Interrupted);
}

}  // namespace
}  // namespace taut
