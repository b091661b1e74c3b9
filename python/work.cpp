#include <python/words.hpp>
#include <python/work.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace taut {

namespace {

constexpr auto between_looks = std::chrono::milliseconds(50);

bool signal_raised() {
  const nb::gil_scoped_acquire lock;
  return PyErr_CheckSignals() != 0;
}

}  // namespace

void work(int threads, std::vector<std::string>& said, const std::function<void(const ExecutionContext&)>& task) {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::atomic<bool> stop{false};
  std::exception_ptr failure;

  ExecutionContext context;
  context.threads = threads;
  context.cancelled = [&stop] { return stop.load(); };
  context.say = [&](std::string_view sentence) {
    const std::lock_guard lock(mutex);
    said.push_back(in_python(sentence));
  };
  {
    const nb::gil_scoped_release no_lock;
    std::thread worker([&] {
      try {
        task(context);
      } catch (...) {
        failure = std::current_exception();
      }
      const std::lock_guard lock(mutex);
      done = true;
      finished.notify_one();
    });
    std::unique_lock lock(mutex);
    while (!finished.wait_for(lock, between_looks, [&] { return done; })) {
      if (stop) continue;
      lock.unlock();  // the thread with Python's lock may wait for a worker that has something to say
      if (signal_raised()) stop = true;
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (stop) throw nb::python_error();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace taut
