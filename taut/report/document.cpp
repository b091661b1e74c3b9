#include <taut/report/document.hpp>

#include <taut/core/version.hpp>
#include <taut/metric/interval.hpp>
#include <taut/metric/metric.hpp>
#include <taut/report/facts.hpp>
#include <taut/report/json.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr std::size_t longest_name = 60;
constexpr std::size_t longest_fact = 4000;
constexpr std::size_t most_curve_points = 400;

Json metrics_json(const std::vector<LevelFigures>& levels) {
  Json json = Json::array();
  for (const auto& entry : metrics().entries()) {
    Json values = Json::array();
    for (const LevelFigures& level : levels) {
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

Json curve_json(const Findings& findings) {
  Json nominal = Json::array(), coverage = Json::array(), low = Json::array(), high = Json::array();
  const auto add = [&](const LevelReport& report) {
    nominal.push_back(report.confidence);
    coverage.push_back(rounded_json(report.metric("coverage"), 6));
    low.push_back(rounded_json(report.metric("coverage_low"), 6));
    high.push_back(rounded_json(report.metric("coverage_high"), 6));
  };
  for (const LevelReport& report : findings.lower) add(report);
  for (const LevelFigures& level : findings.levels) add(level.report);
  return {{"nominal", nominal}, {"coverage", coverage}, {"low", low}, {"high", high}};
}

// [low, high, mean, rows, hits] of each tenth.
Json widths_json(const std::vector<LevelFigures>& levels) {
  Json json = Json::array();
  for (const LevelFigures& level : levels) {
    Json bins = Json::array();
    for (const WidthBin& bin : level.by_width)
      bins.push_back({rounded_json(bin.low, 4), rounded_json(bin.high, 4), rounded_json(bin.mean, 4), bin.rows, bin.hits});
    json.push_back(std::move(bins));
  }
  return json;
}

Json regions_json(const std::vector<LevelFigures>& levels) {
  Json json = Json::array();
  for (const LevelFigures& level : levels) {
    Json regions = Json::array();
    for (const Region& region : level.regions)
      regions.push_back({{"words", region.words},
                         {"rows", region.rows},
                         {"coverage", rounded_json(region.coverage)},
                         {"band", {rounded_json(region.band.low), rounded_json(region.band.high)}},
                         {"clear", region.clearly_low}});
    json.push_back(std::move(regions));
  }
  return json;
}

Json slabs_json(const std::vector<LevelFigures>& levels) {
  Json json = Json::array();
  for (const LevelFigures& level : levels) {
    if (!level.slab)
      json.push_back(Json());
    else
      json.push_back({{"words", level.slab->words},
                      {"formula", level.slab->formula},
                      {"rows", level.slab->rows},
                      {"coverage", rounded_json(level.slab->coverage)}});
  }
  return json;
}

// What each level adds to the level before: small numbers, where whole counts would be large ones.
Json steps_json(const std::vector<LevelFigures>& levels, std::size_t column, std::size_t bin) {
  Json json = Json::array();
  Index before = 0;
  for (const LevelFigures& level : levels) {
    json.push_back(level.hits[column][bin] - before);
    before = level.hits[column][bin];
  }
  return json;
}

Json features_json(const TestRows& rows, const Findings& findings, std::size_t most_rows) {
  Json json = Json::array();
  for (std::size_t i = 0; i < findings.drawn.columns.size(); ++i) {
    const Index column = findings.drawn.columns[i];
    const Column& about = rows.features.columns()[static_cast<std::size_t>(column)];
    const Bins& own = findings.drawn.bins[i];
    Json bins = Json::array(), values = Json::array();
    for (std::size_t bin = 0; bin < own.bins.size(); ++bin)
      bins.push_back({{"name", own.bins[bin].name},
                      {"rows", own.bins[bin].rows},
                      {"middle", rounded_json(0.5 * (own.bins[bin].low + own.bins[bin].high))},
                      {"hits", steps_json(findings.levels, i, bin)}});
    for (std::size_t k = 0; k < most_rows; ++k) {
      const auto row = static_cast<std::size_t>(findings.sample.rows[k]);
      // A category is drawn at its bin: rare ones stand together.
      if (about.is_categorical)
        values.push_back(own.of_row[row]);
      else
        values.push_back(rounded_json(rows.features(static_cast<Index>(row), column)));
    }
    json.push_back(
        {{"name", shortened(about.name, longest_name)}, {"category", about.is_categorical}, {"bins", bins}, {"values", values}});
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
  if (sample.closed) {
    json["reach"] = rounded_json_of(sample.reach, 9);
    json["log_scale"] = columns_json(sample.log_scale, count, 7);
  } else {
    json["knots"] = exact_json_of(sample.knots);
    json["below"] = columns_json(sample.below, count, 4);
    json["above"] = columns_json(sample.above, count, 4);
  }
  return json;
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
                          {"validation_loss", rounded_json(candidate.validation_loss)},
                          {"kept", candidate.kept}});
  return {{"curve", points}, {"best", record.best_epoch}, {"candidates", candidates}};
}

Json facts_json(const Model& model, const TableView& test, const ReportOptions& options) {
  Json groups = Json::array();
  for (const FactGroup& group : facts(model, test, options)) {
    Json rows = Json::array();
    for (const auto& [name, value] : group.facts) rows.push_back({name, shortened(value, longest_fact)});
    groups.push_back({{"title", group.title}, {"facts", rows}});
  }
  Json commands = Json::array();
  for (const auto& command : commands_to_reproduce(model, test, options)) commands.push_back(shortened(command, longest_fact));
  return {{"groups", groups}, {"commands", commands}};
}

Json levels_json(const TestRows& rows, const Findings& findings, const std::string& unit) {
  Json json = Json::array();
  for (const LevelFigures& level : findings.levels) {
    const Answer words = level.answer(rows, unit);
    json.push_back({{"confidence", level.report.confidence},
                    {"rank", level.report.rank},
                    {"delivered", exact_json(level.report.delivered)},
                    {"same_width", rounded_json(level.same_width)},
                    {"tone", words.tone},
                    {"headline", words.headline},
                    {"sentences", words.sentences}});
  }
  return json;
}

}  // namespace

std::string report_title(const Model& model, const ReportOptions& options) {
  return options.title.empty() ? "Prediction intervals for " + shortened(model.options().target, longest_name) : options.title;
}

std::string report_document(const TestRows& rows, const TableView& test, const Findings& findings, const ReportOptions& options,
                            std::size_t most_rows) {
  const Model& model = rows.model;
  const std::size_t count = std::min(most_rows, findings.sample.rows.size());
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
      {"calibration_rows", model.calibrator().rows()},
      {"band", band_probability},
      {"range", {{"least", exact_json(fit.y_min)}, {"most", exact_json(fit.y_max)}, {"step", exact_json(fit.y_step)}}},
      {"start", findings.start},
      {"levels", levels_json(rows, findings, options.unit)},
      {"metrics", metrics_json(findings.levels)},
      {"curve", curve_json(findings)},
      {"by_width", widths_json(findings.levels)},
      {"features", features_json(rows, findings, count)},
      {"columns_left_out", findings.drawn.left_out},
      {"sample", sample_json(rows, findings.sample, count)},
      {"slabs", slabs_json(findings.levels)},
      {"regions", regions_json(findings.levels)},
      {"training", training_json(model.record())},
      {"facts", facts_json(model, test, options)}};
  return document_text(document);
}

}  // namespace taut
