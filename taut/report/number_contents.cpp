// A report on intervals: their widths, and for a sample of rows the predictive distribution and the reasons for the width.
#include <taut/calibrate/row_score.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/metric/conditional.hpp>
#include <taut/metric/interval.hpp>
#include <taut/report/answer.hpp>
#include <taut/report/document.hpp>
#include <taut/report/reasons.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index max_cells = 12000;                 // sampled rows times drawn columns
constexpr Index max_drawn = 1000, min_drawn = 50;  // rows
constexpr Index intervals_at_once = 10'000'000;    // 160 MB
constexpr Index min_compared = 100;                // rows; a comparison of widths needs at least this many
constexpr std::size_t max_curve_points = 400;

double mean_of_range(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Json training_json(const FitRecord& record) {
  Json points = Json::array();
  const std::size_t count = record.validation_curve.size(), step = count / max_curve_points + 1;
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

class NumberContents final : public ReportContents {
 public:
  NumberContents(const Regressor& model, const TableView& test, const std::vector<double>& y, std::vector<double> predictions,
                 const ReportOptions& asked, const ExecutionContext& execution)
      : ReportContents({model, test, y, prediction_name, predictions, execution}, asked, execution),
        model_(model),
        f_(std::move(predictions)) {
    rows.y = y;
    for (std::size_t i = 0; i < y.size(); ++i) residuals_.push_back(std::abs(y[i] - f_[i]));
    std::sort(residuals_.begin(), residuals_.end());
  }

  std::string kind() const override { return "report"; }
  std::string title() const override { return "Prediction intervals"; }

  std::size_t levels_at_once() const override {
    return static_cast<std::size_t>(std::max<Index>(1, intervals_at_once / std::max<Index>(1, rows.count())));
  }
  void predict(std::span<const double> levels) override { predicted_ = model_.predict_interval(rows.table, levels, context); }
  std::vector<Interval> intervals(std::size_t at) const override {
    std::vector<Interval> result(predicted_.prediction.size());
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = predicted_.at(static_cast<Index>(i), at);
    return result;
  }

  Metrics metrics(std::size_t, const Judged& judged, const HeldOutSlab* slab) const override {
    Metrics result;
    for (const auto& entry : taut::metrics().entries()) {
      const auto metric = taut::metrics().make(entry.name);
      const bool is_left_out = metric->needs_inputs() && judged.x == nullptr;
      // Reuse the result of the search, which is the slowest metric.
      const bool is_known = slab != nullptr && entry.name == "worst_slab_coverage";
      result.emplace_back(entry.name, is_left_out ? missing : is_known ? slab->coverage : metric->value(judged));
    }
    return result;
  }
  MetricNote about_metric(std::string_view name) const override {
    const auto& all = taut::metrics().entries();
    const auto entry = std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; });
    return {std::string(entry->summary), !taut::metrics().make(entry->name)->needs_inputs()};
  }

  // The bins of the metric size_stratified_coverage, so that its value is the lowest coverage in the chart.
  std::vector<WidthBin> parts_by_size(std::size_t, const Judged& judged) const override {
    std::vector<WidthBin> bins;
    for (const CoverageBin& bin : size_stratified_coverage(judged.intervals, judged.y, coverage_groups(rows.count())))
      bins.push_back(
          {bin.low, bin.high, bin.rows, static_cast<Index>(std::llround(bin.coverage * static_cast<double>(bin.rows)))});
    return bins;
  }
  std::string size_words(const WidthBin& part) const override {
    const std::string low = number_text(part.low), high = text_with_unit(part.high, options.unit);
    return format_text("the interval is {} wide", number_text(part.high) == low ? high : format_text("{} to {}", low, high));
  }
  void complete(std::size_t, const Judged& judged, LevelSummary& summary, AnswerInputs& answer) override {
    summary.width = summarize_widths(judged.intervals, summary);
    answer.width = summary.width;
    answer.range_restricts = model_.target_range().restricts();
    answer.infinite = static_cast<Index>(summary.metric("infinite"));
    answer.unit = options.unit;
  }

  std::vector<double> lower_levels() const override {
    std::vector<double> levels;
    for (int percent = 5; percent < 100 * std::min(0.5, options.confidence); percent += 5) levels.push_back(percent / 100.0);
    return levels;
  }

  void draw(std::span<const double> levels, const ChartColumns& drawn) override {
    const Index maximum = std::clamp(max_cells / static_cast<Index>(drawn.columns.size()), min_drawn, max_drawn);
    sample_ = draw_sample(test(), levels, maximum, context);
    distribution_ = draw_distribution(test(), sample_, levels, context);
    reasons_ = find_reasons(model_, rows.table, sample_, options.confidence, context);
  }
  std::size_t sampled_rows() const override { return sample_.rows.size(); }

  void add_to(Json& document, const ReportData& data, std::size_t drawn) const override {
    const FitOptions& fit = model_.options();
    document["range"] = {{"least", exact_json(fit.y_min)}, {"most", exact_json(fit.y_max)}, {"step", exact_json(fit.y_step)}};
    for (std::size_t i = 0; i < data.drawn.columns.size(); ++i) add_values(document["features"][i], data.drawn, i, drawn);
    document["sample"] = sample_json(test(), sample_, drawn);
    document["distribution"] = distribution_json(distribution_, drawn);
    document["reasons"] = reasons_json(reasons_, drawn);
    document["training"] = training_json(model_.record());
  }

  std::vector<Interval> without_learning(const TableView& table, const Streamed& learning) const override {
    return model_.predict_interval(table, learning.levels, context).intervals;
  }
  bool draws_rows_along_time() const override { return true; }

  void add_facts_of_model(FactGroup& group) const override {
    const FitOptions& fit = model_.options();
    const auto add = [&](const char* name, const std::string& value) { group.facts.emplace_back(name, value); };
    const auto given = fit.prediction_columns();
    add("Predictor", given.empty() ? fit.predictor
                     : fit.predicts_distribution()
                         ? format_text("given distribution, {}: '{}' to '{}'", counted(std::ssize(given), "column"),
                                       given.front(), given.back())
                     : given.size() == 1 ? format_text("given, column '{}'", given[0])
                                         : format_text("given, columns '{}' and '{}'", given[0], given[1]));
    const std::string& transform = model_.transform_name();
    if (model_.transform().n_params() == 0)
      return add("Transformation",
                 std::string("one width everywhere") + (model_.record().fell_back ? ": nothing better on validation rows" : ""));
    add("Transformation", transform);
    const Index members = model_.members();
    add("Localizer", fit.localizer + (members > 1 ? ", mean of " + std::to_string(members) : ""));
    add("Objective", fit.objective_in_force(transform));
    add("Sides", model_.exponents().empty() ? format_text("a {} without a scale", model_.transform_name())
                 : model_.sides() == 2      ? "a scale for each end"
                                            : "one scale for both ends");
  }

 private:
  TestNumbers test() const { return {model_, rows.table, rows.y, f_}; }

  // Adds the values of a column for the charts of sampled rows.
  void add_values(Json& feature, const ChartColumns& columns, std::size_t at, std::size_t drawn) const {
    const Bins& own = columns.bins[at];
    for (std::size_t bin = 0; bin < own.bins.size(); ++bin)
      feature["bins"][bin]["middle"] = rounded_json(0.5 * (own.bins[bin].low + own.bins[bin].high));
    Json values = Json::array();
    for (std::size_t k = 0; k < drawn; ++k) {
      const Index row = sample_.rows[k], column = columns.columns[at];
      // A category is drawn at the position of its bin; rare categories share one bin.
      values.push_back(feature["category"] == true ? Json(own.bin_of_row[static_cast<std::size_t>(row)])
                                                   : rounded_json(rows.features(row, column)));
    }
    feature["values"] = std::move(values);
  }

  WidthSummary summarize_widths(std::span<const Interval> intervals, const LevelSummary& summary) const {
    std::vector<double> finite;
    for (const double width : widths(intervals))
      if (std::isfinite(width)) finite.push_back(width);
    WidthSummary result;
    if (finite.empty()) return result;
    std::sort(finite.begin(), finite.end());
    const std::size_t tenth = (finite.size() + 9) / 10;
    result.mean = summary.metric("mean_width");
    result.narrow = mean_of_range(std::span(finite).first(tenth));
    result.wide = mean_of_range(std::span(finite).last(tenth));
    const bool all_finite = static_cast<Index>(finite.size()) == rows.count();
    // Rounding makes the widths (f + d) - (f - d) slightly different.
    result.all_equal = all_finite && finite.back() - finite.front() <= 1e-9 * finite.front();
    const double change = 100 * (result.mean / constant_width(summary.covered) - 1);
    if (rows.count() >= min_compared && all_finite && !result.all_equal && std::abs(change) < 1e6)
      result.against_constant = static_cast<int>(std::lround(change));
    return result;
  }

  // The mean width of intervals with a constant half-width that cover as many rows.
  double constant_width(Index covered) const {
    if (covered < 1) return missing;
    const double half = residuals_[static_cast<std::size_t>(covered - 1)];
    const TargetRange& range = model_.target_range();
    if (!range.restricts()) return 2 * half;
    const auto fixed = transforms().make("fixed");
    std::vector<Interval> intervals;
    for (const double f : f_) intervals.push_back(RowScore{f, 1, *fixed, nullptr, nullptr}.at_most(half, range));
    return mean_width(intervals);
  }

  const Regressor& model_;
  std::vector<double> f_, residuals_;  // predictions; |y - f|, sorted
  Predicted predicted_;                // at the levels of the last predict()
  Sample sample_;
  DistributionSample distribution_;
  ReportReasons reasons_;
};

}  // namespace

std::unique_ptr<ReportContents> contents_of_numbers(const Model& model, const TableView& test, const ReportOptions& options,
                                                    const ExecutionContext& context) {
  static_assert(sizeof(Regressor) == sizeof(Model));  // Regressor adds functions to Model, but no data
  const auto& numbers = static_cast<const Regressor&>(model);
  numbers.parts().require_distribution("a report needs");
  numbers.parts().refuse_exposure("a report");
  return std::make_unique<NumberContents>(numbers, test, model.parts().targets(test, all_rows(test.rows())),
                                          numbers.predict(test, context), options, context);
}

}  // namespace taut
