#include <taut/model/stream_report.hpp>

#include <taut/core/error.hpp>
#include <taut/metric/interval.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index usual_window = 500, most_points = 200;

StreamLevelReport judge_level(const Streamed& streamed, std::size_t level, const Rows& rows, Index window) {
  StreamLevelReport report;
  report.confidence = streamed.levels[level];
  const auto count = std::ssize(rows);
  // Sums. Infinite widths are counted apart, so that a window after them has its own mean again.
  std::vector<Index> covered = {0}, infinite = {0};
  std::vector<double> widths = {0};
  for (const Index row : rows) {
    const Interval& interval = streamed.at(row, level);
    const double y = streamed.y[static_cast<std::size_t>(row)];
    covered.push_back(covered.back() + (interval.contains(y) ? 1 : 0));
    const bool is_infinite = std::isinf(interval.width());
    infinite.push_back(infinite.back() + (is_infinite ? 1 : 0));
    widths.push_back(widths.back() + (is_infinite ? 0 : interval.width()));
    report.interval_score += interval_score(interval, y, 1 - report.confidence) / static_cast<double>(count);
  }
  const auto mean_between = [&](Index first, Index last) {
    const auto from = static_cast<std::size_t>(first), to = static_cast<std::size_t>(last);
    return infinite[to] > infinite[from] ? infinity : (widths[to] - widths[from]) / static_cast<double>(last - first);
  };
  report.infinite = infinite.back();
  report.coverage = static_cast<double>(covered.back()) / static_cast<double>(count);
  report.mean_width = mean_between(0, count);
  const auto over_window = [&](Index end) {
    const auto last = static_cast<std::size_t>(end), first = static_cast<std::size_t>(end - window);
    return StreamPoint{rows[last - 1], static_cast<double>(covered[last] - covered[first]) / static_cast<double>(window),
                       mean_between(end - window, end),
                       streamed.asked[static_cast<std::size_t>(rows[last - 1]) * streamed.levels.size() + level]};
  };
  report.worst_coverage = infinity;
  for (Index end = window; end <= count; ++end) {
    const StreamPoint point = over_window(end);
    if (point.coverage >= report.worst_coverage) continue;
    report.worst_coverage = point.coverage;
    report.worst_row = point.row;
  }
  const Index places = std::min(most_points, count - window + 1);
  for (Index i = 0; i < places; ++i)
    report.rolling.push_back(over_window(places == 1 ? count : window + i * (count - window) / (places - 1)));

  report.asked_low = infinity;
  report.asked_high = -infinity;
  const auto rows_of_all = streamed.rows();
  for (Index row = 0; row < rows_of_all; ++row) {
    const double asked = streamed.asked[static_cast<std::size_t>(row) * streamed.levels.size() + level];
    report.asked_low = std::min(report.asked_low, asked);
    report.asked_high = std::max(report.asked_high, asked);
    report.asked_mean += asked / static_cast<double>(rows_of_all);
    report.asked_last = asked;
  }
  const double spread = 2.5758293035489004 * std::sqrt(report.confidence * (1 - report.confidence) / static_cast<double>(window));
  report.band_low = std::max(0.0, report.confidence - spread);
  report.band_high = std::min(1.0, report.confidence + spread);
  return report;
}

}  // namespace

StreamReport judge_stream(const Streamed& streamed) {
  Rows rows;
  for (Index row = 0; row < streamed.rows(); ++row)
    if (!std::isnan(streamed.y[static_cast<std::size_t>(row)])) rows.push_back(row);
  if (rows.empty()) throw Error("no row has a target: there is nothing to judge a stream by");
  StreamReport report{streamed.rows(), std::ssize(rows), std::min(usual_window, std::ssize(rows)), {}};
  for (std::size_t level = 0; level < streamed.levels.size(); ++level)
    report.levels.push_back(judge_level(streamed, level, rows, report.window));
  return report;
}

}  // namespace taut
