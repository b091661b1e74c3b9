// A command of the program: one file beside this one, and one line in list.cpp.
#pragma once

#include <cli/arguments.hpp>
#include <cli/terminal.hpp>
#include <taut/core/registry.hpp>

namespace taut {

class Command {
 public:
  virtual ~Command() = default;

  virtual void add_options(Arguments& arguments) = 0;
  // Called after the options have been parsed. Results go to standard output or to files, messages to the terminal.
  virtual void run(Terminal& terminal) = 0;
};

const Registry<Command>& commands();

// `summary` is the line of the command in `taut --help`; `example` is the last line of `taut COMMAND --help`.
template <class Concrete>
Listed<Command> listed_command(std::string name, std::string summary, std::string example) {
  return {std::move(name), std::move(summary), [](std::string_view) { return std::make_unique<Concrete>(); }, std::move(example)};
}

}  // namespace taut
