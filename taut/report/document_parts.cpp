#include <taut/report/document_parts.hpp>

#include <taut/report/words.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace taut {

namespace {

constexpr std::size_t longest_fact = 4000;
constexpr std::size_t most_failures = 6;
constexpr std::size_t most_places_along_time = 80;

}  // namespace

Json levels_json(const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (const LevelSummary& level : levels) {
    const Answer& answer = level.answer;
    Json statements = Json::array();
    for (const Statement& statement : answer.statements) statements.push_back({statement.label, statement.text});
    const bool compares = level.width.against_constant && answer.tone != Tone::too_low;  // no praise beside bad news
    json.push_back({{"confidence", level.report.confidence},
                    {"rank", level.report.rank},
                    {"delivered", std::isnan(level.report.delivered) ? Json() : exact_json(level.report.delivered)},
                    {"against_constant", compares ? Json(*level.width.against_constant) : Json()},
                    {"tone", tone_name(answer.tone)},
                    {"headline", answer.headline},
                    {"statements", statements}});
  }
  return json;
}

Json curve_json(const std::vector<LevelReport>& lower, const std::vector<LevelSummary>& levels) {
  Json nominal = Json::array(), coverage = Json::array(), low = Json::array(), high = Json::array();
  const auto add = [&](const LevelReport& report) {
    nominal.push_back(report.confidence);
    coverage.push_back(exact_json(report.metric("coverage")));
    low.push_back(exact_json(report.metric("coverage_low")));
    high.push_back(exact_json(report.metric("coverage_high")));
  };
  for (const LevelReport& report : lower) add(report);
  for (const LevelSummary& level : levels) add(level.report);
  return {{"nominal", nominal}, {"coverage", coverage}, {"low", low}, {"high", high}};
}

Json widths_json(const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (const LevelSummary& level : levels) {
    Json bins = Json::array();
    for (const WidthBin& bin : level.groups.by_width)
      bins.push_back({rounded_json(bin.low, 4), rounded_json(bin.high, 4), bin.rows, bin.covered});
    json.push_back(std::move(bins));
  }
  return json;
}

Json ranges_json(const DrawnColumns& drawn, const std::vector<LevelSummary>& levels) {
  std::set<Index> sizes;
  for (const Bins& column : drawn.bins)
    for (const Bin& bin : column.bins) sizes.insert(bin.rows);
  for (const LevelSummary& level : levels)
    for (const WidthBin& bin : level.groups.by_width) sizes.insert(bin.rows);
  Json json = Json::object();
  for (const Index size : sizes) {
    Json least = Json::array(), most = Json::array();
    for (const LevelSummary& level : levels) {
      const CountRange range = level.expected.of(size);
      least.push_back(range.least);
      most.push_back(range.most);
    }
    json[std::to_string(size)] = {{"least", least}, {"most", most}};
  }
  return json;
}

Json failures_json(const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (const LevelSummary& level : levels) {
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(level.failures.size(), most_failures); ++i) {
      const Failure& failure = level.failures[i];
      list.push_back({{"words", failure.words}, {"rows", failure.rows}, {"covered", failure.covered}, {"least", failure.least}});
      if (failure.all_rows > 0) list.back().update({{"all_rows", failure.all_rows}, {"all_covered", failure.all_covered}});
    }
    json.push_back({{"list", list}, {"count", level.failures.size()}});
  }
  return json;
}

Json slabs_json(const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (const LevelSummary& level : levels) {
    if (const auto& slab = level.groups.slab)
      json.push_back({{"words", slab->words},
                      {"formula", slab->formula},
                      {"rows", slab->rows},
                      {"covered", slab->covered},
                      {"low", slab->clearly_low}});
    else
      json.push_back(Json());
  }
  return json;
}

Json covered_steps_json(const std::vector<LevelSummary>& levels, std::size_t column, std::size_t bin) {
  Json json = Json::array();
  Index before = 0;
  for (const LevelSummary& level : levels) {
    json.push_back(level.groups.covered[column][bin] - before);
    before = level.groups.covered[column][bin];
  }
  return json;
}

Json facts_json(const std::vector<FactGroup>& all, const std::vector<std::string>& all_commands) {
  Json groups = Json::array();
  for (const FactGroup& group : all) {
    Json rows = Json::array();
    for (const auto& [name, value] : group.facts) rows.push_back({name, shortened(value, longest_fact)});
    groups.push_back({{"title", group.title}, {"facts", rows}});
  }
  Json commands = Json::array();
  for (const auto& command : all_commands) commands.push_back(shortened(command, longest_fact));
  return {{"groups", groups}, {"commands", commands}};
}

Json over_time_json(const std::optional<OverTime>& given) {
  if (!given) return {};
  const OverTime& over = *given;
  const std::size_t points = over.learning.levels.front().rolling.size(), step = points / most_places_along_time + 1;
  std::vector<std::size_t> places;
  for (std::size_t place = (points - 1) % step; place < points; place += step) places.push_back(place);
  Json levels = Json::array();
  for (std::size_t i = 0; i < over.learning.levels.size(); ++i) {
    const StreamLevelReport &own = over.learning.levels[i], &staying = over.staying.levels[i];
    Json coverage = Json::array(), width = Json::array(), asked = Json::array(), still = Json::array(),
         still_width = Json::array();
    for (const std::size_t k : places) {
      coverage.push_back(rounded_json(own.rolling[k].coverage, 4));
      width.push_back(rounded_json(own.rolling[k].mean_width, 4));
      asked.push_back(rounded_json(own.rolling[k].asked, 4));
      still.push_back(rounded_json(staying.rolling[k].coverage, 4));
      still_width.push_back(rounded_json(staying.rolling[k].mean_width, 4));
    }
    Json lower = Json::array(), upper = Json::array();
    for (const Interval& interval : over.intervals[i]) {
      lower.push_back(interval.empty() ? Json() : rounded_json(interval.lower, 6));
      upper.push_back(interval.empty() ? Json() : rounded_json(interval.upper, 6));
    }
    levels.push_back({{"low", rounded_json(own.band_low, 4)},
                      {"high", rounded_json(own.band_high, 4)},
                      {"all", rounded_json(own.coverage, 5)},
                      {"worst", rounded_json(own.worst_coverage, 5)},
                      {"worst_row", own.worst_row + 1},
                      {"still_all", rounded_json(staying.coverage, 5)},
                      {"still_worst", rounded_json(staying.worst_coverage, 5)},
                      {"score", rounded_json(own.interval_score, 5)},
                      {"still_score", rounded_json(staying.interval_score, 5)},
                      {"coverage", coverage},
                      {"width", width},
                      {"asked", asked},
                      {"still", still},
                      {"still_width", still_width},
                      {"lower", lower},
                      {"upper", upper}});
  }
  Json at = Json::array(), rows = Json::array();
  for (const std::size_t k : places) at.push_back(over.learning.levels.front().rolling[k].row + 1);
  for (const Index row : over.rows) rows.push_back(row + 1);
  return {{"window", over.learning.window},  {"at", at},        {"rows", rows}, {"y", rounded_json_of(over.y, 6)},
          {"f", rounded_json_of(over.f, 6)}, {"levels", levels}};
}

}  // namespace taut
