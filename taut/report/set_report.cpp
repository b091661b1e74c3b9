// A report on sets from start to end: test rows → a summary of every level of the slider → one page.
#include <taut/report/set_report.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/task/label/set_metrics.hpp>
#include <taut/core/error.hpp>
#include <taut/report/assets.hpp>
#include <taut/report/page.hpp>
#include <taut/report/set_document.hpp>
#include <taut/report/slider.hpp>
#include <taut/report/write_page.hpp>

#include <algorithm>

namespace taut {

namespace {

constexpr Index flags_at_once = 200'000'000;  // bytes: a label in a set or not
constexpr std::size_t most_labels = 20;       // that are drawn

void check_set_options(const ReportOptions& options) {
  check_confidence(options.confidence);
  if (!options.unit.empty()) throw UsageError("--unit is about numbers, and the model predicts labels; leave it out");
  if (options.learning_curve)
    throw UsageError("--learning-curve is about numbers, and the model predicts labels; leave it out");
}

SetReportData collect_sets(const SetTestRows& rows, const ReportOptions& options, const ExecutionContext& context) {
  const std::vector<double> levels = slider_levels(options.confidence);
  const TableView& table = rows.known.table;
  SetReportData data;
  data.start = position_of(levels, options.confidence);
  data.labels = frequent_labels(rows, most_labels);
  const PredictedSets first = rows.model.predict_sets(table, std::vector{options.confidence}, context);
  std::vector<double> sizes;
  for (Index row = 0; row < rows.rows(); ++row) sizes.push_back(static_cast<double>(first.size(row, 0)));
  data.drawn = rows.columns(sizes, most_columns);
  const SetSummarizer summarizer(rows, data.drawn, data.labels, context);
  data.groups = summarizer.groups();
  GroupedTable groups;
  if (!options.by.empty()) groups = rows.model.group_rows(table, options.by, context);
  // Blocks of levels, so that memory stays linear in the rows.
  const auto flags = std::max<Index>(1, rows.rows() * std::ssize(rows.model.labels()));
  const auto block = static_cast<std::size_t>(std::max<Index>(1, flags_at_once / flags));
  for (std::size_t begin = 0; begin < levels.size(); begin += block) {
    const auto part = std::span(levels).subspan(begin, std::min(block, levels.size() - begin));
    const PredictedSets sets = rows.model.predict_sets(table, part, context);
    for (std::size_t i = 0; i < part.size(); ++i) {
      context.report("summarizing", static_cast<double>(data.levels.size()) / static_cast<double>(levels.size()));
      SetSummary summary = summarizer.summarize(sets, i, effort_of(part[i], options.confidence));
      data.levels.push_back(std::move(summary.level));
      data.by_label.push_back(std::move(summary.by_label));
      data.held.push_back(std::move(summary.held));
      if (!options.by.empty()) data.by_group.push_back(lines_by_group({sets, i, rows.known.labels}, groups));
    }
  }
  return data;
}

}  // namespace

std::string report_html(const Classifier& model, const TableView& test, const ReportOptions& options,
                        const ExecutionContext& context) {
  require_page();
  check_set_options(options);
  if (model.law().rows() == 0) throw Error("a report needs calibration rows, and the model has none: use 'taut calibrate'");
  if (test.rows() == 0) throw Error(test.source() + ": there are no rows to report on");
  const SetTestRows rows(model, test, context);
  SetReportData data = collect_sets(rows, options, context);
  // All rows: those without a label are answered too, and labels may be known only rows later.
  if (options.in_order) data.over_time = over_time(model, test, slider_levels(options.confidence), options.stream, context);
  return page_html(set_report_title(model, options), page_assets().report, set_report_document(rows, data, options),
                   without_script(data.levels[data.start].answer));
}

void write_report(const Classifier& model, const TableView& test, const std::string& path, ReportOptions options,
                  const ExecutionContext& context) {
  write_page(path, std::move(options), [&](const ReportOptions& named) { return report_html(model, test, named, context); });
}

}  // namespace taut
