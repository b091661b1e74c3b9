#include <taut/data/csv_reader.hpp>

#include <taut/data/csv_file.hpp>
#include <taut/data/csv_record.hpp>

#include <algorithm>
#include <utility>

namespace taut {

class CsvReader::Reading {
 public:
  Reading(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep, const CsvOptions& options)
      : file_(path, options_for(schema, options), Rereading::no),
        plan_(plan_for(file_, schema, keep, options.optional)),
        parser_(file_.format(), plan_, no_mismatches(schema)),
        schema_(std::move(schema)),
        keeps_(keep.size()),
        is_prompt_(options.is_prompt),
        context_(options.context) {
    for (std::size_t i = 0; i < schema_.size(); ++i)
      if (!file_.has(schema_[i].name)) absent_.push_back(static_cast<Index>(i));
    parser_.start(block_);
  }

  bool next(Batch& batch, Index most) {
    Table& table = batch.table;
    if (table.columns != schema_) table.columns = schema_;
    table.source = file_.name();
    table.lines.clear();
    batch.kept_arrays.reset();
    resize(batch, std::min(most, std::max(table.rows(), rows_to_start_with(static_cast<Index>(schema_.size())))));
    Index rows = 0;
    for (; rows < most && next_record(rows); ++rows) {
      if (rows == table.rows()) resize(batch, std::min(most, 2 * rows));
      parser_.parse(table.values.data() + rows * table.values.cols(),
                    batch.kept.data() + static_cast<std::size_t>(rows) * keeps_);
      for (const Index column : absent_) table.values(rows, column) = missing;
      table.lines.push_back(parser_.line());
    }
    resize(batch, rows);
    return rows > 0;
  }

  const Mismatches& mismatches() const { return parser_.mismatches(); }
  std::string notice() const { return file_.notice(); }
  [[noreturn]] void fail_no_rows() const { file_.fail_no_rows(); }

 private:
  // Eigen reallocates in place where it can, so growing costs no second copy of a large block.
  void resize(Batch& batch, Index rows) const {
    batch.table.values.conservativeResize(rows, static_cast<Index>(schema_.size()));
    batch.kept.resize(static_cast<std::size_t>(rows) * keeps_);
  }

  // Rows that are there are not kept waiting for those that may come.
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
  std::size_t keeps_;
  std::vector<Index> absent_;  // columns of the schema that the file does not have
  bool is_prompt_;
  const ExecutionContext* context_;
  bool at_end_ = false;
};

CsvReader::CsvReader(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep,
                     const CsvOptions& options)
    : reading_(std::make_unique<Reading>(path, std::move(schema), keep, options)) {}
CsvReader::~CsvReader() = default;
CsvReader::CsvReader(CsvReader&&) noexcept = default;

bool CsvReader::next(Batch& batch, Index most) { return reading_->next(batch, most); }
void CsvReader::fail_no_rows() const { reading_->fail_no_rows(); }
const Mismatches& CsvReader::mismatches() const { return reading_->mismatches(); }
std::string CsvReader::notice() const { return reading_->notice(); }

}  // namespace taut
