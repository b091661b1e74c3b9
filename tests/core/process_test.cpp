// Worker threads when a process forks or exits. The thread sanitizer does not support fork, so the names of these tests must not
// match its filter, *Thread*.
#include <taut/core/thread_pool.hpp>
#include <taut/core/threads.hpp>
#include <tests/support/joined_thread.hpp>

#include <gtest/gtest.h>

#include <barrier>
#include <cstdlib>
#include <filesystem>
#include <latch>

#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace taut {
namespace {

void work_together(int threads) {
  std::barrier together(threads);  // with too few threads this would wait for ever
  parallel_blocks(4 * threads, 1, threads, [&](Index, Index) { together.arrive_and_wait(); });
}

// Runs `work` in a forked process and returns its exit code. An alarm ends a process that hangs.
template <class Work>
int code_of_child(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(work());
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Fork, AChildStartsWorkersOfItsOwn) {
  work_together(4);
  const int code = code_of_child([] {
    if (ThreadPool::instance().workers() != 0) return 1;
    work_together(3);
    if (ThreadPool::instance().workers() != 2) return 2;
    return code_of_child([] {  // and so does its child
      work_together(2);
      return ThreadPool::instance().workers();
    });
  });
  EXPECT_EQ(code, 1);
  work_together(4);
}

TEST(Fork, WhileALoopRunsElsewhere) {
  std::latch begun(3), end(1);
  JoinedThread other([&] {
    parallel_blocks(2, 1, 2, [&](Index, Index) {
      begun.count_down();
      end.wait();
    });
  });
  begun.arrive_and_wait();
  EXPECT_EQ(code_of_child([] {
              work_together(3);
              return 7;
            }),
            7);
  end.count_down();
}

TEST(Fork, ASerialLoopNeedsNoWorkers) {
  EXPECT_EQ(code_of_child([] {
              Index sum = 0;
              parallel_blocks(1000, 10, 1, [&](Index begin, Index end) { sum += end - begin; });
              parallel_blocks(10, 10, 8, [&](Index, Index end) { sum += end; });  // a single block
              return sum == 1010 && ThreadPool::instance().workers() == 0 ? 7 : 1;
            }),
            7);
}

[[noreturn]] void exit_while_workers_are_busy() {
  alarm(60);
  static std::latch begun(3), never(1);           // both callers and a worker; a second worker may be elsewhere
  parallel_blocks(3, 1, 3, [](Index, Index) {});  // enough workers for both callers
  for (int caller = 0; caller < 2; ++caller)
    std::thread([] {
      parallel_blocks(3, 1, 2, [](Index, Index) {
        static std::atomic<int> came = 0;
        if (++came <= 3) begun.count_down();
        never.wait();
      });
    }).detach();
  begun.wait();
  std::exit(7);
}

// The program exits normally although detached threads never leave their block.
TEST(EndOfProgramDeathTest, DoesNotWaitForBusyWorkers) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_while_workers_are_busy(), testing::ExitedWithCode(7), "");
}

struct LoopsWhenDestroyed {
  ~LoopsWhenDestroyed() {
    std::atomic<Index> sum = 0;
    parallel_blocks(100, 1, 8, [&](Index i, Index) { sum += i; });
    if (sum != 4950) _exit(1);
  }
};

[[noreturn]] void exit_after_the_pool_has_stopped() {
  alarm(60);
  static const LoopsWhenDestroyed late;
  work_together(3);
  ThreadPool::instance().stop();
  std::exit(7);
}

TEST(EndOfProgramDeathTest, LoopsMayRunWhileStaticObjectsAreDestroyed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(exit_after_the_pool_has_stopped(), testing::ExitedWithCode(7), "");
}

std::ptrdiff_t threads_of_this_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return std::distance(begin(tasks), end(tasks));
}

int load_use_and_unload() {
  void* module = dlopen(UNLOADABLE, RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) return 1;
  const auto sum = reinterpret_cast<long (*)()>(dlsym(module, "sum_on_three_threads"));
  if (sum == nullptr || sum() != 36 || threads_of_this_process() != 3) return 2;
  if (dlclose(module) != 0 || dlopen(UNLOADABLE, RTLD_NOW | RTLD_NOLOAD) != nullptr)
    return 3;                                                        // still loaded: the test would not test anything
  while (threads_of_this_process() != 1) std::this_thread::yield();  // the system may need a moment to remove them
  return 7;
}

// Runs in a forked process, which has one thread at first. An alarm ends it if the workers stay.
TEST(EndOfProgram, UnloadingTheLibraryEndsItsWorkers) {
  EXPECT_EQ(code_of_child([] { return load_use_and_unload() == 7 ? load_use_and_unload() : 0; }), 7);
  EXPECT_EQ(code_of_child([] {
              load_use_and_unload();
              return code_of_child([] { return 7; });  // no fork handler of the module is called any more
            }),
            7);
}

}  // namespace
}  // namespace taut
