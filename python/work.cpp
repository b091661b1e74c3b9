#include <python/bind.hpp>

#include <nanobind/stl/string.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

namespace taut {

namespace {

constexpr auto polling_interval = std::chrono::milliseconds(50);

// The progress bar of python/taut/_progress.py. If the bar fails, the work goes on. Its methods need the GIL.
class ProgressBar {
 public:
  // Returns false, with the Python error set, if the user interrupts while the bar is drawn.
  bool show(const std::string& stage, double done) {
    return quietly([&] {
      if (!asked_) {
        asked_ = true;
        bar_ = nb::module_::import_("taut._progress").attr("bar")();
      }
      if (bar_.is_valid() && !bar_.is_none() && !stage.empty()) bar_(stage, done);
    });
  }
  void close() {
    quietly([&] {
      if (bar_.is_valid() && !bar_.is_none()) bar_.attr("close")();
    });
    bar_.reset();
  }

 private:
  template <class Action>
  bool quietly(const Action& action) {
    try {
      action();
    } catch (nb::python_error& error) {
      bar_.reset();
      if (error.matches(PyExc_KeyboardInterrupt)) {
        error.restore();
        return false;
      }
      error.discard_as_unraisable("the progress bar of taut");
    }
    return true;
  }

  nb::object bar_;
  bool asked_ = false;
};

}  // namespace

Words work(int threads, const std::function<void(const ExecutionContext&)>& task) {
  std::mutex mutex;
  std::condition_variable finished;
  bool done = false;
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::string stage;
  double share = 0;
  ProgressBar bar;
  Words messages;

  ExecutionContext context;
  context.threads = threads;
  context.cancelled = [&stop] { return stop.load(); };
  context.say = [&](std::string_view sentence) {
    const std::lock_guard lock(mutex);
    messages.push_back(in_python(sentence));
  };
  context.details = context.say;
  context.progress = [&](std::string_view now, double how_far) {
    const std::lock_guard lock(mutex);
    stage = now;
    share = how_far;
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
    while (!finished.wait_for(lock, polling_interval, [&] { return done; })) {
      if (stop) continue;
      const std::string at = stage;
      const double how_far = share;
      lock.unlock();  // to avoid a deadlock: the thread with the GIL may wait for a worker that needs this mutex
      {
        const nb::gil_scoped_acquire with_lock;
        if (PyErr_CheckSignals() != 0 || !bar.show(at, how_far)) stop = true;
      }
      lock.lock();
    }
    lock.unlock();
    worker.join();
  }
  if (stop) {
    nb::python_error error;
    bar.close();
    throw error;
  }
  bar.close();
  if (failure) std::rethrow_exception(failure);
  return messages;
}

}  // namespace taut
