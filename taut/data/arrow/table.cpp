#include <taut/data/arrow/table.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/csv/scanner.hpp>

#include <algorithm>
#include <unordered_set>

namespace taut {

namespace {

// The text of a value in a dictionary. Floats keep their decimal point (1.0), as in Python and in CSV files that Python writes.
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
  std::string_view last;  // consecutive texts are often equal
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

// Every batch may have a different dictionary. Categories are numbered in order of appearance, ordered ones in that of the
// dictionary.
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
    return format_text(
        "{}{} beyond 2^53 {} rounded to the nearest double; if these are ids, leave the column out (--drop) or make it a text",
        about, counted(rounded_, "whole number"), rounded_ == 1 ? "is" : "are");
  if (type_.meaning == ArrowType::Meaning::duration && !as_category_ && !field_.is_dictionary())
    return about + "durations and times of day are taken as numbers of seconds";
  return "";
}

namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_named(const ArrowStream& stream, const CsvOptions& options) {
  for (const auto& name : options.drop) stream.position_of_any(name);
  for (const auto& name : options.numbers) stream.position_of(name);
  for (const auto& name : options.categories) {
    stream.position_of(name);
    if (contains(options.numbers, name))
      throw UsageError(format_text("the column '{}' is asked for as a number and as a category; choose one", name));
  }
}

// The columns of supported types. Other columns are named in `notes`.
std::vector<ArrowColumn> readable_columns(const ArrowStream& stream, const CsvOptions& options, std::vector<std::string>& notes) {
  std::vector<ArrowColumn> columns;
  std::unordered_set<std::string> names;
  for (std::size_t i = 0; i < stream.fields().size(); ++i) {
    const ArrowField& field = stream.fields()[i];
    if (contains(options.drop, field.name)) continue;
    if (!field.type().is_supported()) {
      notes.push_back(format_text("{}: left out, it holds {}", stream.place_of(i), field.type().words));
      continue;
    }
    if (field.name.empty()) throw Error(format_text("{}: column {} has no name; every column needs one", stream.source(), i + 1));
    if (!names.insert(field.name).second)
      throw Error(format_text("{}: the column '{}' is there more than once; every column needs a unique name: rename one of them",
                              stream.source(), field.name));
    columns.emplace_back(stream, i, contains(options.categories, field.name));
  }
  return columns;
}

Index read_batches(ArrowStream& stream, std::vector<ArrowColumn>& columns, const ExecutionContext* context) {
  Index rows = 0;
  while (const auto batch = stream.next()) {
    if (context != nullptr) context->report("reading", 0);
    const auto add = [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) columns[static_cast<std::size_t>(i)].add(*batch, 0, batch->rows());
    };
    parallel_blocks(std::ssize(columns), 1, context != nullptr ? context->threads : 1, add);
    rows += batch->rows();
  }
  return rows;
}

// Reads the texts of columns that must hold numbers. A text that is not a number is an Error.
TableView with_numbers(const TableView& view, const std::vector<std::string>& names) {
  std::vector<Column> schema = view.columns();
  for (Column& column : schema)
    if (contains(names, column.name)) column = {.name = column.name, .is_strict = true};
  return view.matched(schema);
}

}  // namespace

ArrowTable read_arrow_table(ArrowStream stream, const CsvOptions& options) {
  check_named(stream, options);
  std::vector<std::string> notes;
  std::vector<ArrowColumn> columns = readable_columns(stream, options, notes);
  const Index rows = read_batches(stream, columns, options.context);
  TableView view(stream.source(), rows);
  for (ArrowColumn& column : columns) {
    if (auto note = column.note(); !note.empty()) notes.push_back(std::move(note));
    column.add_to(view);
  }
  const bool has_texts = std::any_of(view.columns().begin(), view.columns().end(), [&](const Column& column) {
    return column.kind != ColumnKind::number && contains(options.numbers, column.name);
  });
  return {has_texts ? with_numbers(view, options.numbers) : std::move(view), std::move(notes)};
}

TableView read_arrow_table_as(const std::vector<Column>& schema, ArrowStream stream, const CsvOptions& options) {
  std::vector<ArrowColumn> columns;
  for (const Column& wanted : schema) columns.emplace_back(stream, stream.position_of(wanted.name));
  TableView view(stream.source(), read_batches(stream, columns, options.context));
  for (ArrowColumn& column : columns) column.add_to(view);
  return view.matched(schema);
}

ArrowArray ArrowSlice::share(std::size_t kept) const {
  ArrowArray array = batch_.column(positions_[kept]);
  array.offset += batch_.first() + first_;
  array.length = rows_;
  if (array.null_count != 0) array.null_count = -1;
  array.private_data = new ArrowBatch(batch_);
  array.release = [](ArrowArray* each) {
    delete static_cast<ArrowBatch*>(each->private_data);
    each->release = nullptr;
  };
  return array;
}

ArrowReader::ArrowReader(ArrowStream stream, std::vector<Column> schema, const std::vector<std::string>& keep, Kept kept,
                         const CsvOptions& options)
    : stream_(std::move(stream)),
      schema_(std::move(schema)),
      kept_(kept),
      context_(options.context),
      mismatches_(no_mismatches(schema_)) {
  for (const Column& column : schema_) positions_.push_back(stream_.position_of(column.name));
  for (const std::string& name : keep) {
    const std::size_t position = stream_.position_of_any(name);
    if (std::find(keep_.begin(), keep_.end(), position) != keep_.end())
      throw UsageError(format_text("the column '{}' is to be kept twice; name it once", name));
    if (kept == Kept::as_texts && !stream_.fields()[position].type().is_supported())
      throw Error(format_text(
          "{}: the column '{}' holds {}, which a CSV file cannot; write to a file that ends in .parquet or .arrow, or do not "
          "keep it",
          stream_.source(), name, stream_.fields()[position].type().words));
    keep_.push_back(position);
  }
}

TableView ArrowReader::view_of(Index rows) const {
  TableView view(stream_.source(), rows, done_);
  for (const std::size_t position : positions_) {
    ArrowColumn column(stream_, position);
    column.add(*current_, at_, rows);
    column.add_to(view);
  }
  return view.matched(schema_);
}

void ArrowReader::keep_texts(Batch& batch, Index rows) const {
  batch.kept.resize(static_cast<std::size_t>(rows) * keep_.size());
  for (std::size_t i = 0; i < keep_.size(); ++i) {
    const ArrowField& field = stream_.fields()[keep_[i]];
    const ArrowCells cells = stream_.cells(*current_, keep_[i], at_, rows);
    std::optional<ArrowCells> values;
    if (field.is_dictionary()) {
      const ArrowArray* dictionary = current_->column(keep_[i]).dictionary;
      if (dictionary == nullptr) cells.fail("the dictionary is not there");
      values.emplace(*field.schema->dictionary, *dictionary, 0, dictionary->length, stream_.place_of(keep_[i]));
    }
    for (Index row = 0; row < rows; ++row) {
      std::string& text = batch.kept[static_cast<std::size_t>(row) * keep_.size() + i];
      const bool is_coded = values && cells.is_there(row);
      text = is_coded ? values->printed(cells.position(row, values->rows())) : values ? "" : cells.printed(row);
    }
  }
}

bool ArrowReader::next(Batch& batch, Index maximum) {
  while (!current_ || at_ == current_->rows()) {
    if (context_ != nullptr) context_->report("reading", 0);
    current_ = stream_.next();
    at_ = 0;
    if (!current_) break;
  }
  const Index rows = current_ ? std::min(maximum, current_->rows() - at_) : 0;
  Table& table = batch.table;
  if (table.columns != schema_) table.columns = schema_;
  table.source = stream_.source();
  table.lines.clear();
  table.first_row = done_;
  table.values.resize(rows, std::ssize(schema_));
  batch.kept.clear();
  batch.kept_arrays.reset();
  if (rows == 0) return false;
  const TableView view = view_of(rows);
  for (Index row = 0; row < rows; ++row) view.copy_row(row, table.values.data() + row * table.values.cols());
  for (std::size_t i = 0; i < schema_.size(); ++i) mismatches_[i].append(view.mismatches()[i]);
  if (kept_ == Kept::as_texts) {
    keep_texts(batch, rows);
  } else {
    std::vector<ArrowField> fields;
    for (const std::size_t position : keep_) fields.push_back(stream_.fields()[position]);
    batch.kept_arrays = std::make_shared<const ArrowSlice>(*current_, std::move(fields), keep_, at_, rows);
  }
  at_ += rows;
  done_ += rows;
  return true;
}

void ArrowReader::fail_no_rows() const {
  throw Error(stream_.source() + ": the table has columns, but no rows; give at least one");
}

}  // namespace taut
