// The commands, in the order of `taut --help`. NAME.cpp defines NAME_command(). A new command needs one line here.
#include <cli/command.hpp>

#define TAUT_COMMANDS(LISTED) \
  LISTED(look)                \
  LISTED(fit)                 \
  LISTED(predict)             \
  LISTED(stream)              \
  LISTED(update)              \
  LISTED(calibrate)           \
  LISTED(distil)              \
  LISTED(evaluate)            \
  LISTED(explain)             \
  LISTED(plan)                \
  LISTED(report)              \
  LISTED(info)                \
  LISTED(export)              \
  LISTED(lists)               \
  LISTED(demo)                \
  LISTED(synth)               \
  LISTED(compare)             \
  LISTED(reproduce)

namespace taut {

#define DECLARE(name) Listed<Command> name##_command();
TAUT_COMMANDS(DECLARE)
#undef DECLARE

const Registry<Command>& commands() {
#define ENTRY(name) name##_command(),
  static const Registry<Command> registry("command", {TAUT_COMMANDS(ENTRY)});
#undef ENTRY
  return registry;
}

}  // namespace taut
