// A thread that the end of its scope waits for: what std::jthread is, which libc++ has had for good since version 20 only.
#pragma once

#include <thread>
#include <utility>

namespace taut {

class JoinedThread {
 public:
  template <class Work>
  explicit JoinedThread(Work work) : thread_(std::move(work)) {}
  JoinedThread(JoinedThread&&) = default;
  JoinedThread& operator=(JoinedThread&&) = delete;
  ~JoinedThread() {
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::thread thread_;
};

}  // namespace taut
