#include <taut/task/label/label_rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/label/label_task.hpp>

#include <algorithm>
#include <cmath>
#include <set>

namespace taut {

namespace {

// A table of these rows only.
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
  const Rows usable = usable_rows(all, model.options(), model.target());
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

namespace {

bool comes_first(const std::string& a, const std::string& b) {
  const auto x = parse_number(a), y = parse_number(b);
  if (x && y && *x != *y) return *x < *y;
  if (x.has_value() != y.has_value()) return x.has_value();
  return a < b;
}

}  // namespace

InferredColumn target_labels(const TableView& table, const std::string& name, RowsView rows, const std::string& prefix) {
  const Index position = table.require(name);
  const Column& found = table.columns()[static_cast<std::size_t>(position)];
  if (found.kind == ColumnKind::date)
    throw Error(format_text("{}: the target '{}' is a date, and dates are no labels; name another column", table.source(), name));
  InferredColumn judged = label_column(table, name, rows);
  Column& target = judged.column;
  const auto key_of = [&](const std::string& label) { return target.folds_case ? lower_case(label) : category_key(label); };
  std::set<std::string> keys;
  for (const auto& label : target.categories) keys.insert(key_of(label));
  for (const Column& column : table.columns())
    if (!prefix.empty() && column.name != name && column.name.size() > prefix.size() && column.name.starts_with(prefix))
      if (const auto label = column.name.substr(prefix.size()); keys.insert(key_of(label)).second)
        target.categories.push_back(label);
  const Index count = std::ssize(target.categories);
  if (count < 2)
    throw Error(format_text("{}: the target '{}' has {} in the rows that train: there is nothing to tell apart", table.source(),
                            name, count == 0 ? "no label" : "one label only, " + quoted_cell(target.categories.front()) + ","));
  if (count > max_classes)
    throw Error(table.source() + ": the target '" + name + "' has " + print_count(count) +
                " different labels in the rows that train, at most " + print_count(max_classes) +
                " are allowed; if it is a number, give --task regression; else join labels that are rare");
  std::sort(target.categories.begin(), target.categories.end(), comes_first);
  return judged;
}

std::vector<Index> labels_of(const TableView& table, const Column& target, RowsView rows) {
  const TableView own = table.matched({target});
  std::vector<Index> labels;
  labels.reserve(rows.size());
  for (const Index row : rows) {
    const double code = own(row, 0);
    if (std::isnan(code))
      throw Error(
          format_text("{}: the target must be a label, found a missing value; correct or remove the row; "
                      "--skip-missing-target leaves out rows without a target",
                      table.where(row, table.require(target.name))));
    labels.push_back(static_cast<Index>(code));
  }
  return labels;
}

std::vector<std::string> probability_columns(const TableView& table, const std::string& prefix, const Column& target) {
  std::vector<std::string> columns;
  for (const auto& label : target.categories) {
    columns.push_back(prefix + label);
    if (!find_column(table.columns(), columns.back()))
      throw Error(format_text("--probabilities {}: for the label {} {}", prefix, quoted_cell(label),
                              missing_column(table.source(), columns.back(), table.names())));
  }
  return columns;
}

Matrix probabilities_of(const TableView& table, const std::vector<std::string>& columns, RowsView rows) {
  Matrix p(std::ssize(rows), std::ssize(columns));
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const auto values = numbers_of(table, columns[k], rows, "probability");
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!(values[i] >= 0 && values[i] <= 1))
        throw Error(
            format_text("{}: a probability lies between 0 and 1, found {}; correct the row, or give the columns of "
                        "probabilities by another prefix",
                        table.where(rows[i], table.require(columns[k])), print_number(values[i])));
      p(static_cast<Index>(i), static_cast<Index>(k)) = values[i];
    }
  }
  constexpr double tolerance = 0.01;  // hundreds of rounded probabilities do not sum exactly to 1
  for (Index row = 0; row < p.rows(); ++row) {
    const double sum = p.row(row).sum();
    if (std::abs(sum - 1) > tolerance)
      throw Error(format_text(
          "{}, {}: the probabilities of all {} labels must sum to 1, found {}; give those of all labels, as "
          "probabilities and not as scores",
          table.source(), table.describe_row(rows[static_cast<std::size_t>(row)]), columns.size(), print_rounded(sum)));
  }
  return p;
}

}  // namespace taut
