#include <taut/transform/transform.hpp>

namespace taut {

// The list of all transformations. To add one, add a line here and define NAME_transform() in a .cpp file of this folder.
#define TAUT_TRANSFORMS(LISTED) \
  LISTED(fixed)                 \
  LISTED(erc)                   \
  LISTED(linear)                \
  LISTED(exp)                   \
  LISTED(sigma)                 \
  LISTED(shift)                 \
  LISTED(offset)                \
  LISTED(mixture)               \
  LISTED(spline)                \
  LISTED(curve)

#define TAUT_DECLARE(name) Listed<Transform> name##_transform();
TAUT_TRANSFORMS(TAUT_DECLARE)
#undef TAUT_DECLARE

Registry<Transform>& transforms() {
#define TAUT_ENTRY(name) name##_transform(),
  static Registry<Transform> list("transformation", {TAUT_TRANSFORMS(TAUT_ENTRY)});
#undef TAUT_ENTRY
  return list;
}

std::string trained_first(const std::string& name) {
  const std::string base = transforms().make(name)->base();
  return base.empty() ? name : base;
}

}  // namespace taut
