// A few places for many: who holds one passes it on now and then, in order of arrival.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace taut {

class Turns {
 public:
  explicit Turns(int places) : admitted_(static_cast<std::uint64_t>(places)) {}

  // Waits for a place.
  void take() {
    std::unique_lock lock(mutex_);
    wait(lock, arrived_++);
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    admit();
  }
  // Where others wait, goes to the end of the line.
  void pass() {
    std::unique_lock lock(mutex_);
    if (arrived_ <= admitted_) return;
    admit();
    wait(lock, arrived_++);
  }

 private:
  void admit() {
    ++admitted_;
    changed_.notify_all();
  }
  void wait(std::unique_lock<std::mutex>& lock, std::uint64_t number) {
    changed_.wait(lock, [&] { return number < admitted_; });
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t arrived_ = 0;
  std::uint64_t admitted_;
};

}  // namespace taut
