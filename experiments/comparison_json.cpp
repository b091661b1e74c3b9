// A comparison for programs: JSON and CSV, full precision.
#include <experiments/comparison.hpp>
#include <experiments/json.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv_writer.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

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
    const auto& own = comparison.methods[m];
    methods.push_back(
        {{"name", own.method.name}, {"options", options_in_words(own.method.options)}, {"fell_back", own.fell_back}});
    seconds[own.method.name] = values_json(own.seconds);
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
  // Seconds stand last and apart: nothing else differs between two runs.
  return json_page({{"version", version},
                    {"source", comparison.source},
                    {"seed", comparison.settings.common.seed},
                    {"repeats", comparison.settings.repeats},
                    {"design", name_of(comparison.design)},
                    {"rows", comparison.rows},
                    {"rows_of_table", comparison.rows_of_table},
                    {"quick", comparison.settings.quick},
                    {"left_out", left_out_in_words(comparison)},
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
    for (const auto& own : comparison.methods)
      for (std::size_t level = 0; level < own.levels.size(); ++level) {
        writer.number(static_cast<double>(comparison.splits[split].repeat));
        writer.number(static_cast<double>(comparison.splits[split].tested));
        writer.text(own.method.name);
        writer.number(comparison.settings.levels[level]);
        for (const auto& metric : own.levels[level]) writer.number(metric.values[split]);
        writer.number(own.seconds[split]);
        writer.end_row();
      }
  writer.finish();
  return text;
}

}  // namespace taut
