// Work on a thread of its own while the caller goes on: for what must not keep a row waiting.
#pragma once

#include <functional>
#include <future>

namespace taut {

// What the work throws comes out of get(). Letting the future go waits for the work, so that one should know how to end early. A
// system without a thread to spare does the work in get().
std::future<void> run_beside(std::function<void()> work);

}  // namespace taut
