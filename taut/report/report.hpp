// Evaluates a model's intervals or sets on test rows and writes one HTML page. It needs no network and no other file, and is
// usually below 1 MB.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/table_view.hpp>
#include <taut/model/model.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct LearningCurve;  // taut/explain/learning_curve.hpp

struct ReportOptions {
  double confidence = 0.9;        // the initial level of the slider, in (0, 1)
  std::string unit{};             // of the target, for sentences and axes: "EUR"; may be empty
  std::string title{};            // empty: a title with the name of the target
  std::vector<std::string> by{};  // columns of groups with a separate chart, written as in --by
  // If set, the page has a chart of its first level.
  std::shared_ptr<const LearningCurve> learning_curve{};
  bool in_order = false;  // rows are in order of time: the page has charts over time, of a stream that learns from each row
  StreamOptions stream{};
  bool allow_empty = false;  // see SetAskOptions; also for the stream
  // File names for the commands that reproduce the page; empty: model.taut, report.html.
  std::string model_file{};
  std::string report_file{};
};

// The page as text. The rows need the columns of Model::evaluation_schema(), or of stream_schema() with in_order, and must not
// have been used in the fit. Throws an Error for options that the task does not support, and if Taut was built without the page
// (see can_report).
std::string report_html(const Model& model, const TableView& test, const ReportOptions& options = {},
                        const ExecutionContext& context = {});

// Writes the page to a file atomically.
void write_report(const Model& model, const TableView& test, const std::string& path, ReportOptions options = {},
                  const ExecutionContext& context = {});

// Whether this build has the page, which node and npm bundle when Taut is built.
bool can_report();
// Throws an Error that says how to get the page if this build does not have it.
void require_page();

// A page of charts in the same style, for other results. `document` is JSON:
//   {"lead": ["a paragraph", ...],
//    "charts": [{"title": "...", "words": "what it shows", "x": "name of the axis", "y": "name of the axis",
//                "log_x": false, "log_y": false,          optional
//                "kind": "lines" | "dots" | "bars",        dots and bars may have texts for x
//                "series": [{"name": "...", "points": [[x, y], [x, y, low, high], ...]}, ...]}, ...],
//    "tables": [{"title": "...", "head": ["..."], "rows": [["...", 1.5], ...]}, ...]}          optional
// low and high draw a whisker or, for lines, a band. Every chart also has a table for readers who cannot see it. All texts are
// escaped, so they may contain HTML.
std::string chart_page(std::string_view title, std::string_view document);

}  // namespace taut
