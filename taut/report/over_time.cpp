#include <taut/report/over_time.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index rows_along_time = 100;

void ask_the_same(Streamed& staying) {
  for (Index row = 0; row < staying.rows(); ++row)
    staying.asked.insert(staying.asked.end(), staying.levels.begin(), staying.levels.end());
}

Streamed that_stays(const Model& model, const TableView& test, const Streamed& learning, const ExecutionContext& context) {
  Predicted predicted = model.predict_interval(test, learning.levels, context);
  Streamed result{std::move(predicted.prediction), learning.levels, std::move(predicted.intervals), {}, learning.y};
  ask_the_same(result);
  return result;
}

Streamed that_stays(const ClassModel& model, const TableView& test, const StreamedSets& learning, const ExecutionContext& context) {
  const PredictedSets sets = model.predict_sets(test, learning.levels, context);
  Streamed result{learning.prediction, learning.levels, {}, {}, learning.y};
  for (Index row = 0; row < learning.rows(); ++row)
    for (std::size_t level = 0; level < learning.levels.size(); ++level)
      result.intervals.push_back(StreamedSets::interval_of(sets, row, level, learning.labels[static_cast<std::size_t>(row)]));
  ask_the_same(result);
  return result;
}

}  // namespace

OverTime over_time(const Model& model, const TableView& test, std::span<const double> levels, const StreamOptions& options,
                   const ExecutionContext& context) {
  context.report("streaming", 0);
  Model copy = Model::from_bytes(model.to_bytes());
  const Streamed streamed = copy.stream(test, levels, options, context);
  OverTime result;
  result.learning = judge_stream(streamed);
  result.staying = judge_stream(that_stays(model, test, streamed, context));
  result.intervals.resize(levels.size());
  for (Index row = std::max<Index>(0, streamed.rows() - rows_along_time); row < streamed.rows(); ++row) {
    result.rows.push_back(row);
    result.y.push_back(streamed.y[static_cast<std::size_t>(row)]);
    result.f.push_back(streamed.prediction[static_cast<std::size_t>(row)]);
    for (std::size_t level = 0; level < levels.size(); ++level) result.intervals[level].push_back(streamed.at(row, level));
  }
  return result;
}

OverTime over_time(const ClassModel& model, const TableView& test, std::span<const double> levels, const StreamOptions& options,
                   const ExecutionContext& context) {
  context.report("streaming", 0);
  ClassModel copy = ClassModel::from_bytes(model.to_bytes());
  const StreamedSets streamed = copy.stream(test, levels, options, context);
  OverTime result;
  result.learning = judge_stream(streamed);
  result.staying = judge_stream(that_stays(model, test, streamed, context));
  result.intervals.resize(levels.size());
  return result;
}

}  // namespace taut
