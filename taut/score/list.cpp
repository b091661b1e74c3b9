#include <taut/score/score.hpp>

namespace taut {

// The one list of scores. A score is one .cpp file beside this one and one line here.
#define TAUT_SCORES(LISTED) \
  LISTED(squared)           \
  LISTED(absolute)          \
  LISTED(log_squared)

#define TAUT_DECLARE(name) Listed<Score> name##_entry();
TAUT_SCORES(TAUT_DECLARE)
#undef TAUT_DECLARE

const Registry<Score>& scores() {
#define TAUT_ENTRY(name) name##_entry(),
  static const Registry<Score> list("score", {TAUT_SCORES(TAUT_ENTRY)});
#undef TAUT_ENTRY
  return list;
}

}  // namespace taut
