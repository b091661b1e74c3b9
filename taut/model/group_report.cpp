#include <taut/model/group_report.hpp>

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

}  // namespace taut
