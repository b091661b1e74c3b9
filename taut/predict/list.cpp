// The predictors by name. NAME.cpp defines NAME_predictor(). A new predictor needs one line here.
#include <taut/predict/predictor.hpp>

#define TAUT_PREDICTORS(LISTED) \
  LISTED(boost)                 \
  LISTED(symmetric)             \
  LISTED(deep)                  \
  LISTED(additive)              \
  LISTED(elastic)               \
  LISTED(gp)                    \
  LISTED(knn)                   \
  LISTED(linear)                \
  LISTED(network)               \
  LISTED(quantile)

namespace taut {

#define DECLARE(name) Listed<Predictor> name##_predictor();
TAUT_PREDICTORS(DECLARE)
#undef DECLARE

Registry<Predictor>& predictors() {
#define ENTRY(name) name##_predictor(),
  static Registry<Predictor> registry("predictor", {TAUT_PREDICTORS(ENTRY)});
#undef ENTRY
  return registry;
}

}  // namespace taut
