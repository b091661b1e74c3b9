#include <cli/alarms.hpp>

#include <cli/json.hpp>
#include <cli/output.hpp>
#include <taut/core/file.hpp>
#include <taut/core/text.hpp>
#include <taut/model/evaluation.hpp>

namespace taut {

void AlarmOptions::add(Arguments& arguments) {
  arguments.flag({"strict", "", "end with exit code 3 if there is an alarm; all outputs are still written"}, strict_);
  std::string kinds;
  for (const AlarmText& kind : alarm_kinds) kinds += (kinds.empty() ? "" : ", ") + std::string(kind.name);
  arguments.option({"alarms", "FILE", "for programs: the alarms as JSON, an empty list if there are none; kinds: " + kinds},
                   output_);
}

void AlarmOptions::check(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) const {
  if (output_ == "-") throw UsageError("--alarms: expected the name of a file, got '-': standard output is for results");
  if (!output_.empty()) check_output(output_, inputs);
  std::vector<std::string> all = outputs;
  all.push_back(output_);
  check_outputs_differ(all);
}

void AlarmOptions::raise(const std::vector<Alarm>& alarms, Terminal& terminal) const {
  for (const Alarm& alarm : alarms) terminal.warn(alarm.words);
  if (!output_.empty()) {
    OutputFile file(output_);
    file.write(json_text({{"alarms", json_of(facts_of(alarms))}}));
    file.commit();
  }
  if (strict_ && !alarms.empty())
    throw AlarmsRaised(counted(std::ssize(alarms), "alarm") + "; the exit code is 3 because of --strict");
}

}  // namespace taut
