// How good a model's intervals or sets are on test rows, as one HTML page that needs nothing else: no network, no other file,
// below 1 MB.
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
  double confidence = 0.9;        // where the slider stands when the page opens; any level in (0, 1)
  std::string unit{};             // what the target is measured in, for words and axes: "EUR"; may be empty
  std::string title{};            // empty: one that names the target
  std::vector<std::string> by{};  // groups of rows that get a picture of their own, written as in --by
  // What more rows would buy, where it was measured: its first level gets a picture.
  std::shared_ptr<const LearningCurve> learning_curve{};
  bool in_order = false;  // rows come one after another: pictures along time, of a stream that goes on so
  StreamOptions stream{};
  // Names for the commands that make the page again; empty: model.taut, report.html.
  std::string model_file{};
  std::string report_file{};
};

// The page as text. The rows need the columns of Model::evaluation_schema(), or with in_order stream_schema(), and played no part
// in the fit. An Error for options that make no sense for the task, and where Taut was built without the page (see can_report).
std::string report_html(const Model& model, const TableView& test, const ReportOptions& options = {},
                        const ExecutionContext& context = {});

// The same into a file, which appears whole or not at all.
void write_report(const Model& model, const TableView& test, const std::string& path, ReportOptions options = {},
                  const ExecutionContext& context = {});

// Whether this build has the page: node and npm bundle it when Taut is built. Otherwise an Error says how to get it.
bool can_report();
void require_page();

// A page of charts with the same looks, for other results. `document` is JSON:
//   {"lead": ["a paragraph", ...],
//    "charts": [{"title": "...", "words": "what it shows", "x": "name of the axis", "y": "name of the axis",
//                "log_x": false, "log_y": false,          optional
//                "kind": "lines" | "dots" | "bars",        dots and bars may have texts for x
//                "series": [{"name": "...", "points": [[x, y], [x, y, low, high], ...]}, ...]}, ...],
//    "tables": [{"title": "...", "head": ["..."], "rows": [["...", 1.5], ...]}, ...]}          optional
// low and high draw a whisker or, for lines, a band. Every chart gets a table for those who cannot see it. All texts are shown as
// they are, whatever they hold.
std::string chart_page(std::string_view title, std::string_view document);

}  // namespace taut
