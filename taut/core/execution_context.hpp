// What a long computation may know of its surroundings: how many threads, whom to tell, whether to stop.
#pragma once

#include <taut/core/error.hpp>

#include <functional>
#include <string_view>
#include <utility>

namespace taut {

struct ExecutionContext {
  int threads = 0;                                                      // 0: all that the machine has
  std::function<void(std::string_view stage, double done)> progress{};  // done in [0, 1]; may be empty
  std::function<bool()> cancelled{};                                    // may be empty
  std::function<void(std::string_view)> say{};                          // a sentence for the user; may be empty
  std::function<void()> give_way{};                                     // lets others have the thread for a while; may be empty

  void report(std::string_view stage, double done) const {
    if (cancelled && cancelled()) throw Interrupted();
    if (give_way) give_way();
    if (progress) progress(stage, done);
  }
  void tell(std::string_view sentence) const {
    if (say) say(sentence);
  }
};

}  // namespace taut
