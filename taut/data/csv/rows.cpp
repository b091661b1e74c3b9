#include <taut/data/csv/rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/csv/file.hpp>
#include <taut/data/kinds/text_format.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace taut {

CsvOptions options_for(const std::vector<Column>& schema, CsvOptions options) {
  for (const Column& column : schema)
    for (const auto& word : column.missing_words)
      if (std::find(options.na.begin(), options.na.end(), word) == options.na.end()) options.na.push_back(word);
  return options;
}

std::vector<FieldPlan> plan_for(const CsvFile& file, const std::vector<Column>& schema, const std::vector<std::string>& keep,
                                const std::vector<std::string>& optional) {
  std::vector<FieldPlan> plan(file.names().size());
  std::vector<std::string> wanted;
  for (const Column& column : schema)
    if (std::find(optional.begin(), optional.end(), column.name) == optional.end()) wanted.push_back(column.name);
  file.require(wanted);
  file.require(keep);  // separately, because an input may be meant
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!file.has(schema[i].name) && std::find(optional.begin(), optional.end(), schema[i].name) != optional.end()) continue;
    FieldPlan& field = plan[file.position_of(schema[i].name)];
    field.kind = schema[i].is_categorical() ? FieldPlan::Kind::category : FieldPlan::Kind::number;
    field.kind_is_known = true;
    field.column = static_cast<Index>(i);
    field.known = {.name = {}, .kind = schema[i].kind, .format = schema[i].format, .reading = schema[i].reading};
    field.is_strict = schema[i].is_strict;
    field.categories = Categories(schema[i].categories);
    field.numbers = NumberCodes(schema[i].categories);
    for (std::size_t code = 0; schema[i].folds_case && code < schema[i].categories.size(); ++code)
      if (const double at = field.folded.find_or_add(lower_case(schema[i].categories[code]));
          at == static_cast<double>(field.codes_of_folded.size()))
        field.codes_of_folded.push_back(static_cast<double>(code));
  }
  for (std::size_t i = 0; i < keep.size(); ++i) {
    FieldPlan& field = plan[file.position_of(keep[i])];
    if (field.kept >= 0) throw UsageError(format_text("the column '{}' is to be kept twice; name it once", keep[i]));
    field.kept = static_cast<Index>(i);
  }
  return plan;
}

RecordParser::RecordParser(const CsvFormat& format, const std::vector<FieldPlan>& plan, Mismatches mismatches)
    : format_(format), scanner_(format), plan_(plan), added_(plan.size()), mismatches_(std::move(mismatches)) {
  find_runs();
}

void RecordParser::find_runs() {
  runs_.assign(plan_.size() + 1, 0);
  for (std::size_t i = plan_.size(); i-- > 0;) {
    if (!plan_[i].reads_plain_numbers() || plan_[i].kept >= 0) continue;
    const bool continues = i + 1 < plan_.size() && plan_[i + 1].column == plan_[i].column + 1;
    runs_[i] = 1 + (continues ? runs_[i + 1] : 0);
  }
}

void RecordParser::parse(double* row, std::string* kept) {
  std::size_t field = 0;
  while (field < plan_.size() && scanner_.more()) {
    if (runs_[field] > 0) {
      const Index read = scanner_.numbers(row + plan_[field].column, runs_[field]);
      field += static_cast<std::size_t>(read);
      if (read > 0) continue;
    }
    parse_field(field++, row, kept);
  }
  if (field < plan_.size()) fill_optional(field, row, kept);
  if (scanner_.more()) fail_too_many();
}

void RecordParser::parse_field(std::size_t field, double* row, std::string* kept) {
  const FieldPlan& plan = plan_[field];
  const std::string_view text = scanner_.field();
  if (plan.kept >= 0) kept[plan.kept] = text;
  if (plan.kind == FieldPlan::Kind::skip) return;
  row[plan.column] = plan.kind == FieldPlan::Kind::number ? number(field, text) : category(field, text);
}

// A text that is a known category keeps that meaning even if it is also a word for a missing cell: a model may have the category
// 'None'.
double RecordParser::category(std::size_t field, std::string_view text) {
  const FieldPlan& plan = plan_[field];
  const double code = plan.categories.find(text);
  if (code != plan.categories.other_code()) return code;
  if (format_.missing_words(text, plan.missing_set())) return missing;
  if (!plan.kind_is_known) return code + added_[field].find_or_add(text);
  const std::string_view cell = plan.known.reading == ReadingRules::current ? trim_cell(text) : text;
  for (const double other_spelling : {plan.categories.find(cell), plan.categories.find(category_key(cell))})
    if (other_spelling != code) return other_spelling;
  if (plan.folded.size() > 0)
    if (const double folded = plan.folded.find(lower_case(cell)); folded != plan.folded.other_code())
      return plan.codes_of_folded[static_cast<std::size_t>(folded)];
  if (const auto same_value = plan.numbers.of_text(cell)) return *same_value;
  mismatches_[static_cast<std::size_t>(plan.column)].add(cell);
  return code;
}

double RecordParser::number(std::size_t field, std::string_view text) {
  const FieldPlan& plan = plan_[field];
  if (format_.missing_words(text, plan.missing_set())) return missing;
  if (const auto value = plan.kind_is_known ? read_text(text, plan.known) : cell_number(text))
    return plan.known.kind == ColumnKind::number && format_.missing_words.is_number(*value) ? missing : *value;
  if (plan.kind_is_known && plan.is_strict) fail_no_number(field, text);
  if (plan.kind_is_known)
    mismatches_[static_cast<std::size_t>(plan.column)].add(text);
  else if (runs_[field] > 0)
    mark_as_text(field);
  return missing;
}

// Removes the field from its run, so that the parser does not try to read a number there first.
void RecordParser::mark_as_text(std::size_t field) {
  text_fields_.push_back(field);
  runs_[field] = 0;
  for (std::size_t i = field; i-- > 0 && i + static_cast<std::size_t>(runs_[i]) > field;)
    runs_[i] = static_cast<Index>(field - i);
}

void RecordParser::fill_optional(std::size_t field, double* row, std::string* kept) const {
  if (field + format_.optional < plan_.size()) fail_too_few();
  for (; field < plan_.size(); ++field) {
    if (plan_[field].column >= 0) row[plan_[field].column] = missing;
    if (plan_[field].kept >= 0) kept[plan_[field].kept].clear();
  }
}

void RecordParser::fail_no_number(std::size_t field, std::string_view text) const {
  throw Error(
      format_text("{}, column '{}': found {}, but this column holds numbers; allowed are numbers such as 12.5 or 1e-3, and for a "
                  "missing value {}",
                  scanner_.where(), format_.names[field], quoted_cell(text), missing_cells_description));
}

void RecordParser::fail_too_few() const {
  throw Error(format_text(
      "{}: found {} fields, but the header names {} columns; column '{}' and all after it are not there: add what is "
      "missing, or delete the line",
      scanner_.where(), scanner_.position(), format_.names.size(), format_.names[static_cast<std::size_t>(scanner_.position())]));
}

void RecordParser::fail_too_many() {
  const std::string extra = quoted_cell(scanner_.field());
  try {
    while (scanner_.more()) scanner_.field();
  } catch (const Error&) {  // a later fault of the same line; report the first one
  }
  const std::string delimiter = scanner_.delimiter() == '\t' ? "tab" : std::string(1, scanner_.delimiter());
  throw Error(
      format_text("{}: found {} fields, but the header names {} columns; the first field too many, after column '{}', is {}: put "
                  "quotes around a text that holds the delimiter '{}', or delete the line",
                  scanner_.where(), scanner_.position(), format_.names.size(), format_.names.back(), extra, delimiter));
}

namespace {

// With one thread a block is parsed as soon as it has been read, while it is in the cache. With several threads a group has
// `for_each` blocks per thread, so that no thread waits long for the last block.
std::size_t blocks_in_group(int threads) {
  constexpr std::size_t for_each = 8, maximum = 128;
  return threads == 1 ? 1 : std::min(maximum, for_each * static_cast<std::size_t>(threads));
}

bool any_number(const Matrix& values, Index rows, Index column) {
  for (Index row = 0; row < rows; ++row)
    if (!std::isnan(values(row, column))) return true;
  return false;
}

}  // namespace

CsvRows::CsvRows(CsvFile& file, std::vector<FieldPlan>& plan, Table& table, int threads)
    : file_(file), plan_(plan), table_(table), no_mismatches_(table.mismatches), threads_(resolve_threads(threads)) {
  const auto columns = std::count_if(plan.begin(), plan.end(), [](const FieldPlan& field) { return field.column >= 0; });
  if (table.values.cols() != columns) table.values.resize(0, columns);
}

// Long records make large blocks; a group then has fewer of them.
void CsvRows::read(Group& group) {
  const std::size_t maximum = blocks_in_group(threads_);
  const std::size_t enough_bytes = maximum * CsvBlocks::default_size;
  std::size_t bytes = 0;
  for (group.count = 0; group.count < maximum && bytes < enough_bytes && !at_end_; ++group.count) {
    if (group.count == group.pieces.size()) group.pieces.emplace_back();
    Piece& piece = group.pieces[group.count];
    piece.rows = 0;
    piece.failure = nullptr;
    try {
      at_end_ = !file_.next_block(piece.block);
      if (at_end_) break;
      bytes += piece.block.text().size();
    } catch (...) {
      piece.failure = std::current_exception();
      at_end_ = true;
    }
  }
}

void CsvRows::place_rows() {
  Index next = rows_;
  for (std::size_t i = 0; i < group_.count; ++i) {
    group_.pieces[i].first_row = next;
    if (!group_.pieces[i].failure) next += group_.pieces[i].block.max_records();
  }
  Matrix& values = table_.values;
  if (next > values.rows()) values.conservativeResize(std::max({next, 2 * rows_, initial_rows(values.cols())}), Eigen::NoChange);
  table_.lines.resize(static_cast<std::size_t>(next));
}

void CsvRows::parse(Piece& piece) {
  try {
    piece.block.make_utf8();
    RecordParser& parser = piece.parser.emplace(file_.format(), plan_, no_mismatches_);
    parser.start(piece.block);
    double* row = table_.values.data() + piece.first_row * table_.values.cols();
    std::int64_t* line = table_.lines.data() + piece.first_row;
    for (piece.rows = 0; parser.next_record(); ++piece.rows) {
      parser.parse(row, nullptr);
      row += table_.values.cols();
      *line++ = parser.line();
    }
  } catch (...) {
    piece.failure = std::current_exception();
  }
}

// Parses the blocks of the group on all threads. Reading the next group is the first task, because it cannot be divided.
void CsvRows::parse_all(bool reads_ahead) {
  const Index before = reads_ahead ? 1 : 0;
  parallel_blocks(before + static_cast<Index>(group_.count), 1, threads_, [&](Index task, Index) {
    if (task < before) return read(ahead_);
    Piece& piece = group_.pieces[static_cast<std::size_t>(task - before)];
    if (!piece.failure) parse(piece);
  });
}

// Changes fields in which texts were found to categories; true if any changed. All blocks of the group are then parsed again.
bool CsvRows::make_categories() {
  bool any = false;
  for (std::size_t i = 0; i < group_.count; ++i) {
    if (!group_.pieces[i].parser) continue;
    for (const std::size_t field : group_.pieces[i].parser->text_fields()) {
      if (plan_[field].kind == FieldPlan::Kind::category) continue;
      plan_[field].kind = FieldPlan::Kind::category;
      any = true;
      if (!any_number(table_.values, rows_, plan_[field].column)) continue;
      lost_fields_.push_back(field);
      lost_rows_ = rows_;
    }
  }
  return any;
}

void CsvRows::rethrow_first_failure() const {
  for (std::size_t i = 0; i < group_.count; ++i)
    if (group_.pieces[i].failure) std::rethrow_exception(group_.pieces[i].failure);
}

// Moves the rows of all blocks together. A block has fewer rows than line ends if it has blank lines or line ends in quotes.
void CsvRows::close_gaps() {
  const auto columns = static_cast<std::size_t>(table_.values.cols());
  for (std::size_t i = 0; i < group_.count; ++i) {
    Piece& piece = group_.pieces[i];
    const auto count = static_cast<std::size_t>(piece.rows);
    if (piece.first_row != rows_ && count > 0) {
      std::memmove(table_.values.data() + rows_ * table_.values.cols(),
                   table_.values.data() + piece.first_row * table_.values.cols(), count * columns * sizeof(double));
      std::memmove(table_.lines.data() + rows_, table_.lines.data() + piece.first_row, count * sizeof(std::int64_t));
    }
    piece.first_row = rows_;
    rows_ += piece.rows;
  }
}

void CsvRows::merge_categories(std::size_t field) {
  Categories& all = plan_[field].categories;
  const double first_added = all.other_code();
  std::vector<double> codes;
  for (std::size_t i = 0; i < group_.count; ++i) {
    const Piece& piece = group_.pieces[i];
    const Categories& added = piece.parser->added(field);
    if (added.size() == 0) continue;
    codes.clear();
    for (std::size_t code = 0; code < added.size(); ++code) codes.push_back(all.find_or_add(added[code]));
    for (Index row = piece.first_row; row < piece.first_row + piece.rows; ++row) {
      double& cell = table_.values(row, plan_[field].column);
      if (cell >= first_added) cell = codes[static_cast<std::size_t>(cell - first_added)];
    }
  }
}

void CsvRows::merge_mismatches() {
  for (std::size_t i = 0; i < group_.count; ++i) {
    const Mismatches& found = group_.pieces[i].parser->mismatches();
    for (std::size_t column = 0; column < found.size(); ++column) table_.mismatches[column].append(found[column]);
  }
}

bool CsvRows::next_group() {
  const bool reads_ahead = threads_ > 1;
  if (!reads_ahead || (rows_ == 0 && ahead_.count == 0))
    read(group_);
  else
    std::swap(group_, ahead_);
  if (group_.count == 0) return false;
  place_rows();
  ahead_.count = 0;
  parse_all(reads_ahead && !at_end_);
  if (make_categories()) parse_all(false);
  rethrow_first_failure();
  close_gaps();
  for (std::size_t field = 0; field < plan_.size(); ++field)
    if (plan_[field].kind == FieldPlan::Kind::category && !plan_[field].kind_is_known) merge_categories(field);
  merge_mismatches();
  for (std::size_t i = 0; i < group_.count; ++i) file_.count_converted(group_.pieces[i].block);
  file_.report_progress();
  return true;
}

void CsvRows::finish() {
  table_.values.conservativeResize(rows_, Eigen::NoChange);
  table_.lines.resize(static_cast<std::size_t>(rows_));
}

}  // namespace taut
