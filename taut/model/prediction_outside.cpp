#include <taut/task/number/prediction_outside.hpp>

#include <taut/core/text.hpp>

namespace taut {

bool lies_outside(double f, const Interval& interval, const TargetRange& range) {
  if (!(interval.lower <= interval.upper)) return false;
  const double possible = range.restricts() ? range.nearest_possible(f) : f;
  return possible < interval.lower || possible > interval.upper;
}

std::vector<Index> predictions_outside(const Model& model, const TableView& table, std::span<const double> levels,
                                       const ExecutionContext& context) {
  const Predicted predicted = model.predict_interval(table, levels, context);
  std::vector<Index> counts(levels.size());
  for (std::size_t row = 0; row < predicted.prediction.size(); ++row)
    for (std::size_t level = 0; level < levels.size(); ++level)
      if (lies_outside(predicted.prediction[row], predicted.at(static_cast<Index>(row), level), model.target_range()))
        ++counts[level];
  return counts;
}

std::string outside_in_words(Index outside, Index rows, double confidence) {
  return "in " + print_count(outside) + " of " + counted(rows, "row") + " the prediction lies outside of its own interval at " +
         print_number(confidence) +
         ": f is near a mean, which few large targets move far, and the interval is where most of the distribution lies; "
         "--quantiles 0.5 gives its median";
}

}  // namespace taut
