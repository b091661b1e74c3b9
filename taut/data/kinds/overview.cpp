#include <taut/data/kinds/overview.hpp>

#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

std::string describe_values(const Column& column, const NumberFacts& facts) {
  if (column.kind == ColumnKind::boolean) return "boolean: yes is 1, no is 0";
  if (column.kind == ColumnKind::date) {
    if (facts.cells == 0) return "date";
    std::string words = format_text("date, {} to {}", print_date(facts.lowest), print_date(facts.highest));
    if (column.format.date_order == DateOrder::day_first) words += ", day before month";
    if (column.format.date_order == DateOrder::month_first) words += ", month before day";
    if (column.format.last_short_year != TextFormat::posix_short_year)
      words += format_text(", years of two digits after {} are in the last century", column.format.last_short_year);
    return words;
  }
  if (column.format.is_duration) return "number of seconds, from minutes and seconds such as 3:59.4 or 1:02:33";
  const std::string example = example_of(column.format);
  return example.empty() ? "" : "number, written like " + example;
}

std::string describe_categories(const Column& column, const ColumnTexts& texts) {
  constexpr std::size_t max_shown = 4;
  std::string words = format_text("{} with {}", name_of(column.kind), counted(std::ssize(column.categories), "value"));
  for (std::size_t i = 0; i < std::min(max_shown, column.categories.size()); ++i)
    words += (i == 0 ? ": " : ", ") + std::string(quoted_cell(column.categories[i]));
  if (column.categories.size() > max_shown) words += ", ...";
  return texts.missing == 0 ? words : format_text("{}; {} missing", words, counted(texts.missing, "cell"));
}

std::string describe_unreadable(const TableView& table, const ColumnTexts& texts, const Column& column) {
  Index cells = 0, different = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < texts.texts.size(); ++i) {
    if (read_text(texts.texts[i].text, column)) continue;
    if (different++ == 0) first = i;
    cells += texts.texts[i].cells;
  }
  if (cells == 0) return {};
  const std::string all_cells = counted(texts.cells, "cell");
  const std::string shown = quoted_cell(texts.texts[first].text);
  const std::string where = table.describe_row(texts.first_rows[first]);
  if (different == 1) return format_text("{} in {} of {} ({}) counts as missing", shown, print_count(cells), all_cells, where);
  return format_text("{} of {} hold something else, such as {} ({}), and count as missing", print_count(cells), all_cells, shown,
                     where);
}

std::string describe_mixed(const TableView& table, Index column, const ColumnTexts& texts, std::string_view kind, double share,
                           const std::function<bool(std::string_view)>& reads) {
  const std::string& name = table.columns()[static_cast<std::size_t>(column)].name;
  std::size_t odd = 0;
  while (odd + 1 < texts.texts.size() && reads(texts.texts[odd].text)) ++odd;
  return format_text(
      "a {} in {} % of its cells, something else in the others, such as {} ({}); say what it is: {} '{}' (the other cells count "
      "as missing), --categorical '{}', or --drop '{}'",
      kind, print_rounded(100 * share, 3), quoted_cell(texts.texts[odd].text), table.describe_row(texts.first_rows[odd]),
      kind == "date" ? "--date" : "--numeric", name, name, name);
}

bool is_prose(const ColumnTexts& texts) {
  constexpr std::size_t long_text = 40;
  Index with_blanks = 0;
  std::size_t letters = 0;
  for (const auto& [text, cells] : texts.texts) {
    with_blanks += text.find(' ') != std::string_view::npos;
    letters += text.size();
  }
  const auto count = texts.texts.size();
  return count > 0 && (letters > long_text * count || 2 * with_blanks > std::ssize(texts.texts));
}

namespace {

constexpr std::size_t bars = 16;
constexpr std::size_t max_frequent = 5;

std::vector<double> known_cells(const TableView& table, Index column) {
  std::vector<double> values;
  for (Index row = 0; row < table.rows(); ++row)
    if (const double value = table(row, column); std::isfinite(value)) values.push_back(value);
  return values;
}

std::vector<Index> histogram_of(const std::vector<double>& values, double lowest, double highest) {
  std::vector<Index> counts(bars);
  const double width = highest / 2 - lowest / 2;  // half the range; the full range may overflow
  for (const double value : values) {
    const double place = width > 0 ? (value / 2 - lowest / 2) / width * static_cast<double>(bars) : 0;
    ++counts[std::min(bars - 1, static_cast<std::size_t>(std::max(0.0, place)))];
  }
  return counts;
}

void describe_numbers(const TableView& matched, Index column, ColumnOverview& about) {
  std::vector<double> values = known_cells(matched, column);
  about.cells = std::ssize(values);
  about.missing = matched.rows() - about.cells;
  if (values.empty()) return;
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  about.lowest = *lowest;
  about.highest = *highest;
  about.histogram = histogram_of(values, about.lowest, about.highest);
  std::sort(values.begin(), values.end());
  about.different = std::unique(values.begin(), values.end()) - values.begin();
}

void describe_texts(const ColumnTexts& texts, ColumnOverview& about) {
  about.cells = texts.cells;
  about.missing = texts.missing;
  about.different = std::ssize(texts.texts);
  for (std::size_t i = 0; i < std::min(max_frequent, texts.texts.size()); ++i)
    about.frequent.emplace_back(texts.texts[i].text, texts.texts[i].cells);
}

double correlation(const TableView& table, Index a, Index b) {
  std::vector<double> x, y;
  for (Index row = 0; row < table.rows(); ++row) {
    if (!std::isfinite(table(row, a)) || !std::isfinite(table(row, b))) continue;
    x.push_back(table(row, a));
    y.push_back(table(row, b));
  }
  const auto of = [](const std::vector<double>& values) {
    return centre_and_scale(std::ssize(values), [&](Index i) { return values[static_cast<std::size_t>(i)]; });
  };
  if (x.size() < 3) return 0;
  const auto [x_centre, x_scale] = of(x);
  const auto [y_centre, y_scale] = of(y);
  if (!(x_scale > 0) || !(y_scale > 0)) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - x_centre) / x_scale * ((y[i] - y_centre) / y_scale);
  return sum / static_cast<double>(x.size());
}

void warn(const TableView& table, ColumnOverview& about) {
  const auto rows = static_cast<double>(table.rows());
  if (about.judged.use != InferredColumn::Use::input) return;
  if (static_cast<double>(about.missing) > 0.5 * rows)
    about.warnings.push_back(
        format_text("missing in {} % of the rows", print_rounded(100 * static_cast<double>(about.missing) / rows, 3)));
  constexpr Index many = 1000;
  if (about.judged.column.is_categorical() && about.different > many)
    about.warnings.push_back(print_count(about.different) + " different values: most of them are rare");
}

// A target that holds no number is a class label, unless it is a date.
InferredColumn target_column(const TableView& table, const std::string& target, RowsView rows, char decimal,
                             InferredColumn judged) {
  const Index position = table.require(target);
  InferredColumn number = {number_column(table, target, rows, decimal), InferredColumn::Use::input, "number", "the target"};
  if (!table.columns()[static_cast<std::size_t>(position)].is_categorical()) return number;
  const ColumnTexts texts = column_texts(table, position, rows);
  if (texts.cells == 0 || readable_cells(texts.texts, number.column) > 0) return number;
  const bool is_date = judged.column.kind == ColumnKind::date;
  if (!is_date) judged = label_column(table, target, rows);
  judged.use = InferredColumn::Use::input;
  judged.words = (is_date ? "the target" : "the target, a class label") + (judged.words.empty() ? "" : ": " + judged.words);
  return judged;
}

// Inputs that repeat the target, and rows without it.
void warn_of_target(const TableView& table, const TableView& matched, const std::vector<std::string>& targets, Index position,
                    std::vector<ColumnOverview>& columns) {
  constexpr double repeats = 0.9999;
  ColumnOverview& own = columns[static_cast<std::size_t>(position)];
  const bool is_label = own.judged.column.is_categorical();
  for (std::size_t i = 0; i < columns.size() && !is_label; ++i) {
    const auto column = static_cast<Index>(i);
    const bool is_target = std::find(targets.begin(), targets.end(), table.columns()[i].name) != targets.end();
    if (is_target || columns[i].judged.column.is_categorical()) continue;
    if (std::abs(correlation(matched, column, position)) > repeats)
      columns[i].warnings.push_back(targets.size() == 1
                                        ? "repeats the target: does it exist before the target is known?"
                                        : format_text("repeats the target '{}': does it exist before the target is known?",
                                                      table.columns()[static_cast<std::size_t>(position)].name));
  }
  if (own.missing > 0)
    own.warnings.push_back(
        format_text("{} without a readable target: correct them, or use --skip-missing-target", counted(own.missing, "row")));
}

}  // namespace

std::vector<ColumnOverview> overview(const TableView& table, const ColumnDeclarations& declarations,
                                     const std::vector<std::string>& targets) {
  const Rows rows = all_rows(table.rows());
  std::vector<InferredColumn> judged = infer_columns(table, rows, declarations);
  for (const auto& target : targets) {
    InferredColumn& own = judged[static_cast<std::size_t>(table.require(target))];
    own = target_column(table, target, rows, declarations.decimal, std::move(own));
  }
  const TableView matched = table.matched(columns_of(judged));
  std::vector<ColumnOverview> result;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    ColumnOverview about{judged[i]};
    const auto column = static_cast<Index>(i);
    const bool has_texts = table.columns()[i].is_categorical();
    const bool as_texts = judged[i].column.is_categorical() || (has_texts && judged[i].use == InferredColumn::Use::unclear);
    as_texts ? describe_texts(column_texts(table, column, rows), about) : describe_numbers(matched, column, about);
    warn(table, about);
    result.push_back(std::move(about));
  }
  for (const auto& target : targets) warn_of_target(table, matched, targets, table.require(target), result);
  return result;
}

}  // namespace taut
