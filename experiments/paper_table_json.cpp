// The table for programs: JSON and CSV, full precision.
#include <experiments/json.hpp>
#include <experiments/paper_table.hpp>
#include <taut/core/version.hpp>
#include <taut/data/csv_writer.hpp>

namespace taut {

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

}  // namespace taut
