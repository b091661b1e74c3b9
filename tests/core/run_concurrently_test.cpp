#include <taut/core/error.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/threads.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace taut {
namespace {

constexpr int thread_counts[] = {1, 2, 3, 8};

TEST(RunConcurrentlyOnThreads, EveryJobRunsOnceAndProgressCountsThem) {
  for (const int threads : thread_counts)
    for (const Index count : {2, 5, 7}) {
      std::vector<int> times(static_cast<std::size_t>(count));
      std::vector<double> progress, expected;
      ExecutionContext context{.threads = threads};
      context.progress = [&](std::string_view stage, double done) {
        EXPECT_EQ(stage, "test");
        progress.push_back(done);
      };
      run_concurrently(count, context, "test", [&](Index which, const ExecutionContext& own) {
        ++times[static_cast<std::size_t>(which)];
        own.report("a round of one job", 0.5);
        EXPECT_EQ(own.threads, threads);
      });
      EXPECT_EQ(times, std::vector<int>(static_cast<std::size_t>(count), 1));
      for (Index done = 1; done <= count; ++done) expected.push_back(static_cast<double>(done) / static_cast<double>(count));
      EXPECT_EQ(progress, expected);
    }
}

TEST(RunConcurrentlyOnThreads, ALoneJobReportsItself) {
  std::vector<double> progress;
  const ExecutionContext context{.threads = 2, .progress = [&](std::string_view, double done) { progress.push_back(done); }};
  run_concurrently(1, context, "test", [](Index, const ExecutionContext& own) { own.report("a round", 0.25); });
  EXPECT_EQ(progress, std::vector<double>{0.25});
}

// Exactly as many jobs as threads run at a time: fewer would wait at the barrier for ever, more would take more memory.
TEST(RunConcurrentlyOnThreads, AsManyJobsAtATimeAsThreads) {
  parallel_blocks(8, 1, 8, [](Index, Index) {});  // workers for more jobs than that
  for (const int threads : thread_counts) {
    std::barrier together(threads);
    std::atomic<int> under_way{0};
    run_concurrently(3 * threads, ExecutionContext{.threads = threads}, "test", [&](Index, const ExecutionContext& own) {
      EXPECT_LE(++under_way, threads);
      together.arrive_and_wait();
      parallel_blocks(100, 1, own.threads, [](Index, Index) {});
      --under_way;
    });
  }
}

TEST(RunConcurrentlyOnThreads, RethrowsTheExceptionOfAJob) {
  for (const int threads : thread_counts) {
    const auto fail = [](Index which, const ExecutionContext&) {
      if (which == 3) throw Error("the fourth");
    };
    EXPECT_THROW(run_concurrently(5, ExecutionContext{.threads = threads}, "test", fail), Error);
  }
}

TEST(RunConcurrentlyOnThreads, CanBeCancelled) {
  for (const int threads : thread_counts) {
    std::atomic<int> rounds{0};
    const ExecutionContext context{.threads = threads, .cancelled = [&] { return rounds > 20; }};
    const auto endless = [&](Index, const ExecutionContext& own) {
      for (;; ++rounds) parallel_blocks(3, 1, own.threads, [&](Index, Index) { own.report("round", 0); });
    };
    EXPECT_THROW(run_concurrently(5, context, "test", endless), Interrupted);
  }
}

// Plain integers: two calls at a time would lose counts, and the thread sanitizer would see them.
TEST(ExecutionContextOnThreads, CallbacksAreNeverCalledTwiceAtATime) {
  int calls = 0, inside = 0;
  const auto call = [&] {
    EXPECT_EQ(++inside, 1);
    ++calls;
    --inside;
  };
  ExecutionContext context{.threads = 8};
  context.progress = [&](std::string_view, double) { call(); };
  context.say = [&](std::string_view) { call(); };
  parallel_blocks(1000, 1, context.threads, [&](Index, Index) {
    const ExecutionContext copy = context;
    context.report("test", 0);
    copy.report("test", 0);
    copy.tell("a sentence");
  });
  EXPECT_EQ(calls, 3000);
}

TEST(ExecutionContextOnThreads, ACallbackMayThrowOrCallBack) {
  std::vector<std::string> messages;
  ExecutionContext context{.threads = 8};
  context.say = [&](std::string_view sentence) { messages.emplace_back(sentence); };
  context.progress = [&](std::string_view, double) { context.tell("from inside"); };
  context.report("test", 0);
  EXPECT_EQ(messages, std::vector<std::string>{"from inside"});
  context.progress = [](std::string_view, double) { throw Error("the screen is gone"); };
  const auto report = [&](Index, const ExecutionContext&) {};
  for (int again = 0; again < 2; ++again) EXPECT_THROW(run_concurrently(100, context, "test", report), Error);
  context.tell("after all");
  EXPECT_EQ(messages.back(), "after all");
}

// Twice the memory of the jobs must be available, so that nested jobs, which check for themselves, fit as well.
TEST(RunConcurrently, FewerJobsAtATimeWhereMemoryIsShort) {
  EXPECT_EQ(jobs_at_once(16, 1000, 32'000), 16);
  EXPECT_EQ(jobs_at_once(16, 1000, 31'999), 15);
  EXPECT_EQ(jobs_at_once(16, 1000, 4'000), 2);
  EXPECT_EQ(jobs_at_once(16, 1000, 1), 1) << "at least one";
  EXPECT_EQ(jobs_at_once(16, 1000, 0), 16) << "the available memory is not known";
  EXPECT_EQ(jobs_at_once(16, 0, 1000), 16);
}

TEST(RunConcurrently, JobsThatAreTooLargeRunOneAfterTheOther) {
  const ExecutionContext context{.threads = 4};
  std::atomic<int> running{0}, maximum{0};
  std::vector<int> threads(8);
  run_concurrently(
      8, context, "test",
      [&](Index which, const ExecutionContext& own) {
        const int now = ++running;
        for (int seen = maximum; seen < now && !maximum.compare_exchange_weak(seen, now);) {
        }
        threads[static_cast<std::size_t>(which)] = own.threads;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        --running;
      },
      std::size_t{1} << 60);
  if (available_bytes() > 0) {
    EXPECT_EQ(maximum, 1);
  }
  EXPECT_EQ(threads, std::vector<int>(8, 4)) << "each job may use all threads";
}

}  // namespace
}  // namespace taut
