// A comparison as JSON, as CSV and as an HTML page.
#include <experiments/comparison.hpp>
#include <experiments/json.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv/writer.hpp>
#include <taut/report/report.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

// A comparison for programs: JSON and CSV, full precision.

namespace {

Json values_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(plain_number(value));
  return json;
}

Json metric_json(const Comparison& comparison, std::size_t method, std::size_t level, const MetricResult& metric) {
  Json json = {{"mean", plain_number(metric.summary.mean)}, {"values", values_json(metric.values)}};
  if (std::isinf(metric.summary.mean)) json["infinite"] = true;
  const auto& ranked = comparison.settings.task().ranked;
  if (std::none_of(ranked.begin(), ranked.end(), [&](const RankedBy& by) { return by.metric == metric.metric; })) return json;
  const Ranking ranking = comparison.ranking(level, metric.metric);
  const auto& difference = ranking.to_best[method];
  json["behind_best"] = {{"mean", plain_number(difference.mean)},
                         {"standard_error", plain_number(difference.error)},
                         {"p_value", plain_number(difference.p_value)}};
  return json;
}

Json ranking_json(const Comparison& comparison, std::size_t level, const std::string& metric) {
  const Ranking ranking = comparison.ranking(level, metric);
  if (!ranking.defined) return nullptr;
  Json not_ranked = Json::array();
  for (const std::size_t method : ranking.unbounded) not_ranked.push_back(comparison.methods[method].method.name);
  return {{"best", comparison.methods[ranking.best].method.name},
          {"nearest", comparison.methods[ranking.second].method.name},
          {"p_value", plain_number(ranking.p_value)},
          {"not_ranked", not_ranked}};
}

const char* name_of(Design design) { return design == Design::time ? "time" : design == Design::groups ? "groups" : "rows"; }

}  // namespace

std::string as_json(const Comparison& comparison) {
  Json levels = Json::array(), methods = Json::array(), seconds = Json::object();
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    const auto& result = comparison.methods[m];
    methods.push_back(
        {{"name", result.method.name}, {"options", describe_options(result.method.options)}, {"fell_back", result.fell_back}});
    seconds[result.method.name] = values_json(result.seconds);
  }
  for (std::size_t level = 0; level < comparison.settings.levels.size(); ++level) {
    Json by_method = Json::object();
    for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
      Json by_metric = Json::object();
      for (const auto& metric : comparison.methods[m].levels[level])
        by_metric[metric.metric] = metric_json(comparison, m, level, metric);
      by_method[comparison.methods[m].method.name] = std::move(by_metric);
    }
    Json one = {{"confidence", comparison.settings.levels[level]}};
    for (const RankedBy& by : comparison.settings.task().ranked)
      one["by_" + by.metric] = ranking_json(comparison, level, by.metric);
    one["methods"] = std::move(by_method);
    levels.push_back(std::move(one));
  }
  // Seconds are the last entry, because nothing else differs between two runs.
  return json_page({{"version", version},
                    {"source", comparison.source},
                    {"seed", comparison.settings.common.seed},
                    {"repeats", comparison.settings.repeats},
                    {"design", name_of(comparison.design)},
                    {"rows", comparison.rows},
                    {"rows_of_table", comparison.rows_of_table},
                    {"quick", comparison.settings.quick},
                    {"left_out", describe_left_out(comparison)},
                    {"methods", methods},
                    {"levels", levels},
                    {"verdict", verdict(comparison)},
                    {"seconds", seconds}});
}

std::string as_csv(const Comparison& comparison) {
  std::string text;
  CsvWriter writer(text);
  writer.texts(std::vector<std::string>{comparison.design == Design::time ? "block" : "halving", "half", "method", "confidence"});
  writer.texts(comparison.settings.task().metrics);
  writer.text("seconds");
  writer.end_row();
  for (std::size_t split = 0; split < comparison.splits.size(); ++split)
    for (const auto& result : comparison.methods)
      for (std::size_t level = 0; level < result.levels.size(); ++level) {
        writer.number(static_cast<double>(comparison.splits[split].repeat));
        writer.number(static_cast<double>(comparison.splits[split].tested));
        writer.text(result.method.name);
        writer.number(comparison.settings.levels[level]);
        for (const auto& metric : result.levels[level]) writer.number(metric.values[split]);
        writer.number(result.seconds[split]);
        writer.end_row();
      }
  writer.finish();
  return text;
}

// A comparison as a page with the charts of reports.

namespace {

std::string level_name(double level) { return print_rounded(100 * level, 10) + " %"; }

Json point(const std::string& name, double middle, double half_width) {
  Json json = {name, plain_number(middle)};
  if (std::isfinite(half_width)) {
    json.push_back(middle - half_width);
    json.push_back(middle + half_width);
  }
  return json;
}

// One series for each level. value(method, level) returns a point.
template <class Value>
Json chart(const Comparison& comparison, const std::string& title, const std::string& words, const std::string& y, Value value) {
  Json series = Json::array();
  for (std::size_t level = 0; level < comparison.settings.levels.size(); ++level) {
    Json points = Json::array();
    for (std::size_t m = 0; m < comparison.methods.size(); ++m)
      if (Json one = value(m, level); one.is_array() && one[1].is_number()) points.push_back(std::move(one));
    series.push_back({{"name", level_name(comparison.settings.levels[level])}, {"points", points}});
  }
  return {{"title", title}, {"words", words}, {"x", "method"}, {"y", y}, {"kind", "dots"}, {"series", series}};
}

Json behind_chart(const Comparison& comparison, const std::string& title, const std::string& metric) {
  const std::string words =
      "Mean difference from the best method on the same splits, with its standard error. Methods with unbounded intervals are "
      "not shown.";
  return chart(comparison, title, words, "difference", [&](std::size_t m, std::size_t level) -> Json {
    const Ranking ranking = comparison.ranking(level, metric);
    if (!ranking.defined) return nullptr;
    return point(comparison.methods[m].method.name, ranking.to_best[m].mean, ranking.to_best[m].error);
  });
}

Json metric_chart(const Comparison& comparison, const std::string& title, const std::string& metric) {
  const std::string words = "Mean over the splits; the line spans one standard deviation to either side.";
  return chart(comparison, title, words, "mean", [&](std::size_t m, std::size_t level) {
    const MetricResult& result = comparison.methods[m].metric(level, metric);
    return point(comparison.methods[m].method.name, result.summary.mean, result.summary.deviation);
  });
}

Json table(const Comparison& comparison, std::size_t level) {
  Json head = {"Method"}, rows = Json::array();
  for (const auto& metric : comparison.settings.task().metrics) head.push_back(metric);
  for (const auto& result : comparison.methods) {
    Json row = {result.method.name};
    for (const auto& metric : result.levels[level])
      row.push_back(std::isinf(metric.summary.mean) ? Json("∞") : plain_number(metric.summary.mean));
    rows.push_back(std::move(row));
  }
  return {{"title", "Means at " + level_name(comparison.settings.levels[level])}, {"head", head}, {"rows", rows}};
}

}  // namespace

std::string as_page(const Comparison& comparison) {
  Json lead = Json::array();
  lead.push_back(describe_design(comparison) + (comparison.settings.labels ? " Of size and L1-ERT, less is better."
                                                                           : " Of the score and the width, less is better."));
  if (comparison.settings.quick) lead.push_back(describe_left_out(comparison));
  for (const auto& sentence : split_text(verdict(comparison), '\n'))
    if (!sentence.empty()) lead.push_back(sentence);
  lead.push_back(describe_errors(comparison));
  Json tables = Json::array();
  for (std::size_t level = 0; level < comparison.settings.levels.size(); ++level) tables.push_back(table(comparison, level));
  const auto& ranked = comparison.settings.task().ranked;
  Json charts = {behind_chart(comparison, ranked.front().title + " behind the best", ranked.front().metric)};
  for (const RankedBy& by : ranked) charts.push_back(metric_chart(comparison, by.title, by.metric));
  charts.push_back(metric_chart(comparison, "Coverage", "coverage"));
  const Json document = {{"lead", lead}, {"charts", charts}, {"tables", tables}};
  return chart_page("Methods compared on " + comparison.source, json_line(document));
}

}  // namespace taut
