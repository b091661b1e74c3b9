#include <taut/core/thread_pool.hpp>

#include <algorithm>
#include <chrono>
#include <memory>
#include <system_error>
#include <utility>

#ifndef _WIN32
#include <pthread.h>
#endif

namespace taut {

namespace {

// The loop of which this thread is running a block.
thread_local ParallelLoop* current_loop = nullptr;

// Never destroyed: a detached worker may outlive all static objects.
std::atomic<ThreadPool*> the_pool{nullptr};

// A forked process has no workers, and a worker may have held the mutex when it was forked. So the new process starts with a new
// pool. The old one is kept reachable, or leak checkers would report it.
std::atomic<ThreadPool*> pool_before_fork{nullptr};
[[maybe_unused]] void forget_pool() {
  current_loop = nullptr;
  pool_before_fork = the_pool.exchange(nullptr);
}

// When the program ends, or the library is unloaded by dlclose, no worker may be left inside its code.
struct AtExit {
#ifndef _WIN32  // Windows has no fork
  AtExit() { pthread_atfork(nullptr, nullptr, forget_pool); }
#endif
  ~AtExit() {
    if (ThreadPool* pool = the_pool.load()) pool->stop();
  }
} const at_exit;

// Loops often follow one another within microseconds, and waking a thread takes tens of microseconds. So a thread without work
// polls for new work for a short period before it sleeps, and yields its core to other threads meanwhile.
class PollingPeriod {
 public:
  bool is_over() const { return Clock::now() >= end_; }
  void restart() { end_ = Clock::now() + length; }
  template <class Condition>
  void poll(Condition found) const {
    while (!found() && !is_over()) std::this_thread::yield();
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto length = std::chrono::microseconds(50);
  Clock::time_point end_ = Clock::now() + length;
};

bool is_below(const ParallelLoop* loop, const ParallelLoop* ancestor) {
  for (loop = loop->parent; loop != nullptr; loop = loop->parent)
    if (loop == ancestor) return true;
  return false;
}

}  // namespace

ThreadPool& ThreadPool::instance() {
  ThreadPool* pool = the_pool.load();
  if (pool != nullptr) return *pool;
  auto fresh = std::make_unique<ThreadPool>();
  return *(the_pool.compare_exchange_strong(pool, fresh.get()) ? fresh.release() : pool);
}

void ThreadPool::run(Index count, Index block, int threads, const std::function<void(Index, Index)>& work) {
  const Index blocks = (count + block - 1) / block;
  ParallelLoop loop{.count = count,
                    .block = block,
                    .blocks = blocks,
                    .work = &work,
                    .limit = static_cast<int>(std::min<Index>(threads, blocks)),
                    .threads = threads,
                    .parent = current_loop};
  open(loop);
  run_blocks(loop);
  close(loop);
  if (loop.failure) std::rethrow_exception(loop.failure);
}

void ThreadPool::open(ParallelLoop& loop) {
  loop.root = loop.parent != nullptr ? loop.parent->root : &loop;
  int helpers = loop.limit - 1;
  {
    const Lock lock(mutex_);
    start_workers(std::min(loop.root->threads, loop.root->members + helpers) - 1);
    loop.older = newest_;
    (newest_ != nullptr ? newest_->newer : oldest_) = &loop;
    newest_ = &loop;
    ++opened_;
    for (ParallelLoop* above = loop.parent; above != nullptr && helpers > 0; above = above->parent)
      if (above->owner_sleeps) {
        above->wake_owner.notify_one();
        --helpers;
      }
    helpers = std::min(std::min(helpers, loop.root->threads - loop.root->members) - polling_, sleeping_);
  }
  for (; helpers > 0; --helpers) wake_worker_.notify_one();
}

// Waits until no other thread runs a block of the loop, and runs blocks of nested loops meanwhile.
void ThreadPool::close(ParallelLoop& loop) {
  Lock lock(mutex_);
  --loop.active;
  PollingPeriod polling;
  while (loop.active > 0) {
    if (ParallelLoop* nested = joinable(&loop)) {
      join(*nested, lock);
      polling.restart();
    } else if (!polling.is_over()) {
      const auto seen = opened_.load();
      lock.unlock();
      polling.poll([&] { return loop.active == 0 || opened_ != seen; });
      lock.lock();
    } else {
      loop.owner_sleeps = true;
      loop.wake_owner.wait(lock, [&] { return loop.active == 0 || joinable(&loop) != nullptr; });
      loop.owner_sleeps = false;
    }
  }
  (loop.older != nullptr ? loop.older->newer : oldest_) = loop.newer;
  (loop.newer != nullptr ? loop.newer->older : newest_) = loop.older;
}

void ThreadPool::start_workers(int wanted) {
  if (stopped_ || std::ssize(workers_) >= wanted) return;
  workers_.reserve(static_cast<std::size_t>(wanted));
  try {
    while (std::ssize(workers_) < wanted) workers_.push_back({std::thread(&ThreadPool::serve, this, workers_.size())});
  } catch (const std::system_error&) {  // the system grants no more threads: continue with those that exist
  }
}

void ThreadPool::serve(std::size_t worker) {
  Lock lock(mutex_);
  PollingPeriod polling;
  while (!stopped_) {
    if (ParallelLoop* loop = joinable(nullptr)) {
      ParallelLoop* root = loop->root;
      ++root->members;
      workers_[worker].busy = true;
      join(*loop, lock);
      workers_[worker].busy = false;
      --root->members;
      polling.restart();
    } else if (!polling.is_over()) {
      const auto seen = opened_.load();
      ++polling_;
      lock.unlock();
      polling.poll([&] { return opened_ != seen; });
      lock.lock();
      --polling_;
    } else {
      ++sleeping_;
      wake_worker_.wait(lock, [&] { return stopped_ || joinable(nullptr) != nullptr; });
      --sleeping_;
    }
  }
}

// The oldest loop that a free worker may join. If `below` is given, by its owner that waits for it, the oldest loop nested in it.
ParallelLoop* ThreadPool::joinable(const ParallelLoop* below) const {
  for (ParallelLoop* loop = oldest_; loop != nullptr; loop = loop->newer) {
    if (loop->next >= loop->blocks || loop->active >= loop->limit) continue;
    if (below != nullptr ? is_below(loop, below) : loop->root->members < loop->root->threads) return loop;
  }
  return nullptr;
}

void ThreadPool::join(ParallelLoop& loop, Lock& lock) {
  ++loop.active;
  lock.unlock();
  run_blocks(loop);
  lock.lock();
  // The owner takes the mutex before it destroys the loop, so the loop still exists.
  if (--loop.active == 0 && loop.owner_sleeps) loop.wake_owner.notify_one();
}

void ThreadPool::run_blocks(ParallelLoop& loop) {
  ParallelLoop* const before = std::exchange(current_loop, &loop);
  try {
    for (Index b = loop.next++; b < loop.blocks; b = loop.next++)
      (*loop.work)(b * loop.block, std::min(loop.count, (b + 1) * loop.block));
  } catch (...) {
    loop.next = loop.blocks;
    const Lock lock(mutex_);
    if (!loop.failure) loop.failure = std::current_exception();
  }
  current_loop = before;
}

int ThreadPool::workers() {
  const Lock lock(mutex_);
  return static_cast<int>(workers_.size());
}

void ThreadPool::stop() {
  std::vector<bool> busy;
  {
    const Lock lock(mutex_);
    if (std::exchange(stopped_, true)) return;
    for (const Worker& worker : workers_) busy.push_back(worker.busy);
  }
  wake_worker_.notify_all();
  for (std::size_t i = 0; i < busy.size(); ++i) busy[i] ? workers_[i].thread.detach() : workers_[i].thread.join();
}

}  // namespace taut
