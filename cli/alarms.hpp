// How commands report alarms: text on the terminal, JSON with --alarms, an exit code with --strict.
#pragma once

#include <cli/arguments.hpp>
#include <cli/terminal.hpp>
#include <taut/core/error.hpp>
#include <taut/guard/alarm.hpp>

namespace taut {

// Thrown with --strict after all outputs have been written. The program then ends with exit code 3.
class AlarmsRaised : public Error {
 public:
  using Error::Error;
};

class AlarmOptions {
 public:
  void add(Arguments& arguments);
  // Called before the work starts. Throws Error if the file of --alarms cannot be written, or would replace an input or an
  // output.
  void check(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs = {}) const;
  // The last step of a command: prints the alarms, writes the file of --alarms, and throws AlarmsRaised with --strict.
  void raise(const std::vector<Alarm>& alarms, Terminal& terminal) const;

 private:
  bool strict_ = false;
  std::string output_;
};

}  // namespace taut
