#include <cli/interrupt.hpp>

#include <taut/core/posix.hpp>

#include <csignal>

namespace taut {

namespace {

volatile std::sig_atomic_t caught = 0;

// A read of standard input may wait for ever; closing it makes the read fail, and the flag says why.
void note(int signal) {
  caught = signal;
  ::close(STDIN_FILENO);
}

}  // namespace

void watch_for_interrupts() {
#ifdef _WIN32
  std::signal(SIGINT, note);  // one Ctrl-C only: the system then ends the program at the next
  std::signal(SIGTERM, note);
#else
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program at once
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A reader that leaves (`| head`) is noticed where we write; a closed stderr must not cost the result.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // so is a limit on the size of files (ulimit -f)
#endif
}

int interrupt() { return caught; }

}  // namespace taut
