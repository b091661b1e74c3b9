#include <cli/trace_option.hpp>

#include <cli/alarms.hpp>
#include <cli/output.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>

namespace taut {

void TraceOption::add(Arguments& arguments) {
  arguments.option(
      {"trace", "FILE",
       "writes a trace of the run time that ui.perfetto.dev and chrome://tracing show, and prints the time of each stage and "
       "what more threads could save; results stay the same"},
      output_);
}

void TraceOption::run(Terminal& terminal, int threads, const std::vector<std::string>& others,
                      const std::function<void()>& work) const {
  if (output_.empty()) return work();
  if (std::find(others.begin(), others.end(), output_) != others.end())
    throw UsageError(format_text("--trace: '{}' is another file of this command; name a different file", output_));
  check_output(output_, others);
  Trace trace;
  const auto finish = [&] {
    const TraceReport report = trace.finish();
    OutputFile file(output_);
    file.write(report.json());
    file.commit();
    terminal.say(output_ + ": where the time went");
    terminal.print(report.describe(resolve_threads(threads)));
  };
  try {
    work();
  } catch (const AlarmsRaised&) {  // thrown with --strict after the work is done
    finish();
    throw;
  }
  finish();
}

}  // namespace taut
