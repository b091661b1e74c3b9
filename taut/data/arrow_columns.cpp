#include <taut/data/arrow_columns.hpp>

#include <taut/core/text.hpp>
#include <taut/data/csv_scanner.hpp>

#include <algorithm>

namespace taut {
namespace {

// Of a value in a dictionary. Numbers that need not be whole keep their point, as in Python and in CSV files that it writes.
std::string category_text(const ArrowCells& values, Index at) {
  std::string text = values.printed(at);
  const bool is_float = values.type().cells == ArrowType::Cells::float64 || values.type().cells == ArrowType::Cells::float32;
  if (is_float && !text.empty() && text.find_first_not_of("-0123456789") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

ArrowColumn::ArrowColumn(const ArrowStream& stream, std::size_t position, bool as_category)
    : stream_(stream), position_(position), field_(stream.fields()[position]), type_(field_.type()), as_category_(as_category) {}

double* ArrowColumn::grow(Index rows) {
  if (borrowed_) {
    cells_.resize(static_cast<std::size_t>(rows_));
    for (Index row = 0; row < rows_; ++row) cells_[static_cast<std::size_t>(row)] = (*borrowed_)[row];
    borrowed_.reset();
    owner_.reset();
  }
  cells_.resize(static_cast<std::size_t>(rows_ + rows));
  return cells_.data() + rows_;
}

void ArrowColumn::add(const ArrowBatch& batch, Index first, Index rows) {
  const ArrowCells cells = stream_.cells(batch, position_, first, rows);
  const bool is_plain = !field_.is_dictionary() && !type_.is_text() && !as_category_;
  if (is_plain && rows_ == 0 && !batch.has_missing_rows()) borrowed_ = cells.in_place();
  if (borrowed_ && rows_ == 0) {
    owner_ = batch.array();
  } else if (rows > 0) {
    double* out = grow(rows);
    if (field_.is_dictionary())
      add_codes(cells, batch, out);
    else if (type_.is_text())
      add_texts(cells, out);
    else if (as_category_)
      add_printed(cells, out);
    else
      cells.read_numbers(out);
    for (Index row = 0; batch.has_missing_rows() && row < rows; ++row)
      if (!batch.is_there(first + row)) out[row] = missing;
  }
  if (is_plain) rounded_ += cells.count_rounded();
  rows_ += rows;
}

double ArrowColumn::code_of(std::string_view text) { return is_missing_cell(text) ? missing : categories_.find_or_add(text); }

void ArrowColumn::add_texts(const ArrowCells& cells, double* out) {
  std::string_view last;  // neighbours are often alike
  double last_code = missing;
  for (Index row = 0; row < cells.rows(); ++row) {
    out[row] = missing;
    if (!cells.is_there(row)) continue;
    const std::string_view text = cells.text(row);
    if (text != last) {
      last = text;
      last_code = code_of(text);
    }
    out[row] = last_code;
  }
}

void ArrowColumn::add_printed(const ArrowCells& cells, double* out) {
  for (Index row = 0; row < cells.rows(); ++row) out[row] = cells.is_there(row) ? code_of(cells.printed(row)) : missing;
}

// Every batch may bring a dictionary of its own. Categories count in order of appearance, ordered ones in that of the dictionary.
void ArrowColumn::add_codes(const ArrowCells& cells, const ArrowBatch& batch, double* out) {
  const ArrowArray* dictionary = batch.column(position_).dictionary;
  if (dictionary == nullptr) cells.fail("the dictionary is not there");
  const ArrowCells values(*field_.schema->dictionary, *dictionary, 0, dictionary->length, stream_.place_of(position_));
  constexpr double unknown = -1;
  std::vector<double> codes(static_cast<std::size_t>(values.rows()), unknown);
  const auto code_at = [&](Index at) {
    double& code = codes[static_cast<std::size_t>(at)];
    if (code == unknown) code = values.is_there(at) ? code_of(category_text(values, at)) : missing;
    return code;
  };
  for (Index at = 0; kind_of(*field_.schema) == ColumnKind::ordered && at < values.rows(); ++at) code_at(at);
  for (Index row = 0; row < cells.rows(); ++row)
    out[row] = cells.is_there(row) ? code_at(cells.position(row, values.rows())) : missing;
}

Column ArrowColumn::column() const {
  Column column{field_.name, kind_of(*field_.schema)};
  if (as_category_ && !column.is_categorical()) column.kind = ColumnKind::category;
  if (!column.is_categorical()) return column;
  column.categories = categories_.in_order();
  column.is_inferred = !field_.is_dictionary() && !as_category_;
  return column;
}

void ArrowColumn::add_to(TableView& view) {
  if (!borrowed_) return view.add(column(), std::move(cells_));
  view.add(column(), *borrowed_);
  view.keep(std::move(owner_));
}

std::string ArrowColumn::note() const {
  const std::string about = stream_.place_of(position_) + ": ";
  if (rounded_ > 0)
    return about + counted(rounded_, "whole number") + " beyond 2^53 " + (rounded_ == 1 ? "is" : "are") +
           " rounded to the nearest double; if these are ids, leave the column out (--drop) or make it a text";
  if (type_.meaning == ArrowType::Meaning::duration && !as_category_ && !field_.is_dictionary())
    return about + "durations and times of day are taken as numbers of seconds";
  return "";
}

}  // namespace taut
