#include <taut/report/over_time.hpp>

#include <algorithm>
#include <utility>

namespace taut {

namespace {

constexpr Index rows_along_time = 100;

void ask_the_same(Streamed& staying) {
  for (Index row = 0; row < staying.rows(); ++row)
    staying.asked.insert(staying.asked.end(), staying.levels.begin(), staying.levels.end());
}

Streamed that_stays(const Regressor& model, const TableView& test, const Streamed& learning, const ExecutionContext& context) {
  Predicted predicted = model.predict_interval(test, learning.levels, context);
  Streamed result{std::move(predicted.prediction), learning.levels, std::move(predicted.intervals), {}, learning.y};
  ask_the_same(result);
  return result;
}

Streamed that_stays(const Classifier& model, const TableView& test, const StreamedSets& learning,
                    const ExecutionContext& context) {
  const PredictedSets sets = model.predict_sets(test, learning.levels, context);
  Streamed result{learning.prediction, learning.levels, {}, {}, learning.y};
  for (Index row = 0; row < learning.rows(); ++row)
    for (std::size_t level = 0; level < learning.levels.size(); ++level)
      result.intervals.push_back(StreamedSets::interval_of(sets, row, level, learning.labels[static_cast<std::size_t>(row)]));
  ask_the_same(result);
  return result;
}

// Both ways of the same rows, and what the stream answered.
template <class AnyKindOfModel>
auto both_ways(const AnyKindOfModel& model, const TableView& test, std::span<const double> levels, const StreamOptions& options,
               const ExecutionContext& context) {
  context.report("streaming", 0);
  AnyKindOfModel copy = AnyKindOfModel::from_bytes(model.to_bytes());
  auto streamed = copy.stream(test, levels, options, context);
  OverTime result;
  result.learning = judge_stream(streamed);
  result.staying = judge_stream(that_stays(model, test, streamed, context));
  result.intervals.resize(levels.size());
  return std::pair(std::move(result), std::move(streamed));
}

}  // namespace

OverTime over_time(const Regressor& model, const TableView& test, std::span<const double> levels, const StreamOptions& options,
                   const ExecutionContext& context) {
  auto [result, streamed] = both_ways(model, test, levels, options, context);
  for (Index row = std::max<Index>(0, streamed.rows() - rows_along_time); row < streamed.rows(); ++row) {
    result.rows.push_back(row);
    result.y.push_back(streamed.y[static_cast<std::size_t>(row)]);
    result.f.push_back(streamed.prediction[static_cast<std::size_t>(row)]);
    for (std::size_t level = 0; level < levels.size(); ++level) result.intervals[level].push_back(streamed.at(row, level));
  }
  return std::move(result);
}

OverTime over_time(const Classifier& model, const TableView& test, std::span<const double> levels, const StreamOptions& options,
                   const ExecutionContext& context) {
  return both_ways(model, test, levels, options, context).first;
}

}  // namespace taut
