// The worker threads of the library. Other code uses parallel_blocks and run_concurrently (threads.hpp), not this file.
#pragma once

#include <taut/core/types.hpp>

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace taut {

// A loop in progress. It is on the stack of the thread that opened it, its owner. Members that are not atomic are constant while
// the loop is open or guarded by the pool's mutex.
struct ParallelLoop {
  Index count, block, blocks;  // [0, count) in `blocks` pieces of length `block`, the last one shorter
  const std::function<void(Index begin, Index end)>* work;
  int limit;                      // maximum number of threads that run its blocks at the same time
  int threads;                    // of a root: maximum number of threads in its whole tree of loops
  ParallelLoop* parent;           // the loop whose block opened this one, or nullptr
  ParallelLoop* root = nullptr;   // the outermost of these
  int members = 1;                // of a root: threads in its tree
  bool owner_sleeps = false;      // until the other threads have left
  std::exception_ptr failure{};   // the first exception
  ParallelLoop* older = nullptr;  // neighbours in the list of open loops
  ParallelLoop* newer = nullptr;
  std::condition_variable wake_owner{};
  std::atomic<Index> next{0};  // the first block that no thread has taken
  std::atomic<int> active{1};  // threads that run its blocks
};

// One pool serves the whole process. The owner of a loop runs blocks too and never depends on a worker, so a pool without workers
// is slow but correct. Workers are started when a loop first needs them, as many as the largest request asks for, and sleep
// between loops.
//
// A loop that is opened inside a block of another loop belongs to the same tree. A tree has at most as many threads as its root
// asked for. A free thread joins the oldest loop that has blocks left. That is the outermost, whose blocks are the largest, so
// little time is lost by waking and waiting. When the outermost has no blocks left, free threads join the loops inside the blocks
// that still run: of five folds on two threads, the last fold uses both. An owner that waits for its loop helps only with loops
// nested in its own. So no unrelated work delays it, and the stack and memory of a thread stay bounded.
class ThreadPool {
 public:
  static ThreadPool& instance();

  // See parallel_blocks; here threads > 1.
  void run(Index count, Index block, int threads, const std::function<void(Index begin, Index end)>& work);

  int workers();
  // Ends the workers that are idle and detaches the others. Later loops run on their owner alone.
  void stop();

 private:
  struct Worker {
    std::thread thread;
    bool busy = false;
  };
  using Lock = std::unique_lock<std::mutex>;

  void open(ParallelLoop& loop);
  void close(ParallelLoop& loop);
  void start_workers(int wanted);
  void serve(std::size_t worker);
  ParallelLoop* joinable(const ParallelLoop* below) const;
  void join(ParallelLoop& loop, Lock& lock);
  void run_blocks(ParallelLoop& loop);

  std::mutex mutex_;
  std::condition_variable wake_worker_;
  std::vector<Worker> workers_;
  ParallelLoop* oldest_ = nullptr;
  ParallelLoop* newest_ = nullptr;
  int sleeping_ = 0;  // workers that have to be woken
  int polling_ = 0;   // workers that notice a new loop without being woken
  bool stopped_ = false;
  std::atomic<std::uint64_t> opened_{0};  // number of loops opened, so that a thread can poll for a new one without the mutex
};

}  // namespace taut
