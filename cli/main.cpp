#include <cli/alarms.hpp>
#include <cli/command.hpp>
#include <cli/output.hpp>
#include <cli/terminal.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>

#include <new>

namespace taut {

namespace {

enum Exit { done = 0, bad_data = 1, bad_usage = 2, alarmed = 3, signalled = 128, closed_pipe = 141 };

std::string help() {
  std::string text =
      "Prediction intervals that are guaranteed to cover and as tight as each x allows.\n"
      "Usage: taut COMMAND [options]\n\nCommands:\n";
  for (const auto& command : commands().entries())
    text += "  " + command.name + std::string(12 - std::min<std::size_t>(11, command.name.size()), ' ') + command.summary + "\n";
  text +=
      "\nOptions:\n"
      "  -h,--help     this text; 'taut COMMAND --help' for that of a command\n"
      "  --version     the version\n"
      "\nExit codes: 0 done, 1 the data or a file cannot be used, 2 the command line cannot, 3 an alarm with --strict\n"
      "\nExample:\n  " +
      commands().entries().front().example + "\n";
  return text;
}

// "; 'taut calibrate' has it": names the commands that do have an option that the user gave to another command.
std::string commands_with(const std::string& option) {
  std::vector<std::string> names;
  for (const auto& entry : commands().entries()) {
    const auto command = entry.make({});
    Arguments arguments(entry.name, entry.summary, entry.example);
    command->add_options(arguments);
    if (arguments.has(option)) names.push_back("'taut " + entry.name + "'");
  }
  if (names.empty()) return {};
  return "; " + join(names, ", ") + (names.size() == 1 ? " has it" : " have it");
}

int run_command(const std::string& name, const std::vector<std::string>& words, Terminal& terminal) {
  for (const auto& entry : commands().entries()) {
    if (entry.name != name) continue;
    const auto command = entry.make({});
    Arguments arguments(entry.name, entry.summary, entry.example);
    command->add_options(arguments);
    try {
      if (!arguments.parse(words)) return done;
    } catch (const UnknownOption& error) {
      throw UsageError(error.what() + commands_with(error.name));
    }
    command->run(terminal);
    return done;
  }
  throw UsageError(unknown_name("command", name, commands().names()));
}

int run_program(std::vector<std::string> words, Terminal& terminal) {
  if (words.empty()) {
    terminal.print(help());
    return bad_usage;
  }
  const std::string first = words.front();
  words.erase(words.begin());
  if (first == "help" && !words.empty()) return run_command(words.front(), {"--help"}, terminal);
  if (first == "--help" || first == "-h" || first == "help") {
    write_result(help());
  } else if (first == "--version") {
    write_result("taut " + std::string(version) + "\n");
  } else if (first.starts_with('-')) {
    const std::vector<std::string> names = {"--help", "--version"};
    throw UsageError(unknown_name("option", first, names) + ", or a command first: taut COMMAND [options]");
  } else {
    return run_command(first, words, terminal);
  }
  return done;
}

// Turns exceptions into messages and exit codes. An interrupt may surface as any error, because it closes standard input.
int run_guarded(const std::vector<std::string>& words, Terminal& terminal) {
  try {
    return run_program(words, terminal);
  } catch (const ClosedPipe&) {
    return closed_pipe;
  } catch (const std::exception& error) {
    if (interrupt() != 0) {
      const auto* interrupted = dynamic_cast<const Interrupted*>(&error);
      terminal.say(interrupted != nullptr ? interrupted->what() : Interrupted().what());
      return signalled + interrupt();
    }
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
      terminal.say("out of memory; use fewer rows or columns, or a machine with more memory");
      return bad_data;
    }
    terminal.say(error.what());
    if (dynamic_cast<const AlarmsRaised*>(&error) != nullptr) return alarmed;
    return dynamic_cast<const UsageError*>(&error) != nullptr ? bad_usage : bad_data;
  }
}

}  // namespace

}  // namespace taut

int main(int argc, char** argv) {
  taut::watch_for_interrupts();
  taut::Terminal terminal;
  return taut::run_guarded({argv + 1, argv + argc}, terminal);
}
