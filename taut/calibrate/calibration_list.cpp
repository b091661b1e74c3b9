#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/calibration_kind.hpp>

#include <algorithm>
#include <array>

namespace taut {

// The list of kinds of calibration. A kind needs one line here and is implemented in a .cpp file of this folder.
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

namespace {

const std::array<std::string, 9> kind_names = {"plain",        "by-group",    "weighted", "towards", "local",
                                               "hierarchical", "overlapping", "cv+",      "by-label"};

}  // namespace

const std::string& to_string(CalibrationKind kind) { return kind_names[static_cast<std::size_t>(kind)]; }

CalibrationKind calibration_kind(const std::string& name) {
  const auto found = std::find(kind_names.begin(), kind_names.end(), name);
  if (found == kind_names.end()) throw UsageError(unknown_name(calibrations().what(), name, calibrations().names()));
  return static_cast<CalibrationKind>(found - kind_names.begin());
}

}  // namespace taut
