#include <taut/task/label/class_score.hpp>

#include <algorithm>
#include <numeric>

namespace taut {

// The one list of scores of labels. A score is one .cpp file beside this one and one line here.
#define TAUT_CLASS_SCORES(LISTED) \
  LISTED(least)                   \
  LISTED(cumulated)               \
  LISTED(randomised)              \
  LISTED(regularised)

#define TAUT_DECLARE(name) Listed<ClassScore> name##_score();
TAUT_CLASS_SCORES(TAUT_DECLARE)
#undef TAUT_DECLARE

Registry<ClassScore>& class_scores() {
#define TAUT_ENTRY(name) name##_score(),
  static Registry<ClassScore> list("score", {TAUT_CLASS_SCORES(TAUT_ENTRY)});
#undef TAUT_ENTRY
  return list;
}

double ClassScore::top(Index) const { return 1; }

void by_probability(std::span<const double> p, std::span<Index> order) {
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) {
    return p[static_cast<std::size_t>(a)] > p[static_cast<std::size_t>(b)];
  });
}

}  // namespace taut
