#include <taut/report/document.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/explain/learning_curve.hpp>
#include <taut/metric/interval.hpp>
#include <taut/report/answer.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace taut {

namespace {

constexpr std::size_t longest_fact = 4000;
constexpr std::size_t max_failures = 6;

Json levels_json(const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (const LevelSummary& level : levels) {
    const Answer& answer = level.answer;
    Json statements = Json::array();
    for (const Statement& statement : answer.statements) statements.push_back({statement.label, statement.text});
    // Do not praise narrow intervals that cover too few rows.
    const bool compares = level.width.against_constant && answer.tone != Tone::too_low;
    json.push_back({{"confidence", level.confidence},
                    {"rank", level.rank},
                    {"delivered", std::isnan(level.delivered) ? Json() : exact_json(level.delivered)},
                    {"against_constant", compares ? Json(*level.width.against_constant) : Json()},
                    {"tone", tone_name(answer.tone)},
                    {"headline", answer.headline},
                    {"statements", statements}});
  }
  return json;
}

Json metrics_json(const ReportContents& contents, const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (std::size_t i = 0; i < levels.front().metrics.size(); ++i) {
    const std::string& name = levels.front().metrics[i].first;
    const MetricNote note = contents.about_metric(name);
    Json values = Json::array();
    for (const LevelSummary& level : levels) values.push_back(exact_json(level.metrics[i].second));
    json.push_back({{"name", name}, {"summary", note.summary}, {"everywhere", note.everywhere}, {"values", values}});
  }
  return json;
}

Json curve_json(const std::vector<CoverageAt>& points) {
  Json nominal = Json::array(), coverage = Json::array(), low = Json::array(), high = Json::array();
  for (const CoverageAt& point : points) {
    nominal.push_back(point.confidence);
    coverage.push_back(exact_json(point.coverage));
    low.push_back(exact_json(point.low));
    high.push_back(exact_json(point.high));
  }
  return {{"nominal", nominal}, {"coverage", coverage}, {"low", low}, {"high", high}};
}

// [low, high, rows, covered] of each bin.
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

// For each size of a group: per level, the smallest and largest number of covered rows that chance explains.
Json ranges_json(const ChartColumns& drawn, const std::vector<LevelSummary>& levels) {
  std::set<Index> sizes;
  for (const Bins& column : drawn.bins)
    for (const Bin& bin : column.bins) sizes.insert(bin.rows);
  for (const LevelSummary& level : levels)
    for (const WidthBin& bin : level.groups.by_width) sizes.insert(bin.rows);
  Json json = Json::object();
  for (const Index size : sizes) {
    Json minimum = Json::array(), maximum = Json::array();
    for (const LevelSummary& level : levels) {
      const CountRange range = level.expected.of(size);
      minimum.push_back(range.minimum);
      maximum.push_back(range.maximum);
    }
    json[std::to_string(size)] = {{"least", minimum}, {"most", maximum}};
  }
  return json;
}

Json failures_json(const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (const LevelSummary& level : levels) {
    Json list = Json::array();
    for (std::size_t i = 0; i < std::min(level.failures.size(), max_failures); ++i) {
      const Failure& failure = level.failures[i];
      list.push_back(
          {{"words", failure.words}, {"rows", failure.rows}, {"covered", failure.covered}, {"least", failure.minimum}});
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

// Covered rows of a bin: the increase from each level to the next, because small numbers keep the page small.
Json covered_steps_json(const std::vector<LevelSummary>& levels, std::size_t column, std::size_t bin) {
  Json json = Json::array();
  Index before = 0;
  for (const LevelSummary& level : levels) {
    json.push_back(level.groups.covered[column][bin] - before);
    before = level.groups.covered[column][bin];
  }
  return json;
}

Json features_json(const TableView& features, const ReportData& data) {
  Json json = Json::array();
  for (std::size_t i = 0; i < data.drawn.columns.size(); ++i) {
    const Column& about = features.columns()[static_cast<std::size_t>(data.drawn.columns[i])];
    const std::vector<Bin>& own = data.drawn.bins[i].bins;
    Json bins = Json::array();
    for (std::size_t bin = 0; bin < own.size(); ++bin)
      bins.push_back({{"name", own[bin].name}, {"rows", own[bin].rows}, {"covered", covered_steps_json(data.levels, i, bin)}});
    json.push_back({{"name", shortened(about.name, longest_name)}, {"category", about.is_categorical()}, {"bins", bins}});
  }
  return json;
}

// Per level the worst groups as [name, rows, covered, low, high, mean width], and a sentence about all groups.
Json by_group_json(const ReportData& data, const ReportOptions& options) {
  constexpr std::size_t max_lines = 30;
  if (data.by_group.empty()) return {};
  Json levels = Json::array();
  for (const GroupReport& report : data.by_group) {
    Json lines = Json::array();
    for (std::size_t i = 0; i < std::min(max_lines, report.lines.size()); ++i) {
      const GroupLine& line = report.lines[i];
      lines.push_back({shortened(line.name, longest_name), line.rows, line.covered, rounded_json(line.band.low, 4),
                       rounded_json(line.band.high, 4), rounded_json(line.mean_size, 4)});
    }
    levels.push_back({{"lines", lines}, {"below", report.below.size()}, {"words", report.describe()}});
  }
  return {{"by", join(options.by, ", ")}, {"groups", data.by_group.front().lines.size()}, {"levels", levels}};
}

// The measured and the extrapolated points [rows, score, low, high] of the first level; null without a learning curve.
Json learning_json(const LearningCurve* curve) {
  if (curve == nullptr || curve->levels.empty()) return {};
  const LevelCurve& level = curve->levels.front();
  Json found = Json::array(), expected = Json::array();
  for (const CurveRow& row : level.found)
    found.push_back({row.rows, rounded_json(row.score), rounded_json(row.score - row.score_error),
                     rounded_json(row.score + row.score_error)});
  for (const Extrapolated& one : level.scores)
    expected.push_back({one.rows, rounded_json(one.value), rounded_json(one.low), rounded_json(one.high)});
  return {{"confidence", level.confidence},
          {"rows", curve->rows},
          {"repeats", curve->repeats},
          {"band", curve->band_probability},
          {"found", found},
          {"expected", expected},
          {"words", describe_worth(level, curve->words)}};
}

Json facts_json(const ReportContents& contents) {
  Json groups = Json::array();
  for (const FactGroup& group : facts(contents)) {
    Json rows = Json::array();
    for (const auto& [name, value] : group.facts) rows.push_back({name, shortened(value, longest_fact)});
    groups.push_back({{"title", group.title}, {"facts", rows}});
  }
  Json commands = Json::array();
  for (const auto& command : commands_to_reproduce(contents)) commands.push_back(shortened(command, longest_fact));
  return {{"groups", groups}, {"commands", commands}};
}

}  // namespace

std::string report_title(const ReportContents& contents) {
  if (!contents.options.title.empty()) return contents.options.title;
  return format_text("{} for {}", contents.title(), shortened(contents.rows.model.options().target, longest_name));
}

Json report_document(const ReportContents& contents, const TableView& test, const ReportData& data) {
  const TestRows& rows = contents.rows;
  const ReportOptions& options = contents.options;
  return {{"kind", contents.kind()},
          {"version", version},
          {"title", report_title(contents)},
          {"target", shortened(rows.model.options().target, longest_name)},
          {"unit", options.unit},
          {"test", shortened(rows.table.source(), longest_name)},
          {"model", shortened(options.model_file, longest_name)},
          {"rows", rows.count()},
          {"calibration_rows", rows.model.distribution().rows()},
          {"band", band_probability},
          {"start", data.start},
          {"levels", levels_json(data.levels)},
          {"metrics", metrics_json(contents, data.levels)},
          {"curve", curve_json(data.curve)},
          {"by_width", widths_json(data.levels)},
          {"features", features_json(rows.features, data)},
          {"columns_left_out", data.drawn.left_out},
          {"groups", data.groups},
          {"ranges", ranges_json(data.drawn, data.levels)},
          {"by_group", by_group_json(data, options)},
          {"over_time", options.in_order ? over_time_json(contents, test, data.slider) : Json()},
          {"slabs", slabs_json(data.levels)},
          {"failures", failures_json(data.levels)},
          {"learning", learning_json(options.learning_curve.get())},
          {"facts", facts_json(contents)}};
}

}  // namespace taut
