#include <taut/calibrate/question.hpp>

namespace taut {

// The list of questions. A question needs one line here and is implemented in a .cpp file of this folder.
#define TAUT_QUESTIONS(LISTED) \
  LISTED(interval)             \
  LISTED(equal)                \
  LISTED(upper)                \
  LISTED(lower)                \
  LISTED(quantile)             \
  LISTED(below)                \
  LISTED(p_value)              \
  LISTED(samples)              \
  LISTED(mean)                 \
  LISTED(cdf)                  \
  LISTED(crps)

#define TAUT_DECLARE(name) Listed<Question> name##_question();
TAUT_QUESTIONS(TAUT_DECLARE)
#undef TAUT_DECLARE

Registry<Question>& questions() {
#define TAUT_ENTRY(name) name##_question(),
  static Registry<Question> list("question", {TAUT_QUESTIONS(TAUT_ENTRY)});
#undef TAUT_ENTRY
  return list;
}

}  // namespace taut
