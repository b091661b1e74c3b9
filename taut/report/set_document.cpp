#include <taut/report/set_document.hpp>

#include <taut/task/label/set_metrics.hpp>
#include <taut/core/version.hpp>
#include <taut/core/beta.hpp>
#include <taut/metric/interval.hpp>
#include <taut/report/document_parts.hpp>
#include <taut/report/words.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

Json metrics_of_sets(const std::vector<LevelSummary>& levels) {
  constexpr std::array<std::string_view, 2> slow = {"worst_slab_coverage", "ert"};
  Json json = Json::array();
  for (const auto& [name, ignored] : levels.front().report.metrics) {
    Json values = Json::array();
    for (const LevelSummary& level : levels) values.push_back(exact_json(level.report.metric(name)));
    json.push_back({{"name", name},
                    {"summary", set_metric_summary(name)},
                    {"everywhere", std::find(slow.begin(), slow.end(), name) == slow.end()},
                    {"values", values}});
  }
  return json;
}

Json probabilities_json(const SetTestRows& rows) {
  const auto seed = static_cast<std::uint64_t>(rows.model.options().seed);
  Json json = Json::array();
  for (const auto& [name, value] : probability_metrics(rows.p, rows.known.labels, seed))
    json.push_back({{"name", name}, {"summary", set_metric_summary(name)}, {"value", exact_json(value)}});
  return json;
}

// [mean probability, share that came true, rows, low, high] of each group that has rows.
Json bins_json(const std::vector<ReliabilityBin>& bins) {
  Json json = Json::array();
  for (const ReliabilityBin& bin : bins)
    json.push_back({rounded_json(bin.mean), rounded_json(static_cast<double>(bin.right) / static_cast<double>(bin.rows)),
                    bin.rows, rounded_json(bin.band.low, 4), rounded_json(bin.band.high, 4)});
  return json;
}

Json reliability_json(const SetTestRows& rows, const std::vector<Index>& labels) {
  const auto count = static_cast<std::size_t>(rows.rows());
  std::vector<double> p(count);
  std::vector<std::uint8_t> right(count);
  for (std::size_t i = 0; i < count; ++i) {
    Index best = 0;
    p[i] = rows.p.row(static_cast<Index>(i)).maxCoeff(&best);
    right[i] = rows.known.labels[i] == best ? 1 : 0;
  }
  Json json = Json::array({{{"name", "the most probable label"}, {"bins", bins_json(reliability(p, right))}}});
  for (const Index label : labels) {
    for (std::size_t i = 0; i < count; ++i) {
      p[i] = rows.p(static_cast<Index>(i), label);
      right[i] = rows.known.labels[i] == label ? 1 : 0;
    }
    json.push_back({{"name", shortened(rows.model.labels()[static_cast<std::size_t>(label)], longest_name)},
                    {"bins", bins_json(reliability(p, right))}});
  }
  return json;
}

Json features_of_sets(const SetTestRows& rows, const SetReportData& data) {
  Json json = Json::array();
  for (std::size_t i = 0; i < data.drawn.columns.size(); ++i) {
    const Column& about = rows.features.columns()[static_cast<std::size_t>(data.drawn.columns[i])];
    Json bins = Json::array();
    for (std::size_t bin = 0; bin < data.drawn.bins[i].bins.size(); ++bin)
      bins.push_back({{"name", data.drawn.bins[i].bins[bin].name},
                      {"rows", data.drawn.bins[i].bins[bin].rows},
                      {"covered", covered_steps_json(data.levels, i, bin)}});
    json.push_back({{"name", shortened(about.name, longest_name)}, {"category", about.is_categorical()}, {"bins", bins}});
  }
  return json;
}

// Per level and label: [rows, covered, low, high, mean size].
Json by_label_json(const SetReportData& data) {
  Json levels = Json::array();
  for (const auto& lines : data.by_label) {
    Json json = Json::array();
    for (const SetLine& line : lines)
      json.push_back({line.rows, line.covered, rounded_json(line.band.low, 4), rounded_json(line.band.high, 4),
                      rounded_json(line.mean_size, 4)});
    levels.push_back(std::move(json));
  }
  return levels;
}

// Per level: for each label, how many of its rows have sets that hold each label.
Json held_json(const SetReportData& data) {
  Json levels = Json::array();
  for (const Matrix& held : data.held) {
    Json json = Json::array();
    for (Index row = 0; row < held.rows(); ++row) json.push_back(exact_json_of(held.row(row)));
    levels.push_back(std::move(json));
  }
  return levels;
}

// In the form that groups of intervals have; those whose coverage lies below the level first.
Json by_group_of_sets(const SetReportData& data, const ReportOptions& options) {
  constexpr std::size_t most_lines = 30;
  if (data.by_group.empty()) return {};
  Json levels = Json::array();
  for (std::size_t i = 0; i < data.by_group.size(); ++i) {
    std::vector<SetLine> lines = data.by_group[i];
    std::erase_if(lines, [](const SetLine& line) { return line.rows == 0; });
    std::stable_sort(lines.begin(), lines.end(), [](const SetLine& a, const SetLine& b) { return a.band.high < b.band.high; });
    const double level = data.levels[i].report.confidence;
    Json json = Json::array();
    Index below = 0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
      // Over all groups together: a band of one group is left by chance once in a hundred.
      const double each = 1 - (1 - band_probability) / static_cast<double>(lines.size());
      below += binomial_band(lines[k].covered, lines[k].rows, each).high < level ? 1 : 0;
      if (k < most_lines)
        json.push_back({shortened(lines[k].name, longest_name), lines[k].rows, lines[k].covered,
                        rounded_json(lines[k].band.low, 4), rounded_json(lines[k].band.high, 4),
                        rounded_json(lines[k].mean_size, 4)});
    }
    const std::string words = below == 0 ? "no group is covered less often than chance explains"
                                         : counted(below, "group") + (below == 1 ? " is" : " are") +
                                               " covered less often than chance explains";
    levels.push_back({{"lines", json}, {"below", below}, {"words", words}});
  }
  return {{"by", join(options.by, ", ")}, {"groups", data.by_group.front().size()}, {"levels", levels}};
}

}  // namespace

std::vector<ReliabilityBin> reliability(std::span<const double> p, std::span<const std::uint8_t> right) {
  constexpr std::size_t groups = 10;
  std::vector<ReliabilityBin> bins(groups);
  for (std::size_t i = 0; i < p.size(); ++i) {
    ReliabilityBin& bin = bins[std::min(groups - 1, static_cast<std::size_t>(p[i] * static_cast<double>(groups)))];
    ++bin.rows;
    bin.right += right[i];
    bin.mean += p[i];
  }
  std::erase_if(bins, [](const ReliabilityBin& bin) { return bin.rows == 0; });
  for (ReliabilityBin& bin : bins) {
    bin.mean /= static_cast<double>(bin.rows);
    bin.band = binomial_band(bin.right, bin.rows, band_probability);
  }
  return bins;
}

std::string set_report_title(const Classifier& model, const ReportOptions& options) {
  return options.title.empty() ? "Sets of labels for " + shortened(model.options().target, longest_name) : options.title;
}

std::string set_report_document(const SetTestRows& rows, const SetReportData& data, const ReportOptions& options) {
  const Classifier& model = rows.model;
  std::vector<std::string> labels;
  for (const Index label : data.labels)
    labels.push_back(shortened(model.labels()[static_cast<std::size_t>(label)], longest_name));
  const Json document = {
      {"kind", "sets"},
      {"version", version},
      {"title", set_report_title(model, options)},
      {"target", shortened(model.options().target, longest_name)},
      {"unit", ""},
      {"test", shortened(rows.known.table.source(), longest_name)},
      {"model", shortened(options.model_file, longest_name)},
      {"rows", rows.rows()},
      {"calibration_rows", model.law().rows()},
      {"band", band_probability},
      {"start", data.start},
      {"labels", labels},
      {"all_labels", model.labels().size()},
      {"by_label_promised", model.by_label()},
      {"levels", levels_json(data.levels)},
      {"metrics", metrics_of_sets(data.levels)},
      {"probabilities", probabilities_json(rows)},
      {"reliability", reliability_json(rows, data.labels)},
      {"curve", curve_json({}, data.levels)},
      {"by_width", widths_json(data.levels)},
      {"by_label", by_label_json(data)},
      {"held", held_json(data)},
      {"features", features_of_sets(rows, data)},
      {"columns_left_out", data.drawn.left_out},
      {"groups", data.groups},
      {"ranges", ranges_json(data.drawn, data.levels)},
      {"by_group", by_group_of_sets(data, options)},
      {"over_time", over_time_json(data.over_time)},
      {"slabs", slabs_json(data.levels)},
      {"failures", failures_json(data.levels)},
      {"facts", facts_json(facts(model, rows.known.table), commands_to_reproduce(model, rows.known.table, options))}};
  return document_text(document);
}

}  // namespace taut
