// The metrics by name. NAME_metric() is defined beside the class; a new one is listed by one line here.
#include <taut/metric/metric.hpp>

#define TAUT_METRICS(LISTED)       \
  LISTED(coverage)                 \
  LISTED(coverage_low)             \
  LISTED(coverage_high)            \
  LISTED(unbounded)                \
  LISTED(mean_width)               \
  LISTED(median_width)             \
  LISTED(interval_score)           \
  LISTED(empty)                    \
  LISTED(infinite)                 \
  LISTED(worst_slab_coverage)      \
  LISTED(size_stratified_coverage) \
  LISTED(ert)                      \
  LISTED(hsic)

namespace taut {

#define DECLARE(name) Listed<Metric> name##_metric();
TAUT_METRICS(DECLARE)
#undef DECLARE

Registry<Metric>& metrics() {
#define ENTRY(name) name##_metric(),
  static Registry<Metric> registry("metric", {TAUT_METRICS(ENTRY)});
#undef ENTRY
  return registry;
}

}  // namespace taut
