#include <taut/calibrate/calibration.hpp>

namespace taut {

// The one list of kinds of calibration. A kind is one .cpp file beside this one and one line here.
#define TAUT_CALIBRATIONS(LISTED) \
  LISTED(plain)                   \
  LISTED(by_group)                \
  LISTED(weighted)                \
  LISTED(towards)                 \
  LISTED(local)                   \
  LISTED(hierarchical)            \
  LISTED(overlapping)

#define TAUT_DECLARE(name) Listed<Calibration> name##_calibration();
TAUT_CALIBRATIONS(TAUT_DECLARE)
#undef TAUT_DECLARE

Registry<Calibration>& calibrations() {
#define TAUT_ENTRY(name) name##_calibration(),
  static Registry<Calibration> list("kind of calibration", {TAUT_CALIBRATIONS(TAUT_ENTRY)});
#undef TAUT_ENTRY
  return list;
}

}  // namespace taut
