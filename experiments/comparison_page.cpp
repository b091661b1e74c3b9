// A comparison to look at: the charts of reports.
#include <experiments/comparison.hpp>
#include <experiments/json.hpp>
#include <taut/core/text.hpp>
#include <taut/report/report.hpp>

#include <cmath>

namespace taut {

namespace {

std::string level_name(double level) { return print_rounded(100 * level, 10) + " %"; }

Json point(const std::string& name, double middle, double reach) {
  Json json = {name, plain_number(middle)};
  if (std::isfinite(reach)) {
    json.push_back(middle - reach);
    json.push_back(middle + reach);
  }
  return json;
}

// One series for each level; value(method, level) is a point.
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
      "not "
      "shown.";
  return chart(comparison, title, words, "difference", [&](std::size_t m, std::size_t level) -> Json {
    const Ranking ranking = comparison.ranking(level, metric);
    if (!ranking.defined) return nullptr;
    return point(comparison.methods[m].method.name, ranking.to_best[m].mean, ranking.to_best[m].error);
  });
}

Json metric_chart(const Comparison& comparison, const std::string& title, const std::string& metric) {
  const std::string words = "Mean of the splits; the line spans one standard deviation of theirs to either side.";
  return chart(comparison, title, words, "mean", [&](std::size_t m, std::size_t level) {
    const MetricResult& result = comparison.methods[m].metric(level, metric);
    return point(comparison.methods[m].method.name, result.summary.mean, result.summary.deviation);
  });
}

Json table(const Comparison& comparison, std::size_t level) {
  Json head = {"Method"}, rows = Json::array();
  for (const auto& metric : comparison.settings.task().metrics) head.push_back(metric);
  for (const auto& own : comparison.methods) {
    Json row = {own.method.name};
    for (const auto& metric : own.levels[level])
      row.push_back(std::isinf(metric.summary.mean) ? Json("∞") : plain_number(metric.summary.mean));
    rows.push_back(std::move(row));
  }
  return {{"title", "Means at " + level_name(comparison.settings.levels[level])}, {"head", head}, {"rows", rows}};
}

}  // namespace

std::string as_page(const Comparison& comparison) {
  Json lead = Json::array();
  lead.push_back(design_in_words(comparison) + (comparison.settings.labels ? " Of size and L1-ERT, less is better."
                                                                           : " Of the score and the width, less is better."));
  if (comparison.settings.quick) lead.push_back(left_out_in_words(comparison));
  for (const auto& sentence : split_text(verdict(comparison), '\n'))
    if (!sentence.empty()) lead.push_back(sentence);
  lead.push_back(errors_in_words(comparison));
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
