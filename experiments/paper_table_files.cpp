// The paper's table as JSON, CSV and Markdown.
#include <experiments/json.hpp>
#include <experiments/markdown.hpp>
#include <experiments/paper_table.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv/writer.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

// The table for programs: JSON and CSV, full precision.

namespace {

Json summary_json(const Summary& summary) {
  return {{"mean", plain_number(summary.mean)},
          {"standard_deviation", plain_number(summary.deviation)},
          {"standard_error", plain_number(summary.error)}};
}

Json cell_json(const TableCell& cell) {
  Json json = {{"alpha", cell.alpha},
               {"size", summary_json(cell.size)},
               {"published", cell.published ? Json(*cell.published) : Json(nullptr)},
               {"difference_in_standard_errors", plain_number(cell.difference)},
               {"coverage_held_out", summary_json(cell.coverage)},
               {"coverage_leave_one_out", summary_json(cell.left_out)},
               {"runs_outside_band", cell.outside}};
  return json;
}

Json set_json(const SetTable& set) {
  Json rows = Json::array(), known = Json::array();
  for (const auto& row : set.rows) {
    Json cells = Json::array();
    for (const auto& cell : row.cells) cells.push_back(cell_json(cell));
    rows.push_back({{"method", row.method}, {"of_the_paper", !row.own}, {"fell_back", row.fell_back}, {"levels", cells}});
  }
  for (const auto& row : set.oracles) known.push_back({{"name", row.name}, {"sizes", row.sizes}});
  return {{"name", set.set.name},
          {"calibration_rows", set.calibration_rows},
          {"test_rows", set.test_rows},
          {"methods", rows},
          {"oracles", known}};
}

}  // namespace

std::string as_json(const PaperTable& table) {
  Json sets = Json::array(), seconds = {{"all", table.seconds}};
  for (const auto& set : table.sets) {
    sets.push_back(set_json(set));
    seconds[set.set.name] = set.seconds;
  }
  return json_page({{"version", version},
                    {"protocol", table.settings.protocol},
                    {"seed", table.settings.seed},
                    {"runs", table.settings.runs},
                    {"alphas", paper_alphas},
                    {"sets", sets},
                    {"coverages", table.coverages},
                    {"coverages_outside_band", table.outside},
                    {"seconds", seconds}});
}

std::string as_csv(const PaperTable& table) {
  std::string text;
  CsvWriter writer(text);
  writer.texts(std::vector<std::string>{"set", "method", "alpha", "size", "size_deviation", "published", "difference_in_errors",
                                        "coverage_held_out", "coverage_held_out_deviation", "coverage_leave_one_out",
                                        "coverage_leave_one_out_deviation", "runs_outside_band"});
  writer.end_row();
  const auto begin_row = [&](const std::string& set, const std::string& method, double alpha, double size) {
    writer.text(set);
    writer.text(method);
    writer.number(alpha);
    writer.number(size);
  };
  for (const auto& set : table.sets) {
    for (const auto& row : set.rows)
      for (const auto& cell : row.cells) {
        begin_row(set.set.name, row.method, cell.alpha, cell.size.mean);
        for (const double value : {cell.size.deviation, cell.published.value_or(missing), cell.difference, cell.coverage.mean,
                                   cell.coverage.deviation, cell.left_out.mean, cell.left_out.deviation})
          writer.number(value);
        writer.number(cell.outside);
        writer.end_row();
      }
    for (const auto& row : set.oracles)
      for (std::size_t level = 0; level < row.sizes.size(); ++level) {
        begin_row(set.set.name, row.name, paper_alphas[level], row.sizes[level]);
        for (int i = 0; i < 8; ++i) writer.empty();
        writer.end_row();
      }
  }
  writer.finish();
  return text;
}

// The table as Markdown.

namespace {

using Cells = std::vector<std::string>;

std::string alpha_text(double alpha) { return print_number(alpha).substr(1); }  // ".05"

std::string size_text(const TableCell& cell) {
  std::string text = with_deviation(cell.size);
  if (cell.published) {
    text += " (" + rounded(*cell.published);
    if (!std::isnan(cell.difference)) text += ", " + signed_number(cell.difference);
    text += ")";
  }
  return text;
}

std::string coverage_text(const TableCell& cell) {
  return with_deviation(cell.coverage) + (cell.outside > 0 ? " (" + std::to_string(cell.outside) + " outside)" : "");
}

Cells header(bool paper) {
  Cells cells = {"method"};
  for (const double alpha : paper_alphas) cells.push_back("size " + alpha_text(alpha));
  for (const double alpha : paper_alphas) cells.push_back("covered " + alpha_text(alpha));
  if (paper)
    cells.push_back("left out " + alpha_text(paper_alphas[0]) + " / " + alpha_text(paper_alphas[1]) + " / " +
                    alpha_text(paper_alphas[2]));
  return cells;
}

Cells row_cells(const TableRow& row, bool paper) {
  Cells cells = {(row.own ? "Taut: " : "") + row.method};
  for (const auto& cell : row.cells) cells.push_back(size_text(cell));
  for (const auto& cell : row.cells) cells.push_back(coverage_text(cell));
  if (!paper) return cells;
  std::string left_out;
  for (const auto& cell : row.cells) left_out += (left_out.empty() ? "" : " / ") + rounded(cell.left_out.mean);
  cells.push_back(left_out);
  return cells;
}

std::string set_markdown(const SetTable& set, bool paper) {
  std::vector<Cells> rows = {header(paper)};
  for (const auto& row : set.rows) rows.push_back(row_cells(row, paper));
  for (const auto& oracle : set.oracles) {
    Cells cells = {oracle.name};
    for (const double size : oracle.sizes) cells.push_back(rounded(size));
    rows.push_back(std::move(cells));
  }
  std::string fallbacks;
  for (const auto& row : set.rows)
    if (row.fell_back > 0) fallbacks += (fallbacks.empty() ? "" : ", ") + row.method + " " + print_number(row.fell_back);
  return "### " + set.set.name + "\n\n" + print_count(set.set.rows) + " rows, " +
         (set.set.synthetic() ? "sizes in units of y" : "sizes in units of mean |y|") +
         "; covered: " + print_count(set.calibration_rows) + " rows calibrate, " + print_count(set.test_rows) + " test." +
         (fallbacks.empty() ? "" : " Kept one width after validation: " + fallbacks + ".") + "\n\n" + markdown_table(rows);
}

// linear, exp and sigma are one family, so the published differences between them are noise. This table compares our best of the
// three with the published best.
std::string family_markdown(const PaperTable& table) {
  std::vector<Cells> rows = {{"set"}};
  for (const double alpha : paper_alphas) rows.front().push_back("size " + alpha_text(alpha));
  for (const auto& set : table.sets) {
    Cells cells = {set.set.name};
    for (std::size_t level = 0; level < paper_alphas.size(); ++level) {
      TableCell best{};
      best.size.mean = infinity;
      double published = infinity;
      for (const auto& row : set.rows) {
        if (row.method != "linear" && row.method != "exp" && row.method != "sigma") continue;
        published = std::min(published, row.cells[level].published.value_or(infinity));
        if (row.cells[level].size.mean < best.size.mean) best = row.cells[level];
      }
      if (!std::isfinite(published) || !std::isfinite(best.size.mean)) continue;
      best.published = published;
      best.difference = (best.size.mean - published) / best.size.error;
      cells.push_back(size_text(best));
    }
    if (cells.size() == 1 + paper_alphas.size()) rows.push_back(std::move(cells));
  }
  if (rows.size() == 1) return "";
  return "\n### The family of linear, exp and sigma beside the best published of the three\n\n" + markdown_table(rows);
}

const char* paper_words =
    "Rows: 40 % train f (nearest neighbours, shared by all methods), 40 % the transformation, 20 % test. Size: mean half-width, "
    "the "
    "quantile\nof each test row from all other test rows (leave-one-out, as in the paper), mean ± standard deviation over the "
    "runs; in "
    "brackets the published\nsize and how far ours is from it in standard errors of our mean. Covered: share of held-out rows "
    "inside "
    "their intervals when one\nhalf of the test rows calibrates and the other half is tested. Left out: the paper's coverage by "
    "leave-one-out, which is k/n whatever\nthe method, so it shows nothing.";
const char* taut_words =
    "Rows: 60 % train f (boosted trees) and the transformation, cross-fitted; 20 % calibrate; 20 % test. Size: mean half-width, "
    "mean "
    "± standard\ndeviation over the runs. Covered: share of test rows inside their intervals.";

}  // namespace

std::string as_markdown(const PaperTable& table) {
  const bool paper = table.settings.protocol == "paper";
  std::string text = "Made by `taut reproduce table --runs " + std::to_string(table.settings.runs) + " --protocol " +
                     table.settings.protocol + " --seed " + std::to_string(table.settings.seed) + "`, Taut " +
                     std::string(version) + ", " + today() + ".\n" + (paper ? paper_words : taut_words) + "\n";
  for (const auto& set : table.sets) text += "\n" + set_markdown(set, paper);
  text += family_markdown(table);
  text +=
      "\nHeld-out coverage: " + print_count(table.outside) + " of " + print_count(table.coverages) +
      " coverages (sets × methods × levels × runs) lie outside their exact bands,\nwhich were chosen so that all of them hold "
      "together with probability 0.99 (Bonferroni).\n";
  return text;
}

}  // namespace taut
