// A comparison for programs: JSON and CSV, full precision.
#include <experiments/comparison.hpp>
#include <experiments/json.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv_writer.hpp>

namespace taut {

namespace {

Json values_json(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(plain_number(value));
  return json;
}

Json metric_json(const Comparison& comparison, std::size_t method, std::size_t level, const MetricResult& metric) {
  Json json = {{"mean", plain_number(metric.summary.mean)}, {"values", values_json(metric.values)}};
  if (metric.metric != "interval_score" && metric.metric != "mean_width") return json;
  const Ranking ranking = comparison.ranking(level, metric.metric);
  const auto& difference = ranking.to_best[method];
  json["behind_best"] = {{"mean", plain_number(difference.mean)},
                         {"standard_error", plain_number(difference.error)},
                         {"p", plain_number(difference.p)}};
  return json;
}

Json ranking_json(const Comparison& comparison, std::size_t level, const std::string& metric) {
  const Ranking ranking = comparison.ranking(level, metric);
  if (!ranking.defined) return nullptr;
  return {{"best", comparison.methods[ranking.best].method.name},
          {"nearest", comparison.methods[ranking.second].method.name},
          {"probability_by_chance", plain_number(ranking.chance)}};
}

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
      Json figures = Json::object();
      for (const auto& metric : comparison.methods[m].levels[level])
        figures[metric.metric] = metric_json(comparison, m, level, metric);
      by_method[comparison.methods[m].method.name] = std::move(figures);
    }
    levels.push_back({{"confidence", comparison.settings.levels[level]},
                      {"by_interval_score", ranking_json(comparison, level, "interval_score")},
                      {"by_mean_width", ranking_json(comparison, level, "mean_width")},
                      {"methods", std::move(by_method)}});
  }
  // Seconds stand last and apart: nothing else differs between two runs.
  return json_page({{"version", version},
                    {"source", comparison.source},
                    {"seed", comparison.settings.common.seed},
                    {"repeats", comparison.settings.repeats},
                    {"rows", comparison.rows},
                    {"train_rows", comparison.train_rows},
                    {"test_rows", comparison.test_rows},
                    {"methods", methods},
                    {"levels", levels},
                    {"verdict", verdict(comparison)},
                    {"seconds", seconds}});
}

std::string as_csv(const Comparison& comparison) {
  std::string text;
  CsvWriter writer(text);
  writer.texts(std::vector<std::string>{"repeat", "method", "confidence"});
  writer.texts(compared_metrics());
  writer.text("seconds");
  writer.end_row();
  for (Index repeat = 0; repeat < comparison.settings.repeats; ++repeat)
    for (const auto& own : comparison.methods)
      for (std::size_t level = 0; level < own.levels.size(); ++level) {
        writer.number(static_cast<double>(repeat));
        writer.text(own.method.name);
        writer.number(comparison.settings.levels[level]);
        for (const auto& metric : own.levels[level]) writer.number(metric.values[static_cast<std::size_t>(repeat)]);
        writer.number(own.seconds[static_cast<std::size_t>(repeat)]);
        writer.end_row();
      }
  writer.finish();
  return text;
}

}  // namespace taut
