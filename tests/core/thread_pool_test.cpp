// Suites whose names contain "Thread" also run with the thread sanitizer. Where threads meet at a barrier, too few of them would
// wait for ever, so these tests do not depend on time.
#include <taut/core/error.hpp>
#include <taut/core/thread_pool.hpp>
#include <taut/core/threads.hpp>
#include <tests/support/joined_thread.hpp>

#include <gtest/gtest.h>

#include <barrier>
#include <cmath>
#include <latch>

namespace taut {
namespace {

constexpr int thread_counts[] = {1, 2, 3, 8};

// How many threads are inside at a time.
class Gauge {
 public:
  void enter() {
    const int now = ++inside_;
    for (int before = maximum_; before < now && !maximum_.compare_exchange_weak(before, now);) {
    }
  }
  void leave() { --inside_; }
  int maximum() const { return maximum_; }

 private:
  std::atomic<int> inside_{0}, maximum_{0};
};

TEST(ThreadPool, EveryBlockRunsOnce) {
  for (const int threads : thread_counts)
    for (const Index count : {0, 1, 2, 7, 1000})
      for (const Index block : {1, 3, 1000, 5000}) {
        std::vector<int> times(static_cast<std::size_t>(count));
        std::atomic<Index> blocks{0};
        parallel_blocks(count, block, threads, [&](Index begin, Index end) {
          EXPECT_EQ(begin % block, 0);
          EXPECT_EQ(end, std::min(count, begin + block));
          for (Index i = begin; i < end; ++i) ++times[static_cast<std::size_t>(i)];
          ++blocks;
        });
        EXPECT_EQ(times, std::vector<int>(static_cast<std::size_t>(count), 1));
        EXPECT_EQ(blocks, (count + block - 1) / block);
      }
}

TEST(ThreadPool, AsManyThreadsAsAskedForWorkTogether) {
  for (const int threads : thread_counts) {
    std::barrier together(threads);
    parallel_blocks(10 * threads, 1, threads, [&](Index, Index) { together.arrive_and_wait(); });
  }
}

TEST(ThreadPool, NeverMoreThreadsThanAskedFor) {
  parallel_blocks(8, 1, 8, [](Index, Index) {});  // from now on there are workers for more than the loops below may use
  for (const int threads : {1, 2, 3}) {
    Gauge flat, nested;
    parallel_blocks(1000, 1, threads, [&](Index, Index) {
      flat.enter();
      flat.leave();
    });
    EXPECT_LE(flat.maximum(), threads);
    if (threads == 1) continue;  // a loop on one thread tells nothing about the loops inside it
    parallel_blocks(10, 1, threads, [&](Index, Index) {
      parallel_blocks(10, 1, 8, [&](Index, Index) {
        parallel_blocks(10, 1, 8, [&](Index, Index) {
          nested.enter();
          nested.leave();
        });
      });
    });
    EXPECT_LE(nested.maximum(), threads);
  }
}

TEST(ThreadPool, NestedLoopsEndWithAnyNumberOfThreads) {
  for (const int outer : thread_counts)
    for (const int inner : thread_counts) {
      std::atomic<Index> sum{0};
      parallel_blocks(5, 1, outer, [&](Index i, Index) {
        parallel_blocks(7, 1, inner, [&](Index j, Index) {
          parallel_blocks(3, 1, outer, [&](Index k, Index) { sum += 100 * i + 10 * j + k; });
        });
      });
      EXPECT_EQ(sum, 100 * (0 + 1 + 2 + 3 + 4) * 21 + 10 * 21 * 15 + 3 * 35);
    }
}

// The last of five folds on two threads gets both threads, whether the caller of the outer loop or a worker began it.
TEST(ThreadPool, FreeThreadsJoinTheLoopInsideTheLastBlock) {
  const auto caller = std::this_thread::get_id();
  for (const bool caller_has_the_last : {false, true}) {
    std::barrier begun(2), inside(2);
    parallel_blocks(2, 1, 2, [&](Index, Index) {
      begun.arrive_and_wait();
      if ((std::this_thread::get_id() == caller) != caller_has_the_last) return;
      for (int round = 0; round < 100; ++round) parallel_blocks(2, 1, 2, [&](Index, Index) { inside.arrive_and_wait(); });
    });
  }
}

// One block of the outer loop waits for its inner loop while the other runs. The waiting thread must not begin a third block.
TEST(ThreadPool, AWaitingThreadTakesNoBlockFromOutsideItsLoop) {
  std::barrier begun(2);
  thread_local int depth;
  depth = 0;
  parallel_blocks(20, 1, 2, [&](Index outer, Index) {
    EXPECT_EQ(depth, 0);
    ++depth;
    if (outer < 2) begun.arrive_and_wait();
    for (int round = 0; round < 50; ++round) parallel_blocks(4, 1, 2, [](Index, Index) {});
    --depth;
  });
}

TEST(ThreadPool, ALoopRethrowsTheFirstException) {
  for (const int threads : thread_counts) {
    std::barrier together(threads);
    std::atomic<int> ran{0};
    const auto fail = [&](Index, Index) {
      ++ran;
      together.arrive_and_wait();
      throw Error("a block failed");
    };
    EXPECT_THROW(parallel_blocks(1000, 1, threads, fail), Error);
    EXPECT_EQ(ran, threads);  // those that had begun; all others are skipped
    EXPECT_THROW(parallel_blocks(4, 1, threads,
                                 [&](Index, Index) {
                                   parallel_blocks(1000, 1, threads, [](Index i, Index) {
                                     if (i == 500) throw Error("deep inside");
                                   });
                                 }),
                 Error);
  }
}

TEST(ThreadPool, SixteenCallersAtOnceShareTheWorkersOfOneRequest) {
  ThreadPool pool;
  std::atomic<Index> sum{0};
  {
    std::latch all(16);
    std::vector<JoinedThread> callers;
    for (int caller = 0; caller < 16; ++caller)
      callers.emplace_back([&] {
        all.arrive_and_wait();
        for (int round = 0; round < 100; ++round) pool.run(10, 1, 3, [&](Index i, Index) { sum += i; });
      });
  }
  EXPECT_EQ(sum, 16 * 100 * 45);
  EXPECT_EQ(pool.workers(), 2);
  pool.stop();
}

TEST(ThreadPool, WithoutWorkersTheCallerDoesAll) {
  ThreadPool pool;
  pool.run(4, 1, 2, [](Index, Index) {});
  pool.stop();
  Index sum = 0;
  pool.run(100, 1, 8, [&](Index i, Index) { sum += i; });
  EXPECT_EQ(sum, 4950);
  EXPECT_EQ(pool.workers(), 1);
}

TEST(ThreadPool, SumsHaveTheSameBitsForAnyNumberOfThreads) {
  const auto part = [](Index begin, Index end) {
    double sum = 0;
    for (Index i = begin; i < end; ++i) sum += std::sin(static_cast<double>(i));
    return sum;
  };
  const double one = parallel_sum(1'000'000, 1, part);
  for (const int threads : thread_counts) EXPECT_EQ(parallel_sum(1'000'000, threads, part), one);
}

}  // namespace
}  // namespace taut
