#include <taut/data/table_view.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/memory.hpp>
#include <taut/core/text.hpp>
#include <taut/data/column.hpp>
#include <taut/data/kinds/date_text.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/data/kinds/number_codes.hpp>
#include <taut/data/kinds/text_format.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

namespace taut {

namespace {

// The codes of numbers for a categorical column: the category whose text is that of cell_text or, without one, the first category
// of equal value ("1.0" for 1).
class CodesOfNumbers {
 public:
  CodesOfNumbers(ColumnKind from, const Column& to) : from_(from), other_(to.other_code()), values_(to.categories) {
    for (std::size_t i = 0; i < to.categories.size(); ++i)
      texts_.try_emplace(category_key(to.categories[i]), static_cast<double>(i));
  }

  double operator()(double value) const {
    if (const auto found = texts_.find(cell_text(value, from_)); found != texts_.end()) return found->second;
    return values_.of_value(value).value_or(other_);
  }

 private:
  ColumnKind from_;
  double other_;
  NumberCodes values_;
  std::unordered_map<std::string, double> texts_;
};

// For each code in `from`, of which the last is "other", the code in `to`. A text that is a category of `to` keeps that meaning
// even if it is also a word for a missing cell.
std::vector<double> translated_codes(const Column& from, const Column& to, const MissingWords& is_missing) {
  std::unordered_map<std::string_view, std::size_t> known;
  std::unordered_map<std::string, std::size_t> folded;
  for (std::size_t code = 0; code < to.categories.size(); ++code) {
    known.emplace(to.categories[code], code);
    if (to.folds_case) folded.emplace(lower_case(to.categories[code]), code);
  }
  const NumberCodes values(to.categories);
  const auto code_of = [&](std::string_view text) {
    if (const auto found = known.find(text); found != known.end()) return static_cast<double>(found->second);
    if (is_missing(text, to.missing_set())) return missing;
    const std::string_view cell = to.reading == ReadingRules::current ? trim_cell(text) : text;
    if (const auto found = known.find(cell); found != known.end()) return static_cast<double>(found->second);
    if (const auto found = known.find(category_key(cell)); found != known.end()) return static_cast<double>(found->second);
    if (const auto found = folded.find(lower_case(cell)); found != folded.end()) return static_cast<double>(found->second);
    return values.of_text(cell).value_or(to.other_code());
  };
  std::vector<double> codes;
  codes.reserve(from.categories.size() + 1);
  for (const auto& category : from.categories) codes.push_back(code_of(category));
  codes.push_back(to.other_code());
  return codes;
}

// The text of a code; empty for "other".
std::string_view text_of(const Column& column, double code) {
  const auto position = static_cast<std::size_t>(code);
  return position < column.categories.size() ? std::string_view(column.categories[position]) : std::string_view();
}

// The text of a mismatch as a reader of CSV records it.
std::string_view mismatch_text(std::string_view text, const Column& to) {
  return to.reading == ReadingRules::current ? trim_cell(text) : text;
}

}  // namespace

TableView::TableView(const Table& table)
    : source_(table.source),
      columns_(table.columns),
      lines_(table.lines),
      mismatches_(table.mismatches),
      rows_(table.rows()),
      delimiter_(table.delimiter),
      first_row_(table.first_row) {
  for (Index column = 0; column < table.values.cols(); ++column)
    cells_.emplace_back(table.values.data() + column, table.values.cols());
}

void TableView::add(Column column, CellsView cells) {
  columns_.push_back(std::move(column));
  cells_.push_back(cells);
}

void TableView::add(Column column, std::vector<double> cells) {
  auto own = std::make_shared<const std::vector<double>>(std::move(cells));
  add(std::move(column), CellsView(own->data(), 1));
  keep(std::move(own));
}

void TableView::append(const TableView& other) {
  columns_.insert(columns_.end(), other.columns_.begin(), other.columns_.end());
  cells_.insert(cells_.end(), other.cells_.begin(), other.cells_.end());
  owners_.insert(owners_.end(), other.owners_.begin(), other.owners_.end());
}

TableView TableView::owning(Table table) {
  const auto lines = std::as_bytes(std::span(table.lines));
  if (auto spill =
          Spill::of({std::as_bytes(std::span(table.values.data(), static_cast<std::size_t>(table.values.size()))), lines})) {
    TableView view(table);
    const auto* const values = reinterpret_cast<const double*>(spill->data());
    for (Index column = 0; column < table.values.cols(); ++column)
      view.cells_[static_cast<std::size_t>(column)] = CellsView(values + column, table.values.cols());
    view.lines_ = {reinterpret_cast<const std::int64_t*>(values + table.values.size()), table.lines.size()};
    view.keep(std::move(spill));
    return view;
  }
  auto kept = std::make_shared<const Table>(std::move(table));
  TableView view(*kept);
  view.keep(std::move(kept));
  return view;
}

Index TableView::require(std::string_view name) const {
  if (const auto found = find_column(columns_, name)) return *found;
  throw Error(missing_column(source_, name, names()));
}

std::vector<std::string> TableView::names() const { return names_of(columns_); }

std::string TableView::where(Index row, Index column) const {
  return place(source_, lines_, row, columns_[static_cast<std::size_t>(column)], first_row_);
}

std::string TableView::describe_row(Index row) const { return taut::describe_row(lines_, row, first_row_); }

void TableView::check_codes(Index column) const {
  const Column& about = columns_[static_cast<std::size_t>(column)];
  for (Index row = 0; row < rows_; ++row) {
    const double code = (*this)(row, column);
    if (is_code(about, code)) continue;
    throw Error(format_text(
        "{}: found the code {}, but the column has {} categories; allowed are their codes, counted from 0, {} for any other "
        "value, and NaN for a missing cell",
        where(row, column), print_number(code), print_count(std::ssize(about.categories)), print_number(about.other_code())));
  }
}

std::vector<double> TableView::as_categories(Index column, const Column& to, ColumnMismatches& mismatches) const {
  const Column& from = columns_[static_cast<std::size_t>(column)];
  const MissingWords is_missing(to.missing_words);
  const auto codes = translated_codes(from, to, is_missing);
  const CodesOfNumbers code_of(from.kind, to);
  std::unordered_map<double, double> codes_of_numbers;
  std::vector<double> cells(static_cast<std::size_t>(rows_), missing);
  Index others = 0;  // cells that already had the code "other"
  for (Index row = 0; row < rows_; ++row) {
    const double value = (*this)(row, column);
    if (std::isnan(value)) continue;
    double& cell = cells[static_cast<std::size_t>(row)];
    if (from.is_categorical()) {
      cell = codes[static_cast<std::size_t>(value)];
    } else {
      const auto [found, is_new] = codes_of_numbers.try_emplace(value, missing);
      if (is_new) found->second = code_of(value);
      if (is_new && found->second == to.other_code() && is_missing.is_number(value)) found->second = missing;
      cell = found->second;
    }
    const bool has_text = !from.is_categorical() || value < from.other_code();
    if (cell == to.other_code() && has_text)
      mismatches.add(from.is_categorical() ? std::string(mismatch_text(text_of(from, value), to)) : cell_text(value, from.kind));
    else if (cell == to.other_code())
      ++others;
  }
  // If the reader assigned the code "other" to these cells, it recorded their texts.
  const ColumnMismatches* const read = mismatches_of(to.name);
  if (read != nullptr && read->cells == others)
    mismatches.append(*read);
  else
    mismatches.add({}, others);
  return cells;
}

std::vector<double> TableView::read_texts(Index column, const Column& to, ColumnMismatches& mismatches) const {
  const Column& from = columns_[static_cast<std::size_t>(column)];
  const MissingWords is_missing(to.missing_words);
  std::vector<std::optional<double>> numbers;
  for (const auto& category : from.categories) {
    numbers.push_back(is_missing(category, to.missing_set()) ? missing : read_text(category, to));
    if (to.kind == ColumnKind::number && numbers.back() && is_missing.is_number(*numbers.back())) numbers.back() = missing;
  }
  numbers.emplace_back();  // "other" cannot be read
  std::vector<double> cells(static_cast<std::size_t>(rows_), missing);
  for (Index row = 0; row < rows_; ++row) {
    const double code = (*this)(row, column);
    if (std::isnan(code)) continue;
    if (const auto number = numbers[static_cast<std::size_t>(code)]) {
      cells[static_cast<std::size_t>(row)] = *number;
      continue;
    }
    if (to.is_strict)
      throw Error(format_text("{}: found the text {}, but this column must hold a number in every row; correct or remove the row",
                              where(row, column), quoted_cell(text_of(from, code))));
    mismatches.add(text_of(from, code));
  }
  return cells;
}

// Converts numbers, booleans or dates to another of these kinds.
std::vector<double> TableView::read_numbers(Index column, const Column& to, ColumnMismatches& mismatches) const {
  const ColumnKind from = columns_[static_cast<std::size_t>(column)].kind;
  std::vector<double> cells(static_cast<std::size_t>(rows_), missing);
  for (Index row = 0; row < rows_; ++row) {
    const double value = (*this)(row, column);
    if (std::isnan(value)) continue;
    const bool counts = to.kind == ColumnKind::number && from == ColumnKind::boolean;
    const auto read = counts ? std::optional(value) : read_text(cell_text(value, from), to);
    if (read)
      cells[static_cast<std::size_t>(row)] = *read;
    else
      mismatches.add(cell_text(value, from));
  }
  return cells;
}

const ColumnMismatches* TableView::mismatches_of(const std::string& column) const {
  for (const ColumnMismatches& known : mismatches_)
    if (known.column == column) return &known;
  return nullptr;
}

// Adds a column of this table to `result`, converted to `wanted`.
void TableView::add_matched(TableView& result, Index column, const Column& wanted, ColumnMismatches& mismatches) const {
  const Column& own = columns_[static_cast<std::size_t>(column)];
  if (own.is_categorical()) check_codes(column);
  const bool alike = own.is_categorical() == wanted.is_categorical() && own.categories == wanted.categories;
  if (!alike && wanted.is_categorical()) return result.add(wanted, as_categories(column, wanted, mismatches));
  if (!alike) return result.add(wanted, read_texts(column, wanted, mismatches));
  if (!own.is_categorical() && own.kind != wanted.kind) return result.add(wanted, read_numbers(column, wanted, mismatches));
  const MissingWords is_missing(wanted.missing_words);
  if (auto cells = wanted.kind == ColumnKind::number ? without_numbers(column, is_missing) : std::nullopt)
    result.add(wanted, std::move(*cells));
  else
    result.add(wanted, cells_[static_cast<std::size_t>(column)]);
  if (const ColumnMismatches* known = mismatches_of(wanted.name)) mismatches = *known;  // the reader recorded their texts
  if (!own.is_categorical() || mismatches.cells > 0) return;
  for (Index row = 0; row < rows_; ++row)
    if ((*this)(row, column) == own.other_code()) mismatches.add({});
}

TableView TableView::matched(const std::vector<Column>& schema) const {
  TableView result(source_, rows_, first_row_);
  result.lines_ = lines_;
  result.delimiter_ = delimiter_;
  result.mismatches_ = no_mismatches(schema);
  result.owners_ = owners_;
  std::unordered_map<std::string_view, Index> positions;
  for (std::size_t i = 0; i < columns_.size(); ++i) positions.emplace(columns_[i].name, static_cast<Index>(i));
  std::vector<std::string> absent;
  for (const Column& column : schema)
    if (!positions.contains(column.name)) absent.push_back(column.name);
  if (!absent.empty()) throw Error(missing_columns(source_, absent, names_of(schema), names()));
  for (std::size_t i = 0; i < schema.size(); ++i)
    add_matched(result, positions.find(schema[i].name)->second, schema[i], result.mismatches_[i]);
  return result;
}

// A copy of the cells in which the numbers of `is_missing` are missing; nothing if no cell has such a number.
std::optional<std::vector<double>> TableView::without_numbers(Index column, const MissingWords& is_missing) const {
  Index first = 0;
  if (is_missing.numbers().empty()) return std::nullopt;
  while (first < rows_ && !is_missing.is_number((*this)(first, column))) ++first;
  if (first == rows_) return std::nullopt;
  std::vector<double> cells(static_cast<std::size_t>(rows_));
  for (Index row = 0; row < rows_; ++row) {
    const double value = (*this)(row, column);
    cells[static_cast<std::size_t>(row)] = is_missing.is_number(value) ? missing : value;
  }
  return cells;
}

void TableView::apply_missing_words(Index column, const MissingWords& is_missing) {
  Column& about = columns_[static_cast<std::size_t>(column)];
  std::vector<double> cells;
  if (about.is_categorical()) {
    if (std::none_of(about.categories.begin(), about.categories.end(), is_missing)) return;
    check_codes(column);
    Column known = about;
    std::erase_if(known.categories, is_missing);
    const auto codes = translated_codes(about, known, is_missing);
    for (Index row = 0; row < rows_; ++row) {
      const double code = (*this)(row, column);
      cells.push_back(std::isnan(code) ? missing : codes[static_cast<std::size_t>(code)]);
    }
    about = std::move(known);
  } else if (auto others = about.kind == ColumnKind::number ? without_numbers(column, is_missing) : std::nullopt) {
    cells = std::move(*others);
  } else {
    return;
  }
  auto own = std::make_shared<const std::vector<double>>(std::move(cells));
  cells_[static_cast<std::size_t>(column)] = CellsView(own->data(), 1);
  keep(std::move(own));
}

TableView TableView::with_missing(const std::vector<std::string>& words) const {
  TableView result = *this;
  if (words.empty()) return result;
  const MissingWords is_missing(words);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    result.apply_missing_words(static_cast<Index>(i), is_missing);
    result.columns_[i].missing_words = words;
  }
  return result;
}

Table TableView::copy() const {
  Table table{
      source_,    columns_,  Matrix(rows_, static_cast<Index>(columns_.size())), {lines_.begin(), lines_.end()}, mismatches_,
      first_row_, delimiter_};
  for (Index row = 0; row < rows_; ++row) copy_row(row, table.values.row(row).data());
  return table;
}

Table match(const Table& table, const std::vector<Column>& schema) { return TableView(table).matched(schema).copy(); }

std::string cell_text(double value, ColumnKind kind) {
  if (kind == ColumnKind::date) return print_date(value);
  if (kind == ColumnKind::boolean) return value != 0 ? "true" : "false";
  return print_number(value);
}

std::vector<std::string> unlisted_texts(const TableView& table, const Column& known, RowsView rows) {
  const Index column = table.require(known.name);
  const Column& own = table.columns()[static_cast<std::size_t>(column)];
  const TableView read = table.matched({known});
  std::set<double> seen;
  std::set<std::string> texts;
  for (const Index row : rows) {
    const double value = table(row, column);
    if (read(row, 0) != known.other_code() || !seen.insert(value).second) continue;
    if (!own.is_categorical())
      texts.insert(cell_text(value, own.kind));
    else if (value < own.other_code())
      texts.insert(category_key(mismatch_text(own.categories[static_cast<std::size_t>(value)], known)));
  }
  return {texts.begin(), texts.end()};
}

}  // namespace taut
