// A thread that its destructor joins, like std::jthread, which libc++ supports fully only since version 20.
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
