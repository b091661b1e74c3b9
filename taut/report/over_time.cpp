#include <taut/report/document.hpp>

#include <taut/model/stream_report.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index rows_along_time = 100;
constexpr std::size_t max_places_along_time = 80;

// The same stream, answered by the fixed model.
Streamed without_updates(const ReportContents& contents, const TableView& test, const Streamed& learning) {
  Streamed result;
  result.prediction = learning.prediction;
  result.levels = learning.levels;
  result.intervals = contents.without_learning(test, learning);
  result.y = learning.y;
  for (Index row = 0; row < result.rows(); ++row)
    result.asked.insert(result.asked.end(), result.levels.begin(), result.levels.end());
  return result;
}

// The member `value` of the rolling results at these positions.
template <class Member>
Json along(const StreamLevelReport& level, const std::vector<std::size_t>& places, Member value) {
  Json json = Json::array();
  for (const std::size_t place : places) json.push_back(rounded_json(level.rolling[place].*value, 4));
  return json;
}

}  // namespace

Json over_time_json(const ReportContents& contents, const TableView& test, std::span<const double> levels) {
  contents.context.report("streaming", 0);
  Model copy = Model::from_bytes(contents.rows.model.to_bytes());
  const auto streamed = copy.stream(test, levels, contents.options.stream, contents.context);
  const StreamReport learning = evaluate_stream(*streamed), staying = evaluate_stream(without_updates(contents, test, *streamed));

  // Enough positions for a chart, including the last one.
  const auto& rolling = learning.levels.front().rolling;
  const std::size_t points = rolling.size(), step = points / max_places_along_time + 1;
  std::vector<std::size_t> places;
  Json at = Json::array(), numbers = Json::array(), y = Json::array(), f = Json::array(), json = Json::array();
  for (std::size_t place = (points - 1) % step; place < points; place += step) {
    places.push_back(place);
    at.push_back(rolling[place].row + 1);
  }
  // The last rows: targets, predictions, and the intervals of the stream.
  const Index first =
      contents.draws_rows_along_time() ? std::max<Index>(0, streamed->rows() - rows_along_time) : streamed->rows();
  for (Index row = first; row < streamed->rows(); ++row) {
    numbers.push_back(row + 1);
    y.push_back(rounded_json(streamed->y[static_cast<std::size_t>(row)], 6));
    f.push_back(rounded_json(streamed->prediction[static_cast<std::size_t>(row)], 6));
  }
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const StreamLevelReport &own = learning.levels[i], &still = staying.levels[i];
    Json lower = Json::array(), upper = Json::array();
    for (Index row = first; row < streamed->rows(); ++row) {
      const Interval& interval = streamed->at(row, i);
      lower.push_back(interval.empty() ? Json() : rounded_json(interval.lower, 6));
      upper.push_back(interval.empty() ? Json() : rounded_json(interval.upper, 6));
    }
    json.push_back({{"low", rounded_json(own.band_low, 4)},
                    {"high", rounded_json(own.band_high, 4)},
                    {"all", rounded_json(own.coverage, 5)},
                    {"worst", rounded_json(own.worst_coverage, 5)},
                    {"worst_row", own.worst_row + 1},
                    {"still_all", rounded_json(still.coverage, 5)},
                    {"still_worst", rounded_json(still.worst_coverage, 5)},
                    {"score", rounded_json(own.interval_score, 5)},
                    {"still_score", rounded_json(still.interval_score, 5)},
                    {"coverage", along(own, places, &StreamPoint::coverage)},
                    {"width", along(own, places, &StreamPoint::mean_size)},
                    {"asked", along(own, places, &StreamPoint::asked)},
                    {"still", along(still, places, &StreamPoint::coverage)},
                    {"still_width", along(still, places, &StreamPoint::mean_size)},
                    {"lower", lower},
                    {"upper", upper}});
  }
  return {{"window", learning.window}, {"at", at}, {"rows", numbers}, {"y", y}, {"f", f}, {"levels", json}};
}

}  // namespace taut
