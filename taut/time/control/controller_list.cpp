#include <taut/time/control/controller.hpp>

#include <cmath>

namespace taut {

// The one list of controllers. A controller takes one line here and stands in a .cpp file
// beside this one: of its own, or with others of its idea.
#define TAUT_CONTROLLERS(LISTED) \
  LISTED(dtaci)                  \
  LISTED(aci)                    \
  LISTED(pid)                    \
  LISTED(none)

#define TAUT_DECLARE(name) Listed<Controller> name##_controller();
TAUT_CONTROLLERS(TAUT_DECLARE)
#undef TAUT_DECLARE

Registry<Controller>& controllers() {
#define TAUT_ENTRY(name) name##_controller(),
  static Registry<Controller> list("controller", {TAUT_CONTROLLERS(TAUT_ENTRY)});
#undef TAUT_ENTRY
  return list;
}

void require_state(std::span<const double> state, std::size_t size) {
  bool holds = state.size() == size;
  for (const double number : state) holds = holds && std::isfinite(number);
  if (!holds) throw Error("the model file's controller has a state that it cannot have: the file is damaged");
}

double log_odds(double p) { return std::log(p / (1 - p)); }
double from_log_odds(double odds) { return 1 / (1 + std::exp(-odds)); }

}  // namespace taut
