#include <cli/in_order.hpp>

#include <cli/output.hpp>
#include <taut/core/text.hpp>

namespace taut {

Json in_order_json(const StreamReport& report, AnswerKind kind) {
  const char* const mean = kind == AnswerKind::intervals ? "mean_width" : "mean_size";
  Json levels = Json::array();
  for (const StreamLevelReport& level : report.levels) {
    Json rolling = Json::array();
    for (const StreamPoint& point : level.rolling)
      rolling.push_back({{"row", point.row},
                         {"coverage", json_number(point.coverage)},
                         {mean, json_number(point.mean_width)},
                         {"asked", json_number(point.asked)}});
    Json one = {{"confidence", level.confidence},
                {"coverage", json_number(level.coverage)},
                {"worst_coverage", json_number(level.worst_coverage)},
                {"worst_row", level.worst_row},
                {mean, json_number(level.mean_width)}};
    if (kind == AnswerKind::intervals) {
      one["interval_score"] = json_number(level.interval_score);
      one["infinite"] = level.infinite;
    }
    one["asked_low"] = json_number(level.asked_low);
    one["asked_mean"] = json_number(level.asked_mean);
    one["asked_high"] = json_number(level.asked_high);
    one["asked_last"] = json_number(level.asked_last);
    one["band_low"] = json_number(level.band_low);
    one["band_high"] = json_number(level.band_high);
    one["rolling"] = std::move(rolling);
    levels.push_back(std::move(one));
  }
  return {{"rows", report.rows}, {"targets", report.targets}, {"window", report.window}, {"levels", levels}};
}

std::string in_order_in_words(const StreamReport& report, AnswerKind kind) {
  const bool intervals = kind == AnswerKind::intervals;
  TextTable table;
  const auto row = [&](const std::string& name, const std::string& meaning, auto value_of) {
    std::vector<std::string> cells = {name};
    for (const StreamLevelReport& level : report.levels) cells.push_back(print_rounded(value_of(level), 4));
    table.row(std::move(cells), meaning);
  };
  const std::string window = counted(report.window, "row");
  row("confidence", "", [](const auto& level) { return level.confidence; });
  row("coverage",
      std::string(intervals ? "share of targets in their intervals" : "share of labels in their sets") +
          ", each predicted before it was known",
      [](const auto& level) { return level.coverage; });
  row("worst coverage", "of any " + window + " in turn", [](const auto& level) { return level.worst_coverage; });
  row("at row", "the last of these", [](const auto& level) { return static_cast<double>(level.worst_row + 1); });
  row("usual from", "coverage of " + window + " that chance explains,", [](const auto& level) { return level.band_low; });
  row("to", "99 times in 100", [](const auto& level) { return level.band_high; });
  if (intervals)
    row("unbounded", "share of intervals with an infinite end",
        [&report](const auto& level) { return static_cast<double>(level.infinite) / static_cast<double>(report.targets); });
  row(intervals ? "mean width" : "mean size", intervals ? "in units of y" : "labels in a set, on average",
      [](const auto& level) { return level.mean_width; });
  if (intervals)
    row("interval score", "width, and what misses cost; smaller is better",
        [](const auto& level) { return level.interval_score; });
  row("asked at least", "the confidence that had to be asked of recent scores",
      [](const auto& level) { return level.asked_low; });
  row("on average", "", [](const auto& level) { return level.asked_mean; });
  row("at most", "", [](const auto& level) { return level.asked_high; });
  return "\nIn order, learning from each row (as 'taut stream' does):\n\n" + table.text();
}

}  // namespace taut
