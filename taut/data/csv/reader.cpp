#include <taut/data/csv/reader.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/data/csv/file.hpp>
#include <taut/data/csv/rows.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace taut {

class CsvReader::Reading {
 public:
  Reading(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep, const CsvOptions& options)
      : file_(path, options_for(schema, options), Rereading::no),
        plan_(plan_for(file_, schema, keep, options.optional)),
        parser_(file_.format(), plan_, no_mismatches(schema)),
        schema_(std::move(schema)),
        kept_columns_(keep.size()),
        is_prompt_(options.is_prompt),
        skips_bad_lines_(options.skips_bad_lines),
        returns_rows_before_failure_(options.returns_rows_before_failure),
        context_(options.context) {
    for (std::size_t i = 0; i < schema_.size(); ++i)
      if (!file_.has(schema_[i].name)) absent_.push_back(static_cast<Index>(i));
    parser_.start(block_);
  }

  bool next(Batch& batch, Index maximum) {
    if (failure_) std::rethrow_exception(failure_);
    Table& table = batch.table;
    if (table.columns != schema_) table.columns = schema_;
    table.source = file_.name();
    table.lines.clear();
    batch.kept_arrays.reset();
    resize(batch, std::min(maximum, std::max(table.rows(), initial_rows(static_cast<Index>(schema_.size())))));
    Index rows = 0;
    try {
      while (rows < maximum && next_record(rows)) {
        if (rows == table.rows()) resize(batch, std::min(maximum, 2 * rows));
        if (parse_record(batch, rows)) ++rows;
      }
    } catch (const Interrupted&) {
      throw;
    } catch (const Error&) {
      if (!returns_rows_before_failure_ || rows == 0) throw;
      failure_ = std::current_exception();
    }
    resize(batch, rows);
    return rows > 0;
  }

  const BadLines& bad_lines() const { return bad_lines_; }
  const Mismatches& mismatches() const { return parser_.mismatches(); }
  std::string notice() const { return file_.notice(); }
  [[noreturn]] void fail_no_rows() const { file_.fail_no_rows(); }

 private:
  // Eigen reallocates in place where it can, so that growing rarely copies a large block.
  void resize(Batch& batch, Index rows) const {
    batch.table.values.conservativeResize(rows, static_cast<Index>(schema_.size()));
    batch.kept.resize(static_cast<std::size_t>(rows) * kept_columns_);
  }

  // Parses the current record into this row; false if it is a bad line, which is skipped.
  bool parse_record(Batch& batch, Index row) {
    Table& table = batch.table;
    try {
      parser_.parse(table.values.data() + row * table.values.cols(),
                    batch.kept.data() + static_cast<std::size_t>(row) * kept_columns_);
    } catch (const Error& error) {
      if (!skips_bad_lines_) throw;
      bad_lines_.add(error.what());
      return false;
    }
    for (const Index column : absent_) table.values(row, column) = missing;
    table.lines.push_back(parser_.line());
    return true;
  }

  // With `is_prompt_`, a batch that has rows ends where the next record would have to be waited for.
  bool next_record(Index rows) {
    while (!parser_.next_record())
      if ((is_prompt_ && rows > 0) || !next_block()) return false;
    return true;
  }
  bool next_block() {
    file_.report_progress();
    if (at_end_) return false;
    at_end_ = !file_.next_block(block_);
    if (!at_end_) {
      block_.make_utf8();
      file_.count_converted(block_);
      parser_.start(block_);
    } else if (context_ != nullptr && !file_.notice().empty()) {
      context_->tell(file_.notice());
    }
    return !at_end_;
  }

  CsvFile file_;
  std::vector<FieldPlan> plan_;
  TextBlock block_;
  RecordParser parser_;
  std::vector<Column> schema_;
  std::size_t kept_columns_;
  std::vector<Index> absent_;  // columns of the schema that the file does not have
  bool is_prompt_, skips_bad_lines_, returns_rows_before_failure_;
  const ExecutionContext* context_;
  BadLines bad_lines_;
  std::exception_ptr failure_;  // of a line after the rows that were returned
  bool at_end_ = false;
};

CsvReader::CsvReader(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep,
                     const CsvOptions& options)
    : reading_(std::make_unique<Reading>(path, std::move(schema), keep, options)) {}
CsvReader::~CsvReader() = default;
CsvReader::CsvReader(CsvReader&&) noexcept = default;

bool CsvReader::next(Batch& batch, Index maximum) { return reading_->next(batch, maximum); }
void CsvReader::fail_no_rows() const { reading_->fail_no_rows(); }
const Mismatches& CsvReader::mismatches() const { return reading_->mismatches(); }
const BadLines& CsvReader::bad_lines() const { return reading_->bad_lines(); }
std::string CsvReader::notice() const { return reading_->notice(); }

// Whole files as tables. Numbers are parsed straight into the table. If a text is found in a column after numbers have been read
// from it, the texts of these numbers are lost. The start of the file is then read again, for that column alone.

namespace {

int threads_of(const CsvOptions& options) { return options.context != nullptr ? options.context->threads : 0; }

std::vector<FieldPlan> first_plan(const CsvFile& file, const CsvOptions& options) {
  std::vector<std::string> wanted = options.numbers;
  for (const auto* names : {&options.categories, &options.drop}) wanted.insert(wanted.end(), names->begin(), names->end());
  file.require(wanted);
  std::vector<FieldPlan> plan(file.names().size());
  for (auto& field : plan) field.kind = options.as_texts ? FieldPlan::Kind::category : FieldPlan::Kind::number;
  for (const auto& name : options.numbers) {
    FieldPlan& field = plan[file.position_of(name)];
    field.kind_is_known = field.is_strict = true;
  }
  for (const auto& name : options.categories) {
    FieldPlan& field = plan[file.position_of(name)];
    if (field.kind_is_known)
      throw UsageError(format_text("the column '{}' is asked for as a number and as a category; choose one", name));
    field.kind = FieldPlan::Kind::category;
    field.is_declared = true;
  }
  for (const auto& name : options.drop) plan[file.position_of(name)].kind = FieldPlan::Kind::skip;
  Index columns = 0;
  for (auto& field : plan)
    if (field.kind != FieldPlan::Kind::skip) field.column = columns++;
  return plan;
}

std::vector<Column> columns_of(const CsvFile& file, const std::vector<FieldPlan>& plan) {
  std::vector<Column> columns;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    if (plan[i].kind == FieldPlan::Kind::skip) continue;
    const bool is_categorical = plan[i].kind == FieldPlan::Kind::category;
    columns.push_back({file.names()[i], is_categorical ? ColumnKind::category : ColumnKind::number, plan[i].categories.in_order(),
                       is_categorical && !plan[i].is_declared});
  }
  return columns;
}

// Reads the lost texts of the first rows again, and numbers all texts of these columns in the order of the file.
void recover_texts(CsvFile& file, const CsvRows& read, std::vector<FieldPlan>& plan, Table& table, int threads) {
  std::vector<FieldPlan> only_lost(plan.size());
  for (std::size_t i = 0; i < read.lost_fields().size(); ++i) {
    FieldPlan& field = only_lost[read.lost_fields()[i]];
    field.kind = FieldPlan::Kind::category;
    field.column = static_cast<Index>(i);
  }
  file.rewind();
  Table first;
  CsvRows again(file, only_lost, first, threads);
  while (again.rows() < read.lost_rows())
    if (!again.next_group())
      throw Error(file.name() + ": the file became shorter while it was read; try again when no program writes to it");
  const Index known = std::min(again.rows(), table.rows());
  for (const std::size_t lost : read.lost_fields()) {
    Categories& codes = only_lost[lost].categories;
    std::vector<double> translated;
    for (std::size_t code = 0; code < plan[lost].categories.size(); ++code)
      translated.push_back(codes.find_or_add(plan[lost].categories[code]));
    auto cells = table.values.col(plan[lost].column);
    cells.head(known) = first.values.col(only_lost[lost].column).head(known);
    for (double& cell : cells.tail(table.rows() - known))
      if (cell >= 0) cell = translated[static_cast<std::size_t>(cell)];  // NaN stays NaN
    plan[lost].categories = std::move(codes);
  }
}

void tell(const std::string& notice, const CsvOptions& options) {
  if (options.context != nullptr && !notice.empty()) options.context->tell(notice);
}

}  // namespace

Table read_table(const std::string& path, const CsvOptions& options) {
  CsvFile file(path, options, Rereading::yes);
  tell(file.header_warning(), options);
  std::vector<FieldPlan> plan = first_plan(file, options);
  Table table;
  table.source = file.name();
  table.delimiter = file.delimiter_as_written();
  CsvRows rows(file, plan, table, threads_of(options));
  while (rows.next_group()) {
  }
  if (rows.rows() == 0) file.fail_no_rows();
  rows.finish();
  const std::string notice = file.notice();
  if (rows.lost_rows() > 0) recover_texts(file, rows, plan, table, threads_of(options));
  table.columns = columns_of(file, plan);
  tell(notice, options);
  return table;
}

Table read_table_as(const std::vector<Column>& schema, const std::string& path, const CsvOptions& options) {
  CsvFile file(path, options_for(schema, options), Rereading::no);
  std::vector<FieldPlan> plan = plan_for(file, schema, {});
  Table table;
  table.source = file.name();
  table.columns = schema;
  table.mismatches = no_mismatches(schema);
  CsvRows rows(file, plan, table, threads_of(options));
  while (rows.next_group()) {
  }
  if (rows.rows() == 0) file.fail_no_rows();
  rows.finish();
  tell(file.notice(), options);
  return table;
}

}  // namespace taut
