#include <taut/model/stream_report.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/interval.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index default_window = 500, max_points = 200;

StreamLevelReport evaluate_level(const Streamed& streamed, std::size_t level, const Rows& rows, Index window) {
  StreamLevelReport report;
  report.confidence = streamed.levels[level];
  const auto count = std::ssize(rows);
  // Cumulative sums. Infinite widths are counted separately, so that a later window without any has a finite mean.
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
  report.mean_size = mean_between(0, count);
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
  const Index places = std::min(max_points, count - window + 1);
  for (Index i = 0; i < places; ++i)
    report.rolling.push_back(over_window(places == 1 ? count : window + i * (count - window) / (places - 1)));

  report.asked_low = infinity;
  report.asked_high = -infinity;
  const auto n_rows = streamed.rows();
  for (Index row = 0; row < n_rows; ++row) {
    const double asked = streamed.asked[static_cast<std::size_t>(row) * streamed.levels.size() + level];
    report.asked_low = std::min(report.asked_low, asked);
    report.asked_high = std::max(report.asked_high, asked);
    report.asked_mean += asked / static_cast<double>(n_rows);
    report.asked_last = asked;
  }
  const double spread = 2.5758293035489004 * std::sqrt(report.confidence * (1 - report.confidence) / static_cast<double>(window));
  report.band_low = std::max(0.0, report.confidence - spread);
  report.band_high = std::min(1.0, report.confidence + spread);
  return report;
}

}  // namespace

StreamReport evaluate_stream(const Streamed& streamed) {
  Rows rows;
  for (Index row = 0; row < streamed.rows(); ++row)
    if (!std::isnan(streamed.y[static_cast<std::size_t>(row)])) rows.push_back(row);
  if (rows.empty()) throw Error("no row has a target: there is nothing to judge a stream by");
  StreamReport report{streamed.rows(), std::ssize(rows), std::min(default_window, std::ssize(rows)), {}};
  for (std::size_t level = 0; level < streamed.levels.size(); ++level)
    report.levels.push_back(evaluate_level(streamed, level, rows, report.window));
  return report;
}

Value facts_of(const LevelStream& stream) {
  const StreamSettings& settings = stream.settings();
  return Value::object({{"controller", settings.controller},
                        {"window", settings.window},
                        {"half_life", settings.half_life},
                        {"delay", settings.delay},
                        {"scorecast", settings.scorecast},
                        {"recentre", settings.recentre},
                        {"at_least", settings.at_least},
                        {"rows", stream.rows()},
                        {"targets", stream.targets()},
                        {"levels", stream.levels()},
                        {"asked", stream.asked()}});
}

Value facts_of(const StreamReport& report, const RegionWords& words) {
  const std::string mean = "mean_" + words.size;
  const Value levels = value_list(report.levels, [&](const StreamLevelReport& level) {
    Value one = Value::object({{"confidence", level.confidence},
                               {"coverage", level.coverage},
                               {"worst_coverage", level.worst_coverage},
                               {"worst_row", level.worst_row},
                               {mean, level.mean_size}});
    if (words.are_intervals) {
      one.set("interval_score", level.interval_score);
      one.set("infinite", level.infinite);
    }
    one.set("asked_low", level.asked_low);
    one.set("asked_mean", level.asked_mean);
    one.set("asked_high", level.asked_high);
    one.set("asked_last", level.asked_last);
    one.set("band_low", level.band_low);
    one.set("band_high", level.band_high);
    one.set("rolling", value_list(level.rolling, [&](const StreamPoint& point) {
              return Value::object(
                  {{"row", point.row}, {"coverage", point.coverage}, {mean, point.mean_size}, {"asked", point.asked}});
            }));
    return one;
  });
  return Value::object({{"rows", report.rows}, {"targets", report.targets}, {"window", report.window}, {"levels", levels}});
}

std::string describe(const StreamReport& report, const RegionWords& words) {
  TextTable table;
  const auto row = [&](const std::string& name, const std::string& meaning, auto value_of) {
    std::vector<std::string> cells = {name};
    for (const StreamLevelReport& level : report.levels) cells.push_back(print_rounded(value_of(level), 4));
    table.row(std::move(cells), meaning);
  };
  const std::string window = counted(report.window, "row");
  row("confidence", "", [](const auto& level) { return level.confidence; });
  row("coverage", words.covered + ", each predicted before it was known", [](const auto& level) { return level.coverage; });
  row("worst coverage", format_text("the lowest of any {} in sequence", window),
      [](const auto& level) { return level.worst_coverage; });
  row("at row", "the last of these", [](const auto& level) { return static_cast<double>(level.worst_row + 1); });
  row("usual from", format_text("coverage of {} that chance explains,", window),
      [](const auto& level) { return level.band_low; });
  row("to", "99 times in 100", [](const auto& level) { return level.band_high; });
  if (words.are_intervals)
    row("unbounded", "share of intervals with an infinite end",
        [&report](const auto& level) { return static_cast<double>(level.infinite) / static_cast<double>(report.targets); });
  row("mean " + words.size, words.size_meaning, [](const auto& level) { return level.mean_size; });
  if (words.are_intervals)
    row("interval score", "width, and what misses cost; smaller is better",
        [](const auto& level) { return level.interval_score; });
  row("asked at least", "the adapted level: the confidence that was asked of recent scores",
      [](const auto& level) { return level.asked_low; });
  row("on average", "", [](const auto& level) { return level.asked_mean; });
  row("at most", "", [](const auto& level) { return level.asked_high; });
  return "\nIn order, learning from each row (as a stream does):\n\n" + table.text();
}

}  // namespace taut
