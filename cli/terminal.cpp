#include <cli/terminal.hpp>

#include <taut/core/file.hpp>
#include <taut/core/posix.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>

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

namespace {

constexpr int bar_width = 30;
constexpr auto between_draws = std::chrono::milliseconds(100);

void to_stderr(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

// On a terminal, or behind a pipe whose reader probably writes to one.
bool output_may_be_seen() {
  struct stat status {};
  return ::isatty(STDOUT_FILENO) == 1 || (::fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode));
}

}  // namespace

Terminal::Terminal() : is_terminal_(::isatty(STDERR_FILENO) == 1), shows_output_(output_may_be_seen()) {
  OutputFile::call_before_standard_output([this] { make_way(); });
}

Terminal::~Terminal() {
  OutputFile::call_before_standard_output({});
  clear();
}

// No bar among results on the same terminal: they show progress themselves.
void Terminal::make_way() {
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
  if (stage == stage_ && now - last_drawn_ < between_draws) return;
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
