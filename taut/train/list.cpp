#include <taut/train/objective.hpp>
#include <taut/train/shape.hpp>

namespace taut {

// The list of objectives. Each one needs one line here and a definition of NAME_objective() in a .cpp file of this folder.
#define TAUT_OBJECTIVES(LISTED) \
  LISTED(conditional)           \
  LISTED(sidewise)              \
  LISTED(size)                  \
  LISTED(power)                 \
  LISTED(level)                 \
  LISTED(pinball)               \
  LISTED(likelihood)            \
  LISTED(error_fit)

#define TAUT_DECLARE(name) Listed<Objective> name##_objective();
TAUT_OBJECTIVES(TAUT_DECLARE)
#undef TAUT_DECLARE

Registry<Objective>& objectives() {
#define TAUT_ENTRY(name) name##_objective(),
  static Registry<Objective> list("objective", {TAUT_OBJECTIVES(TAUT_ENTRY)});
#undef TAUT_ENTRY
  return list;
}

// The list of shapes. Each has the name of the transformation whose parameters it computes.
Listed<ShapeKind> curve_shape();

Registry<ShapeKind>& shapes() {
  static Registry<ShapeKind> list("shape", {curve_shape()});
  return list;
}

}  // namespace taut
