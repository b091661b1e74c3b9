#include <taut/time/control/controller.hpp>

#include <cmath>

namespace taut {

// The list of controllers. A controller needs one line here and is implemented in a .cpp file of this folder.
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
  if (!holds) throw Error("the model file's controller has an invalid state: the file is damaged");
}

double log_odds(double p) { return std::log(p / (1 - p)); }
double from_log_odds(double odds) { return 1 / (1 + std::exp(-odds)); }

}  // namespace taut
