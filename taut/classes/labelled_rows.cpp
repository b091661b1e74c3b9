#include <taut/classes/labelled_rows.hpp>

#include <taut/classes/class_parts.hpp>
#include <taut/classes/class_rows.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/encoding.hpp>
#include <taut/data/standardise.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/row_hash.hpp>

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

LabelledRows::LabelledRows(const ClassModel& model, const TableView& given, int threads) : table(given), x(given) {
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

std::vector<Alarm> alarms_of_rows(const ClassModel& model, const LabelledRows& rows, const ExecutionContext& context) {
  std::vector<Alarm> alarms = model.parts().alarms_of_inputs(rows.x);
  const std::vector<double> codes(rows.labels.begin(), rows.labels.end());
  for (Alarm& alarm : model.parts().seen_rows.when_evaluating(row_hashes(rows.x, codes, all_rows(rows.x), context.threads)))
    alarms.push_back(std::move(alarm));
  Index unknown = 0;
  for (const Index label : rows.labels) unknown += label >= model.parts().classes() ? 1 : 0;
  if (unknown > 0)
    alarms.push_back({AlarmKind::unseen_categories,
                      counted(unknown, "row") + (unknown == 1 ? " has a label" : " have labels") +
                          " that no training row had: no set can hold it",
                      model.options().target,
                      {},
                      {{"rows", static_cast<double>(unknown)}}});
  return alarms;
}

}  // namespace taut
