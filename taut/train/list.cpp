#include <taut/train/objective.hpp>
#include <taut/train/shape.hpp>

namespace taut {

// The one list of objectives. A class takes one line here and stands in a .cpp file
// beside this one: of its own, or with others of its idea.
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

// The one list of shapes, each under the name of the transformation that it gives parameters to.
Listed<ShapeKind> curve_shape();

Registry<ShapeKind>& shapes() {
  static Registry<ShapeKind> list("shape", {curve_shape()});
  return list;
}

}  // namespace taut
