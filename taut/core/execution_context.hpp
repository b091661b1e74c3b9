// What a long computation may know of its surroundings: how many threads, where to report, whether to stop.
#pragma once

#include <taut/core/error.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <string_view>

namespace taut {

// `progress` and `say` may be called from any thread, but never two calls at a time, over a context and all its copies: they need
// no lock of their own. They must not start work with this context. What they throw ends the computation, as `cancelled` does.
// `cancelled` is asked by several threads at once.
struct ExecutionContext {
  int threads = 0;                                                      // 0: all that the machine has
  std::function<void(std::string_view stage, double done)> progress{};  // done in [0, 1]; may be empty
  std::function<bool()> cancelled{};                                    // may be empty
  std::function<void(std::string_view)> say{};                          // a sentence for the user; may be empty
  // Recursive, so that `progress` may use tell() and `say` may use report().
  std::shared_ptr<std::recursive_mutex> callbacks = std::make_shared<std::recursive_mutex>();

  void report(std::string_view stage, double done) const {
    if (cancelled && cancelled()) throw Interrupted();
    if (!progress) return;
    const std::lock_guard lock(*callbacks);
    progress(stage, done);
  }
  void tell(std::string_view sentence) const {
    if (!say) return;
    const std::lock_guard lock(*callbacks);
    say(sentence);
  }
};

}  // namespace taut
