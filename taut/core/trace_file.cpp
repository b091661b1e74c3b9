// A trace as a file for trace viewers, and as a table for the terminal.
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace taut {

namespace {

std::string in_quotes(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) result += c;
  }
  return result + "\"";
}

// Microseconds, the unit of the format, with one decimal.
std::string micros(double seconds) { return print_number(std::round(seconds * 1e7) / 10); }
// A JSON number with six decimals.
std::string rounded(double value) { return print_number(std::round(value * 1e6) / 1e6); }

std::string event_of(const TraceBar& bar) {
  std::string text = R"({"ph":"X","pid":1,"tid":)" + std::to_string(bar.thread) +
                     ",\"name\":" + in_quotes(bar.what.empty() ? bar.stage : bar.stage + ": " + bar.what) +
                     ",\"cat\":" + in_quotes(bar.stage) + ",\"ts\":" + micros(bar.begin) +
                     ",\"dur\":" + micros(bar.end - bar.begin) + ",\"args\":{";
  std::string separator;
  for (const auto& [stage, seconds] : bar.work) {
    text += separator + in_quotes("processor s, " + stage) + ":" + rounded(seconds);
    separator = ",";
  }
  return text + "}}";
}

std::string padded(std::string text, std::size_t width, bool right) {
  const std::string space(width > text.size() ? width - text.size() : 0, ' ');
  return right ? space + text : text + space;
}

std::string decimals(double value, int digits) {
  char text[32];
  const int size = std::snprintf(text, sizeof text, "%.*f", digits, value);
  return {text, static_cast<std::size_t>(std::max(size, 0))};
}

std::string percent(double part, double whole) { return decimals(whole > 0 ? 100 * part / whole : 0, 1); }

}  // namespace

std::string TraceReport::json() const {
  std::string text = "{\"displayTimeUnit\":\"ms\",\n\"traceEvents\":[\n";
  int threads = 0;
  for (const TraceBar& bar : bars) threads = std::max(threads, bar.thread + 1);
  text += R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"taut"}})";
  for (int thread = 0; thread < threads; ++thread)
    text += R"(,
{"ph":"M","pid":1,"tid":)" +
            std::to_string(thread) + R"(,"name":"thread_name","args":{"name":)" +
            in_quotes(thread == 0 ? "main" : "worker " + std::to_string(thread)) + "}}";
  for (const TraceBar& bar : bars) text += ",\n" + event_of(bar);
  for (const TraceMemory& one : memory)
    text += R"(,
{"ph":"C","pid":1,"name":"memory","ts":)" +
            micros(one.at) + R"(,"args":{"MB":)" + rounded(one.bytes / 1e6) + "}}";
  text += "\n],\n\"otherData\":{\"wall_s\":" + rounded(wall) + ",\"processor_s\":" + rounded(work) +
          ",\"alone_s\":" + rounded(alone) + ",\n\"least_s\":{";
  for (std::size_t p = 0; p < minimum.size(); ++p)
    text += (p > 0 ? ",\"" : "\"") + std::to_string(trace_thread_counts[p]) + "\":" + rounded(minimum[p]);
  text += "},\n\"speed_up\":{";
  for (std::size_t p = 0; p < minimum.size(); ++p)
    text += (p > 0 ? ",\"" : "\"") + std::to_string(trace_thread_counts[p]) + "\":" + rounded(speed_up(p));
  text += "},\n\"stages\":[";
  for (std::size_t s = 0; s < stages.size(); ++s)
    text += (s > 0 ? ",\n" : "\n") + std::string("{\"stage\":") + in_quotes(stages[s].name) +
            ",\"processor_s\":" + rounded(stages[s].seconds) + ",\"path_s\":" + rounded(stages[s].path) + "}";
  return text + "\n]}}\n";
}

std::string TraceReport::describe(int threads) const {
  constexpr double min_share = 0.002;
  std::size_t width = 5;
  for (const TraceStage& stage : stages) width = std::max(width, stage.name.size());
  std::string text = format_text("  {} s on {}; {} s of processor time, {} % of it outside parallel loops\n", decimals(wall, 2),
                                 counted(threads, "thread"), decimals(work, 2), percent(alone, work));
  text += format_text("  {}  processor s   share  of the minimum time on {} threads\n", padded("stage", width, false),
                      trace_thread_counts.back());
  for (const TraceStage& stage : stages)
    if (stage.seconds >= min_share * work || stage.path >= min_share * minimum.back())
      text += "  " + padded(stage.name, width, false) + padded(decimals(stage.seconds, 3), 13, true) +
              padded(percent(stage.seconds, work) + " %", 8, true) +
              padded(percent(stage.path, minimum.back()) + " %", 12, true) + "\n";
  text += "  this division of the work allows";
  for (std::size_t p = 1; p < minimum.size(); ++p)
    text += (p > 1 ? ", " : " ") + print_rounded(speed_up(p), 3) + " × on " + std::to_string(trace_thread_counts[p]);
  return text + " threads\n";
}

}  // namespace taut
