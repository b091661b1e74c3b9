#include <cli/terminal.hpp>

#include <taut/core/file.hpp>
#include <taut/core/posix.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>

namespace taut {

namespace {

volatile std::sig_atomic_t caught = 0;

// A read of standard input may block for ever. Closing standard input makes the read fail, and `caught` says why.
void handle_signal(int signal) {
  caught = signal;
  ::close(STDIN_FILENO);
}

}  // namespace

void watch_for_interrupts() {
#ifdef _WIN32
  std::signal(SIGINT, handle_signal);  // handles one Ctrl-C only; the next one ends the program
  std::signal(SIGTERM, handle_signal);
#else
  struct sigaction action {};
  action.sa_handler = handle_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second Ctrl-C ends the program at once
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A closed pipe (`| head`) is detected when we write to it. A closed stderr must not lose the result.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // the same for a limit on the size of files (ulimit -f)
#endif
}

int interrupt() { return caught; }

namespace {

constexpr int bar_width = 30;
constexpr auto min_time_between_draws = std::chrono::milliseconds(100);

void to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// Whether standard output is a terminal, or a pipe whose reader probably writes to a terminal.
bool output_may_be_seen() {
  struct stat status {};
  return ::isatty(STDOUT_FILENO) == 1 || (::fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode));
}

}  // namespace

Terminal::Terminal() : is_terminal_(::isatty(STDERR_FILENO) == 1), shows_output_(output_may_be_seen()) {
  OutputFile::call_before_standard_output([this] { hide_progress_bar(); });
}

Terminal::~Terminal() {
  OutputFile::call_before_standard_output({});
  clear();
}

// Results on the same terminal show the progress themselves, so the bar would only disturb them.
void Terminal::hide_progress_bar() {
  if (!shows_output_) return;
  const std::lock_guard lock(mutex_);
  clear();
  output_began_ = true;
}

void Terminal::say(std::string_view sentence) { print("taut: " + std::string(sentence) + "\n"); }

void Terminal::warn(std::string_view sentence) { say("warning: " + std::string(sentence)); }

void Terminal::print(std::string_view text) {
  const std::lock_guard lock(mutex_);
  clear();
  to_stderr(std::string(text));
}

ExecutionContext Terminal::context(int threads) {
  ExecutionContext context;
  context.threads = threads;
  context.cancelled = [] { return interrupt() != 0; };
  context.say = [this](std::string_view sentence) { say(sentence); };
  if (is_terminal_) context.progress = [this](std::string_view stage, double done) { show(stage, done); };
  return context;
}

void Terminal::show(std::string_view stage, double done) {
  const std::lock_guard lock(mutex_);
  if (output_began_) return;
  const auto now = std::chrono::steady_clock::now();
  if (stage == stage_ && now - last_drawn_ < min_time_between_draws) return;
  stage_ = stage;
  last_drawn_ = now;
  const double share = std::clamp(done, 0.0, 1.0);
  const int filled = static_cast<int>(share * bar_width);
  std::string line = "\r\033[K" + stage_ + " [" + std::string(static_cast<std::size_t>(filled), '#') +
                     std::string(static_cast<std::size_t>(bar_width - filled), '.') + "] " +
                     std::to_string(static_cast<int>(100 * share)) + " %";
  to_stderr(line);
  drawn_ = true;
}

void Terminal::clear() {
  if (!drawn_) return;
  to_stderr("\r\033[K");
  drawn_ = false;
}

}  // namespace taut
