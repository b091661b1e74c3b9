#include <taut/model/reports.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/interval.hpp>
#include <taut/model/coverage_chance.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

GroupReport judge_groups(const GroupedTable& groups, std::span<const Interval> intervals, std::span<const double> y,
                         double confidence, const CoverageChance& chance) {
  GroupReport report{confidence, std::vector<GroupLine>(groups.names.size()), {}};
  std::vector<double> widths(groups.names.size());
  std::vector<Rows> members(groups.names.size());
  const auto hits = covered(intervals, y);
  for (std::size_t i = 0; i < y.size(); ++i) {
    const auto group = static_cast<std::size_t>(groups.of_row[i]);
    GroupLine& line = report.lines[group];
    ++line.rows;
    members[group].push_back(static_cast<Index>(i));
    line.covered += intervals[i].contains(y[i]) ? 1 : 0;
    if (intervals[i].finite() || intervals[i].empty())
      widths[group] += intervals[i].width();
    else
      ++line.infinite;
  }
  for (std::size_t group = 0; group < widths.size(); ++group) {
    GroupLine& line = report.lines[group];
    line.name = groups.names[group];
    if (line.rows == 0) continue;
    line.mean_width = line.infinite > 0 ? infinity : widths[group] / static_cast<double>(line.rows);
    line.band = binomial_band(line.covered, line.rows, band_probability);
    const CoverageSpread spread = chance.at(confidence, members[group]);
    line.p_value = spread.p_value(chance.coverage(hits, members[group]) * static_cast<double>(spread.units()));
  }
  std::erase_if(report.lines, [](const GroupLine& line) { return line.rows == 0; });
  std::stable_sort(report.lines.begin(), report.lines.end(),
                   [](const GroupLine& a, const GroupLine& b) { return a.p_value < b.p_value; });
  // The smallest p-value must stand against all groups, the next against one fewer, up to the first that does not.
  for (std::size_t i = 0; i < report.lines.size(); ++i) {
    if (report.lines[i].p_value > (1 - band_probability) / static_cast<double>(report.lines.size() - i)) break;
    report.below.push_back(report.lines[i].name);
  }
  return report;
}

std::string GroupReport::in_words() const {
  constexpr std::size_t most = 8;
  const auto all = print_count(std::ssize(lines));
  if (below.empty())
    return lines.size() == 1
               ? "the group does not cover less than " + print_number(confidence) + ", beyond what chance explains"
               : "none of " + all + " groups covers less than " + print_number(confidence) + ", beyond what chance explains";
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(most, below.size()); ++i) {
    const auto& line = *std::find_if(lines.begin(), lines.end(), [&](const GroupLine& one) { return one.name == below[i]; });
    words.push_back(line.name + " (" + print_rounded(line.coverage(), 3) + " of " + counted(line.rows, "row") + ")");
  }
  if (below.size() > most) words.push_back("and " + print_count(std::ssize(below) - static_cast<Index>(most)) + " more");
  return print_count(std::ssize(below)) + " of " + all + (lines.size() == 1 ? " group" : " groups") +
         (below.size() == 1 ? " covers" : " cover") + " less than " + print_number(confidence) +
         ", beyond what chance explains: " + join(words, ", ");
}

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
