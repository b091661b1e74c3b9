#include <taut/core/run_beside.hpp>

#include <system_error>

namespace taut {

std::future<void> run_beside(std::function<void()> work) {
  try {
    return std::async(std::launch::async, work);
  } catch (const std::system_error&) {
    return std::async(std::launch::deferred, std::move(work));
  }
}

}  // namespace taut
