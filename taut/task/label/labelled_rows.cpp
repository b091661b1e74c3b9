#include <taut/task/label/labelled_rows.hpp>

#include <taut/task/label/label_task.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/core/error.hpp>
#include <taut/data/encoding.hpp>
#include <taut/data/standardise.hpp>
#include <taut/model/columns.hpp>

namespace taut {

namespace {

// The rows alone, where some lack a target.
TableView only(const TableView& table, const Rows& rows) {
  if (std::ssize(rows) == table.rows()) return table;
  TableView result(table.source(), std::ssize(rows));
  for (std::size_t c = 0; c < table.columns().size(); ++c) {
    std::vector<double> cells;
    for (const Index row : rows) cells.push_back(table(row, static_cast<Index>(c)));
    result.add(table.columns()[c], std::move(cells));
  }
  return result;
}

}  // namespace

LabelledRows::LabelledRows(const Classifier& model, const TableView& given, int threads) : table(given), x(given) {
  const TableView all = given.with_missing(model.options().na);
  const Rows usable = usable_rows(all, model.options());
  if (usable.empty()) throw Error(all.source() + ": no row has a target");
  labels = labels_of(all, model.target(), usable);
  table = only(all, usable);
  x = model.parts().inputs_of(table);
  const Rows rows_of_x = all_rows(x);
  const Encoder encoder(Encoding::raw, x, rows_of_x);
  inputs = standardised(encoder.encode(x, rows_of_x, threads));
  columns_of_inputs = encoder.column_of_inputs();
}

CoverageChance LabelledRows::chance(const Classifier& model, int threads) const {
  const std::vector<double> targets(labels.begin(), labels.end());
  return {model.parts(), table, *model.parts().see(table, threads), targets, threads};
}

}  // namespace taut
