// The list of all localizers. To add one, add a line here and define NAME_localizer() in a .cpp file of this folder.
#include <taut/localize/localizer.hpp>

#define TAUT_LOCALIZERS(LISTED) \
  LISTED(boost)                 \
  LISTED(mlp)                   \
  LISTED(constant)              \
  LISTED(none)

namespace taut {

#define DECLARE(name) Listed<Localizer> name##_localizer();
TAUT_LOCALIZERS(DECLARE)
#undef DECLARE

Registry<Localizer>& localizers() {
#define ENTRY(name) name##_localizer(),
  static Registry<Localizer> registry("localizer", {TAUT_LOCALIZERS(ENTRY)});
#undef ENTRY
  return registry;
}

}  // namespace taut
