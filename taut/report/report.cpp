// Makes a report: test rows → a summary of every level of the slider → what only the task has → one page.
#include <taut/report/report.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/report/document.hpp>
#include <taut/report/page.hpp>
#include <taut/report/several_page.hpp>
#include <taut/task/label/label_task.hpp>
#include <taut/task/number/number_task.hpp>
#include <taut/task/several/several_task.hpp>

#include <algorithm>
#include <array>

namespace taut {

namespace {

constexpr std::size_t max_bytes = 1'000'000;  // of a page
constexpr std::size_t min_sampled = 50;       // rows of the sample, also if the page becomes too large

struct ReportEntry {
  std::string_view task;
  std::unique_ptr<ReportContents> (*contents)(const Model&, const TableView&, const ReportOptions&, const ExecutionContext&);
};
constexpr std::array report_entries = {ReportEntry{NumberTask::listed_name, contents_of_numbers},
                                       ReportEntry{LabelTask::listed_name, contents_of_labels}};

std::unique_ptr<ReportContents> contents_of(const Model& model, const TableView& test, const ReportOptions& options,
                                            const ExecutionContext& context) {
  for (const ReportEntry& entry : report_entries)
    if (entry.task == model.task().name()) return entry.contents(model, test, options, context);
  throw Error(format_text("there is no report for models of the task '{}'", model.task().name()));
}

TableView with_column(TableView view, std::string_view name, std::vector<double> cells) {
  view.add({std::string(name)}, std::move(cells));
  return view;
}

// What a reader without JavaScript sees.
std::string without_script(const Answer& answer) {
  std::string html = "<p><strong>" + escaped_html(answer.headline) + "</strong></p>";
  for (const Statement& statement : answer.statements)
    html += "<p>" + escaped_html(statement.label) + ": " + escaped_html(statement.text) + "</p>";
  return html + "<p>The rest of this page needs JavaScript.</p>";
}

}  // namespace

TestRows::TestRows(const Model& of_model, const TableView& with_targets, std::span<const double> target, std::string_view name,
                   std::vector<double> predicted, const ExecutionContext& context)
    : model(of_model),
      table(with_targets),
      known(with_column(of_model.parts().inputs_of(table), name, std::move(predicted))),
      features(known),
      search(known, seed()),
      alarms(of_model.alarms_of_rows(table, context)),
      chance(of_model.parts(), table, *of_model.parts().see(table, context.threads), target, context.threads) {
  const TableView x = of_model.parts().inputs_of(table);
  const Encoder encoder(Encoding::raw, x, all_rows(x.rows()));  // the same encoding as in evaluations
  inputs = standardised(encoder.encode(x, context.threads));
  columns_of_inputs = encoder.column_of_inputs();
}

std::string report_html(const Model& model, const TableView& given, const ReportOptions& options,
                        const ExecutionContext& context) {
  require_page();
  check_confidence(options.confidence);
  const TableView test = model.with_past(given);
  if (test.rows() == 0) throw Error(format_text("{}: there are no rows to report on", test.source()));
  if (model.task().name() == SeveralTask::listed_name) return several_report(model, test, options, context);
  const auto contents = contents_of(model, test, options, context);
  const ReportData data = collect_levels(*contents);
  Json document = report_document(*contents, test, data);
  const std::string title = report_title(*contents), plain = without_script(data.levels[data.start].answer);
  for (std::size_t drawn = contents->sampled_rows();; drawn /= 2) {
    contents->add_to(document, data, drawn);
    std::string page = page_html(title, page_assets().report, document_text(document), plain);
    if (page.size() < max_bytes || drawn <= min_sampled) return page;
  }
}

void write_report(const Model& model, const TableView& test, const std::string& path, ReportOptions options,
                  const ExecutionContext& context) {
  require_page();
  if (options.report_file.empty() && path != "-") options.report_file = path;
  OutputFile file(path);
  file.write(report_html(model, test, options, context));
  file.commit();
}

}  // namespace taut
