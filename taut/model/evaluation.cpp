#include <taut/model/evaluation.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>
#include <taut/model/coverage_chance.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double LevelReport::metric(std::string_view name) const {
  for (const auto& [own, value] : metrics)
    if (own == name) return value;
  throw UsageError(format_text("no metric is called '{}'", name));
}

EvaluatedRegions evaluate_intervals(std::span<const Interval> intervals, std::span<const double> y, double confidence) {
  EvaluatedRegions judged{covered(intervals, y), {}, {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    judged.sizes.push_back(intervals[i].finite() || intervals[i].empty() ? intervals[i].width() : infinity);
    judged.losses.push_back(interval_score(intervals[i], y[i], 1 - confidence));
  }
  return judged;
}

// Metrics take intervals: a covered row becomes the target 0.5 in the interval [0, 1], another row the target −1.
Figures coverage_figures(const std::vector<std::string>& names, const std::vector<std::uint8_t>& covered, Judged facts) {
  const std::vector<Interval> intervals(covered.size(), Interval{0, 1});
  std::vector<double> y;
  for (const auto is_covered : covered) y.push_back(is_covered != 0 ? 0.5 : -1);
  facts.intervals = intervals;
  facts.y = y;
  Figures figures;
  for (const auto& name : names) figures.emplace_back(name, metrics().make(name)->value(facts));
  return figures;
}

std::vector<CoverageLine> coverage_lines(const std::vector<std::string>& names, std::span<const Index> of_row,
                                         const EvaluatedRegions& judged) {
  std::vector<CoverageLine> lines(names.size());
  std::vector<double> sums(names.size());
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    if (of_row[i] < 0) continue;
    const auto at = static_cast<std::size_t>(of_row[i]);
    ++lines[at].rows;
    lines[at].covered += judged.covered[i];
    if (std::isinf(judged.sizes[i]))
      ++lines[at].infinite;
    else
      sums[at] += judged.sizes[i];
  }
  for (std::size_t at = 0; at < lines.size(); ++at) {
    CoverageLine& line = lines[at];
    line.name = names[at];
    if (line.rows == 0) continue;
    line.mean_size = line.infinite > 0 ? infinity : sums[at] / static_cast<double>(line.rows);
    line.band = binomial_band(line.covered, line.rows, band_probability);
  }
  return lines;
}

GroupReport evaluate_groups(const GroupedTable& groups, const EvaluatedRegions& judged, double confidence,
                            const CoverageChance& chance) {
  GroupReport report{confidence, {}, {}};
  std::vector<Rows> members(groups.names.size());
  for (std::size_t i = 0; i < groups.of_row.size(); ++i)
    if (groups.of_row[i] >= 0) members[static_cast<std::size_t>(groups.of_row[i])].push_back(static_cast<Index>(i));
  const auto lines = coverage_lines(groups.names, groups.of_row, judged);
  for (std::size_t group = 0; group < lines.size(); ++group) {
    if (lines[group].rows == 0) continue;
    const CoverageSpread spread = chance.at(confidence, members[group]);
    const double share = chance.coverage(judged.covered, members[group]);
    report.lines.push_back({lines[group], spread.p_value(share * static_cast<double>(spread.units()))});
  }
  std::stable_sort(report.lines.begin(), report.lines.end(),
                   [](const GroupLine& a, const GroupLine& b) { return a.p_value < b.p_value; });
  // Holm's method: the smallest p-value is compared with alpha / m for m groups, the next with alpha / (m - 1), and so on, up to
  // the first that is not rejected.
  for (std::size_t i = 0; i < report.lines.size(); ++i) {
    if (report.lines[i].p_value > (1 - band_probability) / static_cast<double>(report.lines.size() - i)) break;
    report.below.push_back(report.lines[i].name);
  }
  return report;
}

std::string GroupReport::describe() const {
  constexpr std::size_t maximum = 8;
  const auto all = print_count(std::ssize(lines)), level = print_number(confidence);
  if (below.empty())
    return lines.size() == 1 ? format_text("the group does not cover less than {}, beyond what chance explains", level)
                             : format_text("none of {} groups covers less than {}, beyond what chance explains", all, level);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(maximum, below.size()); ++i) {
    const auto& line = *std::find_if(lines.begin(), lines.end(), [&](const GroupLine& one) { return one.name == below[i]; });
    words.push_back(format_text("{} ({} of {})", line.name, print_rounded(line.coverage(), 3), counted(line.rows, "row")));
  }
  if (below.size() > maximum)
    words.push_back(format_text("and {} more", print_count(std::ssize(below) - static_cast<Index>(maximum))));
  return format_text("{} of {} {} {} less than {}, beyond what chance explains: {}", print_count(std::ssize(below)), all,
                     lines.size() == 1 ? "group" : "groups", below.size() == 1 ? "covers" : "cover", level, join(words, ", "));
}

Value facts_of(const CoverageLine& line, const RegionWords& words) {
  return Value::object({{"name", line.name},
                        {"rows", line.rows},
                        {"covered", line.covered},
                        {"coverage", line.coverage()},
                        {"low", line.band.low},
                        {"high", line.band.high},
                        {"mean_" + words.size, line.mean_size}});
}

Value facts_of(const std::vector<Alarm>& alarms) {
  return value_list(alarms, [](const Alarm& alarm) {
    Value numbers = Value::object(), one = Value::object({{"kind", alarm.name()}, {"words", alarm.words}});
    for (const auto& [name, value] : alarm.numbers) numbers.set(name, value);
    if (!alarm.column.empty()) one.set("column", alarm.column);
    if (!alarm.names.empty()) one.set("names", alarm.names);
    one.set("numbers", std::move(numbers));
    return one;
  });
}

namespace {

Value facts_of_groups(const GroupReport& report, const RegionWords& words) {
  const Value lines = value_list(report.lines, [&](const GroupLine& line) {
    Value one = facts_of(static_cast<const CoverageLine&>(line), words);
    one.set("infinite", line.infinite);
    one.set("p_value", line.p_value);
    return one;
  });
  return Value::object(
      {{"confidence", report.confidence}, {"groups", lines}, {"below", report.below}, {"words", report.describe()}});
}

constexpr std::size_t max_lines = 40;  // of a table in a text report

std::vector<std::string> heading_of(const std::string& first, const RegionWords& words) {
  return {first, "rows", "coverage", "from", "to", "mean " + words.size};
}

std::vector<std::string> cells_of(const CoverageLine& line) {
  return {line.name,
          print_count(line.rows),
          with_decimals(line.coverage(), 3),
          with_decimals(line.band.low, 3),
          with_decimals(line.band.high, 3),
          print_rounded(line.mean_size, 4)};
}

// The group with the smallest p-value comes first.
std::string describe_groups(const GroupReport& report, const RegionWords& words) {
  TextTable table;
  table.row(heading_of("group", words), "coverage of the group, 99 times in 100");
  for (std::size_t i = 0; i < std::min(max_lines, report.lines.size()); ++i) {
    const GroupLine& line = report.lines[i];
    const bool is_below = std::find(report.below.begin(), report.below.end(), line.name) != report.below.end();
    table.row(cells_of(line), is_below ? "below " + print_number(report.confidence) : "");
  }
  std::string text =
      "\nBy group at confidence " + print_number(report.confidence) + ": " + report.describe() + "\n\n" + table.text();
  if (report.lines.size() > max_lines)
    text += "  ... and " + counted(std::ssize(report.lines) - static_cast<Index>(max_lines), "further group") +
            "; the JSON output has all\n";
  return text;
}

}  // namespace

std::string describe_lines(const std::vector<CoverageLine>& lines, const std::string& title, const std::string& heading,
                           const RegionWords& words) {
  TextTable table;
  table.row(heading_of(heading, words), "coverage lies between these, 99 times in 100");
  std::size_t shown = 0;
  for (const CoverageLine& line : lines) {
    if (line.rows == 0) continue;
    if (++shown > max_lines) break;
    table.row(cells_of(line));
  }
  return "\n" + title + "\n\n" + table.text() + (shown > max_lines ? "  ... the JSON output has all\n" : "");
}

namespace {

Value facts_of_weighted(const WeightedReport& weighted, const RegionWords& words) {
  const Value levels = value_list(weighted.levels, [&](const WeightedLevel& one) {
    return Value::object({{"confidence", one.confidence},
                          {"coverage", one.coverage},
                          {"low", one.band.low},
                          {"high", one.band.high},
                          {"mean_" + words.size, one.mean_size},
                          {words.are_intervals ? "interval_score" : "mean_loss", one.mean_loss}});
  });
  return Value::object({{"column", weighted.column},
                        {"effective_rows", weighted.effective_rows},
                        {"is_guaranteed", weighted.is_guaranteed},
                        {"levels", levels}});
}

std::string describe_weighted(const WeightedReport& weighted, const RegionWords& words) {
  TextTable table;
  std::vector<std::string> heading = {"confidence", "coverage", "from", "to", "mean " + words.size};
  if (words.are_intervals) heading.emplace_back("interval score");
  table.row(heading, weighted.is_guaranteed ? "the band that chance explains, 99 times in 100"
                                            : "the band that chance explains if coverage does not depend on the weights");
  for (const WeightedLevel& one : weighted.levels) {
    std::vector<std::string> cells = {print_number(one.confidence), with_decimals(one.coverage, 3),
                                      with_decimals(one.band.low, 3), with_decimals(one.band.high, 3),
                                      print_rounded(one.mean_size, 4)};
    if (words.are_intervals) cells.push_back(print_rounded(one.mean_loss, 4));
    table.row(cells, "");
  }
  return format_text("\nBy the weights in '{}', which leave {} effective rows; the metrics above count each row once\n\n{}",
                     weighted.column, print_count(std::llround(weighted.effective_rows)), table.text());
}

}  // namespace

std::string spaced(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string Evaluation::metric_summary(const std::string& name) const {
  for (const auto& entry : taut::metrics().entries())
    if (entry.name == name) return entry.summary;
  return "";
}

Value Evaluation::facts() const {
  Value::List all;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const LevelReport& level = levels[i];
    Value one = Value::object({{"confidence", level.confidence},
                               {"rank", level.rank > 0 ? Value(level.rank) : Value()},
                               {"delivered", level.delivered}});
    for (const auto& [name, value] : level.metrics) one.set(name, value);
    if (!std::isnan(level.group_coverage)) one.set("group_coverage", level.group_coverage);
    add_level_facts(i, one);
    all.push_back(std::move(one));
  }
  Value result = Value::object({{"rows", rows}, {"calibration_rows", calibration_rows}, {"levels", all}});
  add_facts(result);
  if (!weighted.column.empty()) result.set("weighted", facts_of_weighted(weighted, words));
  result.set("alarms", facts_of(alarms));
  if (!groups.empty())
    result.set("by_group", value_list(groups, [&](const GroupReport& report) { return facts_of_groups(report, words); }));
  return result;
}

std::string Evaluation::describe() const {
  TextTable table;
  const auto row = [&](const std::string& name, const std::string& meaning, auto cell) {
    std::vector<std::string> cells = {name};
    for (const auto& level : levels) cells.push_back(cell(level));
    table.row(std::move(cells), meaning);
  };
  const auto numbers = [&](const std::string& name, const std::string& meaning, auto value_of) {
    row(name, meaning, [&](const LevelReport& level) { return print_rounded(value_of(level), 5); });
  };
  numbers("confidence", "", [](const LevelReport& level) { return level.confidence; });
  const bool is_ranked = std::any_of(levels.begin(), levels.end(), [](const auto& one) { return one.rank > 0; });
  if (is_ranked)
    row("rank", "which of the sorted calibration scores is the quantile",
        [](const LevelReport& level) { return print_count(level.rank); });
  // A model that was fitted to rows in order has no guarantee.
  if (std::none_of(levels.begin(), levels.end(), [](const auto& one) { return std::isnan(one.delivered); }))
    numbers("delivered",
            is_ranked ? "the coverage that is guaranteed: rank / (calibration rows + 1)"
                      : "the coverage that is guaranteed, on average over these rows",
            [](const LevelReport& level) { return level.delivered; });
  if (!std::isnan(levels.front().group_coverage))
    numbers("group coverage", "each group of rows that belong together counts once: what the band is about",
            [](const LevelReport& level) { return level.group_coverage; });
  for (const auto& [name, value] : levels.front().metrics)
    numbers(spaced(name), metric_summary(name), [&name = name](const LevelReport& level) { return level.metric(name); });
  std::string text =
      counted(rows, "row") + ", " + counted(calibration_rows, "calibration row") + "\n\n" + table.text() + describe_more();
  if (!weighted.column.empty()) text += describe_weighted(weighted, words);
  for (const GroupReport& report : groups) text += describe_groups(report, words);
  return text;
}

}  // namespace taut
