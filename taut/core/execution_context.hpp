// How a long computation runs: the number of threads, the callbacks for progress and messages, and a request to stop.
#pragma once

#include <taut/core/error.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

namespace taut {

// `progress` and `say` may be called from any thread, but never two calls at the same time, for a context and all its copies:
// they need no lock. They must not start work with this context. An exception from them ends the computation, and so does
// `cancelled` if it returns true. `cancelled` may be called by several threads at the same time.
struct ExecutionContext {
  int threads = 0;                                                      // 0: all cores that this process may use
  std::function<void(std::string_view stage, double done)> progress{};  // done in [0, 1]; may be empty
  std::function<bool()> cancelled{};                                    // may be empty
  std::function<void(std::string_view)> say{};                          // a sentence for the user; may be empty
  std::function<void(std::string_view)> details{};                      // the same, for a user who asks how it is done
  // Recursive, so that `progress` may call tell() and `say` may call report().
  std::shared_ptr<std::recursive_mutex> callbacks = std::make_shared<std::recursive_mutex>();

  void report(std::string_view stage, double done) const {
    if (cancelled && cancelled()) throw Interrupted();
    if (!progress) return;
    const std::lock_guard lock(*callbacks);
    progress(stage, done);
  }
  void tell(std::string_view sentence) const { call(say, sentence); }
  void tell_detail(std::string_view sentence) const { call(details, sentence); }

 private:
  void call(const std::function<void(std::string_view)>& listener, std::string_view sentence) const {
    if (!listener) return;
    const std::lock_guard lock(*callbacks);
    listener(sentence);
  }
};

}  // namespace taut
