#include <taut/report/document.hpp>

#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>
#include <taut/report/document_parts.hpp>
#include <taut/report/learning_json.hpp>
#include <taut/report/words.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::size_t most_curve_points = 400;

Json metrics_json(const std::vector<LevelSummary>& levels) {
  Json json = Json::array();
  for (const auto& entry : metrics().entries()) {
    Json values = Json::array();
    for (const LevelSummary& level : levels) {
      const auto& own = level.report.metrics;
      const auto found = std::find_if(own.begin(), own.end(), [&](const auto& pair) { return pair.first == entry.name; });
      values.push_back(found == own.end() ? Json() : exact_json(found->second));
    }
    json.push_back({{"name", entry.name},
                    {"summary", entry.summary},
                    {"everywhere", !metrics().make(entry.name)->needs_inputs()},
                    {"values", values}});
  }
  return json;
}

Json features_json(const TestRows& rows, const ReportData& data, std::size_t most_rows) {
  Json json = Json::array();
  for (std::size_t i = 0; i < data.drawn.columns.size(); ++i) {
    const Index column = data.drawn.columns[i];
    const Column& about = rows.features.columns()[static_cast<std::size_t>(column)];
    const Bins& own = data.drawn.bins[i];
    Json bins = Json::array(), values = Json::array();
    for (std::size_t bin = 0; bin < own.bins.size(); ++bin)
      bins.push_back({{"name", own.bins[bin].name},
                      {"rows", own.bins[bin].rows},
                      {"middle", rounded_json(0.5 * (own.bins[bin].low + own.bins[bin].high))},
                      {"covered", covered_steps_json(data.levels, i, bin)}});
    for (std::size_t k = 0; k < most_rows; ++k) {
      const auto row = static_cast<std::size_t>(data.sample.rows[k]);
      // A category is drawn at its bin: rare ones stand together.
      if (about.is_categorical())
        values.push_back(own.bin_of_row[row]);
      else
        values.push_back(rounded_json(rows.features(static_cast<Index>(row), column)));
    }
    json.push_back({{"name", shortened(about.name, longest_name)},
                    {"category", about.is_categorical()},
                    {"bins", bins},
                    {"values", values}});
  }
  return json;
}

std::vector<double> picked(const std::vector<double>& all, const Rows& rows, std::size_t count) {
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(all[static_cast<std::size_t>(rows[i])]);
  return result;
}

Json columns_json(const Matrix& matrix, std::size_t rows, int digits) {
  Json json = Json::array();
  for (Index column = 0; column < matrix.cols(); ++column) {
    Json values = Json::array();
    for (std::size_t row = 0; row < rows; ++row) values.push_back(rounded_json(matrix(static_cast<Index>(row), column), digits));
    json.push_back(std::move(values));
  }
  return json;
}

Json sample_json(const TestRows& rows, const Sample& sample, std::size_t count) {
  Json numbers = Json::array(), from = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(sample.rows[i] + 1);
    from.push_back(sample.covered_from[i]);
  }
  Json json = {{"row", numbers},
               {"y", rounded_json_of(picked(rows.y, sample.rows, count), 7)},
               {"f", rounded_json_of(picked(rows.f, sample.rows, count), 7)},
               {"covered_from", from}};
  if (sample.has_closed_form) {
    json["log_factor"] = rounded_json_of(sample.log_factor, 9);
    json["log_scale"] = columns_json(sample.log_scale, count, 7);
  } else {
    json["knots"] = exact_json_of(sample.knots);
    json["below"] = columns_json(sample.below, count, 4);
    json["above"] = columns_json(sample.above, count, 4);
  }
  return json;
}

// [side, log factor] of each level: side 0 is below f, 1 above; null where there are too few rows.
Json bounds_json(const std::vector<std::optional<ScaledBound>>& bounds) {
  Json json = Json::array();
  for (const auto& bound : bounds)
    json.push_back(bound ? Json{static_cast<int>(bound->side), rounded_json(bound->log_factor, 9)} : Json());
  return json;
}

Json law_json(const LawSample& law, std::size_t count) {
  if (!law.is_known) return {};
  if (law.has_closed_form) return {{"lower", bounds_json(law.lower)}, {"upper", bounds_json(law.upper)}};
  const std::size_t rows = std::min(count, static_cast<std::size_t>(law.lower_from_f.rows()));
  return {{"knots", exact_json_of(law.knots)},
          {"lower", columns_json(law.lower_from_f, rows, 3)},
          {"upper", columns_json(law.upper_from_f, rows, 3)}};
}

// The prediction stands among the features by a name of its own, and so does a shape: neither is a column of the table. A
// table with columns of these names has them in brackets.
std::string feature_name(const std::string& column, const ReportReasons& reasons) {
  const bool is_input = std::find(reasons.inputs.begin(), reasons.inputs.end(), column) != reasons.inputs.end();
  if (!is_input && (column == "prediction" || column == "(prediction)")) return std::string(prediction_name);
  if (!is_input && column == reasons.shape_column) return reasons.shape_name;
  return shortened(column, longest_name);
}

Json reasons_json(const ReportReasons& reasons, std::size_t count) {
  if (!reasons.is_known) return {};
  Json columns = Json::array(), pairs = Json::array(), words = Json::array();
  for (std::size_t c = 0; c < reasons.columns.size(); ++c) {
    const ColumnInfluence& one = reasons.columns[c];
    columns.push_back({{"name", feature_name(one.column, reasons)},
                       {"usual", rounded_json(one.width_factor())},
                       {"narrowest", rounded_json(std::exp(one.narrowest))},
                       {"widest", rounded_json(std::exp(one.widest))}});
    if (static_cast<Index>(c) >= reasons.factors.cols()) continue;
    Json factors = Json::array();
    for (std::size_t row = 0; row < count; ++row)
      factors.push_back(rounded_json(reasons.factors(static_cast<Index>(row), static_cast<Index>(c)), 4));
    columns.back()["factors"] = factors;
  }
  for (const ActingTogether& pair : reasons.pairs)
    pairs.push_back({{"first", feature_name(pair.first, reasons)},
                     {"second", feature_name(pair.second, reasons)},
                     {"factor", rounded_json(pair.factor, 3)}});
  for (std::size_t row = 0; row < std::min(count, reasons.words.size()); ++row) words.push_back(reasons.words[row]);
  return {{"lead", reasons.lead}, {"columns", columns}, {"pairs", pairs}, {"words", words}};
}

Json training_json(const FitRecord& record) {
  Json points = Json::array();
  const std::size_t count = record.validation_curve.size(), step = count / most_curve_points + 1;
  for (std::size_t i = 0; i < count; ++i)
    if (i % step == 0 || i + 1 == count || static_cast<Index>(i) == record.best_epoch)
      points.push_back({i, rounded_json(record.validation_curve[i], 6)});
  Json candidates = Json::array();
  for (const auto& candidate : record.candidates)
    candidates.push_back({{"name", candidate.name},
                          {"sides", candidate.sides},
                          {"loss", rounded_json(candidate.validation_loss)},
                          {"kept", candidate.kept}});
  return {{"curve", points}, {"best", record.best_epoch}, {"candidates", candidates}};
}

// Per level the groups that need attention most: [name, rows, covered, low, high, mean width], and what to say about all.
Json by_group_json(const ReportData& data, const ReportOptions& options) {
  constexpr std::size_t most_lines = 30;
  if (data.by_group.empty()) return {};
  Json levels = Json::array();
  for (const GroupReport& report : data.by_group) {
    Json lines = Json::array();
    for (std::size_t i = 0; i < std::min(most_lines, report.lines.size()); ++i) {
      const GroupLine& line = report.lines[i];
      lines.push_back({shortened(line.name, longest_name), line.rows, line.covered, rounded_json(line.band.low, 4),
                       rounded_json(line.band.high, 4), rounded_json(line.mean_width, 4)});
    }
    levels.push_back({{"lines", lines}, {"below", report.below.size()}, {"words", report.in_words()}});
  }
  return {{"by", join(options.by, ", ")}, {"groups", data.by_group.front().lines.size()}, {"levels", levels}};
}

}  // namespace

std::string report_title(const Regressor& model, const ReportOptions& options) {
  return options.title.empty() ? "Prediction intervals for " + shortened(model.options().target, longest_name) : options.title;
}

std::string report_document(const TestRows& rows, const TableView& test, const ReportData& data, const ReportOptions& options,
                            std::size_t most_rows) {
  const Regressor& model = rows.model;
  const std::size_t count = std::min(most_rows, data.sample.rows.size());
  const FitOptions& fit = model.options();
  const Json document = {
      {"kind", "report"},
      {"version", version},
      {"title", report_title(model, options)},
      {"target", shortened(fit.target, longest_name)},
      {"unit", options.unit},
      {"test", shortened(test.source(), longest_name)},
      {"model", shortened(options.model_file, longest_name)},
      {"rows", rows.rows()},
      {"calibration_rows", model.law().rows()},
      {"band", band_probability},
      {"range", {{"least", exact_json(fit.y_min)}, {"most", exact_json(fit.y_max)}, {"step", exact_json(fit.y_step)}}},
      {"start", data.start},
      {"levels", levels_json(data.levels)},
      {"metrics", metrics_json(data.levels)},
      {"curve", curve_json(data.lower, data.levels)},
      {"by_width", widths_json(data.levels)},
      {"features", features_json(rows, data, count)},
      {"columns_left_out", data.drawn.left_out},
      {"sample", sample_json(rows, data.sample, count)},
      {"law", law_json(data.law, count)},
      {"reasons", reasons_json(data.reasons, count)},
      {"groups", data.groups},
      {"ranges", ranges_json(data.drawn, data.levels)},
      {"by_group", by_group_json(data, options)},
      {"over_time", over_time_json(data.over_time)},
      {"slabs", slabs_json(data.levels)},
      {"failures", failures_json(data.levels)},
      {"training", training_json(model.record())},
      {"learning", learning_json(options.learning_curve.get())},
      {"facts", facts_json(facts(model, test, options), commands_to_reproduce(model, test, options))}};
  return document_text(document);
}

}  // namespace taut
