#include <taut/plan/columns.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/text_format.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

std::vector<Column> input_columns(const TableView& table, const FitOptions& options) {
  options.check_columns();
  table.require(options.target);
  const auto predictions = options.prediction_columns();
  for (const auto& name : predictions) table.require(name);
  for (const auto& name : options.drop) table.require(name);
  if (!options.keep_together.empty()) table.require(options.keep_together);
  for (const auto* declared : {&options.categorical, &options.numeric, &options.date, &options.ordered})
    for (const auto& text : *declared) {
      const std::string name = declared_name(text, table);
      const bool is_dropped = std::find(options.drop.begin(), options.drop.end(), name) != options.drop.end();
      if (name == options.keep_together)
        throw UsageError(format_text("the column '{}' is declared, but it is no input: --keep-together names it", name));
      if (name == options.target || is_dropped || std::find(predictions.begin(), predictions.end(), name) != predictions.end())
        throw UsageError(format_text("the column '{}' is declared, but it is no input: it is the {}", name,
                                     is_dropped               ? "one to drop"
                                     : name == options.target ? "target"
                                                              : "prediction"));
    }
  std::vector<Column> inputs;
  for (const Column& column : table.columns()) {
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), column.name) != names.end();
    };
    // The name of a group says nothing about a new group, so it is not an input.
    if (!is_in(options.drop) && !is_in(predictions) && column.name != options.target && column.name != options.keep_together)
      inputs.push_back(column);
  }
  if (inputs.empty() && predictions.empty())
    throw Error(format_text("{}: no input columns are left beside the target '{}'; drop fewer, or give --prediction",
                            table.source(), options.target));
  return inputs;
}

namespace {

[[noreturn]] void throw_no_number(const TableView& table, Index row, Index column, const std::string* text,
                                  const std::string& role) {
  const double cell = table(row, column);
  const bool is_word = text != nullptr && is_missing_cell(*text, MissingSet::among_numbers);
  const std::string found = is_word            ? "a missing value, " + quoted_cell(*text)
                            : text != nullptr  ? "the text " + quoted_cell(*text)
                            : std::isnan(cell) ? "a missing value"
                                               : print_number(cell);
  throw Error(format_text("{}: the {} must be a finite number, found {}; correct or remove the row, or name another column{}",
                          table.where(row, column), role, found,
                          role == "target" && found.starts_with("a missing value")
                              ? "; --skip-missing-target leaves out rows without a target"
                              : ""));
}

}  // namespace

std::vector<double> numbers_of(const TableView& table, const std::string& name, RowsView rows, const std::string& role) {
  return numbers_of(table, Column{name}, rows, role);
}

std::vector<double> numbers_of(const TableView& table, const Column& wanted, RowsView rows, const std::string& role) {
  const Index column = table.require(wanted.name);
  const Column& about = table.columns()[static_cast<std::size_t>(column)];
  std::vector<double> values;
  values.reserve(rows.size());
  for (const Index row : rows) {
    double value = table(row, column);
    // One text cell makes the whole column categorical. Cells that are numbers are still valid.
    const bool is_text = about.is_categorical() && value >= 0 && value < about.other_code();
    const std::string* text = is_text ? &about.categories[static_cast<std::size_t>(value)] : nullptr;
    if (about.is_categorical()) value = is_text ? read_text(*text, wanted).value_or(missing) : missing;
    if (!std::isfinite(value)) throw_no_number(table, row, column, text, role);
    values.push_back(value);
  }
  return values;
}

RowPredictions predictions_of(const TableView& table, const FitOptions& options, RowsView rows) {
  if (!options.predicts_ends()) return RowPredictions(numbers_of(table, options.prediction, rows, "prediction"));
  return {numbers_of(table, options.lower_prediction, rows, "prediction"),
          numbers_of(table, options.upper_prediction, rows, "prediction")};
}

Index count_crossed(const TableView& table, const FitOptions& options) {
  return options.n_prediction_columns() == 2 ? predictions_of(table, options, all_rows(table)).crossed() : 0;
}

Rows usable_rows(const TableView& table, const FitOptions& options, const Column& target) {
  Rows rows = all_rows(table);
  if (!options.skip_missing_target) return rows;
  const Index column = table.require(options.target);
  const Column& found = table.columns()[static_cast<std::size_t>(column)];
  std::vector<bool> is_missing;  // for each text of the column
  for (const auto& text : found.categories) is_missing.push_back(is_missing_cell(text, target.missing_set()));
  std::erase_if(rows, [&](Index row) {
    const double cell = table(row, column);
    if (std::isnan(cell)) return true;
    return found.is_categorical() && cell < found.other_code() && is_missing[static_cast<std::size_t>(cell)];
  });
  return rows;
}

std::vector<double> targets_of(const TableView& table, const Column& target, RowsView rows, const TargetRange& range) {
  std::vector<double> y = numbers_of(table, target, rows, "target");
  if (!range.restricts()) return y;
  const auto is_impossible = [&](double value) { return !range.is_possible(value); };
  const auto first = std::find_if(y.begin(), y.end(), is_impossible);
  if (first == y.end()) return y;
  const auto count = std::count_if(first, y.end(), is_impossible);
  throw Error(format_text(
      "{}: the target {} {}; {} of {} rows have a target that the declared range or step rules out, and no interval could hold "
      "it: correct these rows, or fit with another --y-min, --y-max or --y-step",
      table.where(rows[static_cast<std::size_t>(first - y.begin())], table.require(target.name)), print_number(*first),
      range.objection(*first), print_count(count), print_count(std::ssize(y))));
}

TargetRange possible_targets(const FitOptions& options, std::span<const double> y) {
  const TargetRange decimals(options.y_min, options.y_max, options.y_step);
  const bool has_products = std::any_of(y.begin(), y.end(), [&](double value) { return decimals.is_product_only(value); });
  return has_products ? TargetRange(options.y_min, options.y_max, options.y_step, TargetRange::Multiples::products_too)
                      : decimals;
}

void require_ids(const TableView& table, const std::string& column, RowsView rows) {
  const Index at = table.require(column);
  const auto is_missing = [&](Index row) { return std::isnan(table(row, at)); };
  const auto first = std::find_if(rows.begin(), rows.end(), is_missing);
  if (first == rows.end()) return;
  const auto count = std::count_if(first, rows.end(), is_missing);
  throw Error(format_text(
      "{}: --keep-together needs a value in every row, and this cell is missing; {} of {} {} none. Fill in the groups of these "
      "rows, give a row without a group a value that no other row has, or remove them",
      table.where(*first, at), print_count(count), counted(std::ssize(rows), "row"), count == 1 ? "has" : "have"));
}

Rows all_rows(const TableView& table) { return all_rows(table.rows()); }

std::string range_hint(std::span<const double> y, const FitOptions& options, bool reaches_below_zero) {
  if (y.empty()) return {};
  const auto all = [&](auto holds) { return std::all_of(y.begin(), y.end(), holds); };
  const auto multiple_of = [](double step) {
    return [step](double value) { return std::abs(value / step - std::round(value / step)) < 1e-9 && std::abs(value) < 1e15; };
  };
  std::string flags, why;
  if (options.y_step == 0 && all(multiple_of(1))) {
    why = format_text("all {} values of the target in training rows are whole numbers",
                      print_count(static_cast<long long>(y.size())));
    flags = "--y-step 1";
  }
  if (options.y_min == -infinity && reaches_below_zero && all([](double value) { return value >= 0; })) {
    why += why.empty() ? "no value of the target in training rows is negative" : ", and none is negative";
    why += ", but some intervals at 0.95 reach below 0";
    flags += flags.empty() ? "--y-min 0" : " --y-min 0";
  }
  if (flags.empty()) return {};
  return format_text("{}: if that always holds, {} makes intervals narrower at no cost", why, flags);
}

}  // namespace taut
