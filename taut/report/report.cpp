// A report from start to end: test rows → a summary of every level of the slider → a sample to draw → one page.
#include <taut/report/report.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/metric/interval.hpp>
#include <taut/model/parts.hpp>
#include <taut/report/assets.hpp>
#include <taut/report/document.hpp>
#include <taut/report/page.hpp>
#include <taut/report/slider.hpp>
#include <taut/report/write_page.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index most_cells = 12000;                   // of the columns that are drawn
constexpr Index most_drawn = 1000, least_drawn = 50;  // rows
constexpr Index intervals_at_once = 10'000'000;       // 160 MB

std::vector<Interval> column_of(const Predicted& predicted, std::size_t level) {
  std::vector<Interval> intervals(predicted.prediction.size());
  for (std::size_t i = 0; i < intervals.size(); ++i) intervals[i] = predicted.at(static_cast<Index>(i), level);
  return intervals;
}

// Blocks of levels, so that memory stays linear in the rows: visit(level, intervals of all rows).
template <class Visit>
void for_each_level(const Regressor& model, const TableView& test, std::span<const double> levels, const ExecutionContext& context,
                    Visit&& visit) {
  const auto block = static_cast<std::size_t>(std::max<Index>(1, intervals_at_once / std::max<Index>(1, test.rows())));
  for (std::size_t begin = 0; begin < levels.size(); begin += block) {
    const auto part = levels.subspan(begin, std::min(block, levels.size() - begin));
    const Predicted predicted = model.predict_interval(test, part, context);
    for (std::size_t i = 0; i < part.size(); ++i) visit(part[i], column_of(predicted, i));
  }
}

LevelReport coverage_only(const TestRows& rows, std::span<const Interval> intervals, double level) {
  const Law& law = rows.model.law();
  const Index rank = law.rank(level);
  const Band band = rows.chance.at(level).band();
  return {level,
          rank,
          law.delivered(level),
          {{"coverage", coverage(intervals, rows.y)}, {"coverage_low", band.low}, {"coverage_high", band.high}}};
}

ReportData collect(const TestRows& rows, const TableView& test, const ReportOptions& options, const ExecutionContext& context) {
  const Regressor& model = rows.model;
  const std::vector<double> levels = slider_levels(options.confidence);
  ReportData data;
  data.start = position_of(levels, options.confidence);
  const std::vector<double> first = {options.confidence};
  for_each_level(model, test, first, context, [&](double, const std::vector<Interval>& intervals) {
    data.drawn = columns_to_draw(rows.features, widths(intervals), most_columns);
  });
  const LevelSummarizer summarizer(rows, data.drawn, options.unit, context);
  data.groups = summarizer.groups();
  GroupedTable groups;
  if (!options.by.empty()) groups = model.group_rows(test, options.by, context);
  for_each_level(model, test, levels, context, [&](double level, const std::vector<Interval>& intervals) {
    context.report("summarizing", static_cast<double>(data.levels.size()) / static_cast<double>(levels.size()));
    data.levels.push_back(summarizer.summarize(intervals, level, effort_of(level, options.confidence)));
    if (!options.by.empty()) data.by_group.push_back(judge_groups(groups, intervals, rows.y, level, rows.chance));
  });
  std::vector<double> lower;
  for (int percent = 5; percent < 100 * std::min(0.5, options.confidence); percent += 5) lower.push_back(percent / 100.0);
  for_each_level(model, test, lower, context, [&](double level, const std::vector<Interval>& intervals) {
    data.lower.push_back(coverage_only(rows, intervals, level));
  });
  const Index drawn = std::clamp(most_cells / static_cast<Index>(data.drawn.columns.size()), least_drawn, most_drawn);
  data.sample = draw_sample(rows, test, levels, drawn, context);
  data.law = draw_law(rows, test, data.sample, levels, context);
  if (options.in_order) data.over_time = over_time(model, test, levels, options.stream, context);
  data.reasons = find_reasons(model, test, data.sample, options.confidence, context);
  return data;
}

}  // namespace

std::string report_html(const Regressor& model, const TableView& given, const ReportOptions& options,
                        const ExecutionContext& context) {
  model.parts().require_law("a report needs");
  require_page();
  check_confidence(options.confidence);
  const TableView test = model.with_past(given);
  if (test.rows() == 0) throw Error(test.source() + ": there are no rows to report on");
  const TestRows rows(model, test, context);
  const ReportData data = collect(rows, test, options, context);
  const std::string plain = without_script(data.levels[data.start].answer);
  for (std::size_t drawn = data.sample.rows.size();; drawn /= 2) {
    const std::string document = report_document(rows, test, data, options, drawn);
    std::string page = page_html(report_title(model, options), page_assets().report, document, plain);
    if (page.size() < most_bytes || drawn <= static_cast<std::size_t>(least_drawn)) return page;
  }
}

void write_report(const Regressor& model, const TableView& test, const std::string& path, ReportOptions options,
                  const ExecutionContext& context) {
  write_page(path, std::move(options), [&](const ReportOptions& named) { return report_html(model, test, named, context); });
}

}  // namespace taut
