#include <taut/data/csv_reader.hpp>

#include <taut/core/error.hpp>
#include <taut/data/csv_file.hpp>
#include <taut/data/csv_record.hpp>

#include <algorithm>
#include <limits>

namespace taut {
namespace {

std::vector<FieldPlan> plan_for(const CsvFile& file, const std::vector<Column>& schema, const std::vector<std::string>& keep) {
  std::vector<FieldPlan> plan(file.names().size());
  for (std::size_t i = 0; i < schema.size(); ++i) {
    FieldPlan& field = plan[file.position_of(schema[i].name)];
    field.kind = schema[i].is_categorical() ? FieldPlan::Kind::category : FieldPlan::Kind::number;
    field.kind_is_known = true;
    field.column = static_cast<Index>(i);
    field.is_strict = schema[i].is_strict;
    field.categories = Categories(schema[i].categories);
  }
  for (std::size_t i = 0; i < keep.size(); ++i) {
    FieldPlan& field = plan[file.position_of(keep[i])];
    if (field.kept >= 0) throw UsageError("the column '" + keep[i] + "' is to be kept twice; name it once");
    field.kept = static_cast<Index>(i);
  }
  return plan;
}

}  // namespace

class CsvReader::Reading {
 public:
  Reading(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep, const CsvOptions& options)
      : file_(path, options, Rereading::no),
        parser_(file_.scanner(), file_.names(), plan_for(file_, schema, keep), no_mismatches(schema)),
        schema_(std::move(schema)),
        keeps_(keep.size()) {}

  bool next(Batch& batch, Index most) {
    Table& table = batch.table;
    if (table.columns != schema_) table.columns = schema_;
    table.source = file_.name();
    table.lines.clear();
    batch.kept_arrays.reset();
    resize(batch, std::min(most, std::max(table.rows(), rows_to_start_with(static_cast<Index>(schema_.size())))));
    Index rows = 0;
    for (; rows < most && file_.next_record(); ++rows) {
      if (rows == table.rows()) resize(batch, std::min(most, 2 * rows));
      parser_.parse(table.values.data() + rows * table.values.cols(),
                    batch.kept.data() + static_cast<std::size_t>(rows) * keeps_);
      table.lines.push_back(file_.scanner().line());
    }
    resize(batch, rows);
    return rows > 0;
  }

  const Mismatches& mismatches() const { return parser_.mismatches(); }
  [[noreturn]] void fail_no_rows() const { file_.fail_no_rows(); }

 private:
  // Eigen reallocates in place where it can, so growing costs no second copy of a large block.
  void resize(Batch& batch, Index rows) const {
    batch.table.values.conservativeResize(rows, static_cast<Index>(schema_.size()));
    batch.kept.resize(static_cast<std::size_t>(rows) * keeps_);
  }

  CsvFile file_;
  RecordParser parser_;
  std::vector<Column> schema_;
  std::size_t keeps_;
};

CsvReader::CsvReader(const std::string& path, std::vector<Column> schema, const std::vector<std::string>& keep,
                     const CsvOptions& options)
    : reading_(std::make_unique<Reading>(path, std::move(schema), keep, options)) {}
CsvReader::~CsvReader() = default;
CsvReader::CsvReader(CsvReader&&) noexcept = default;

bool CsvReader::next(Batch& batch, Index most) { return reading_->next(batch, most); }
void CsvReader::fail_no_rows() const { reading_->fail_no_rows(); }

const Mismatches& CsvReader::mismatches() const { return reading_->mismatches(); }

Table read_table_as(const std::vector<Column>& schema, const std::string& path, const CsvOptions& options) {
  Batch batch;
  CsvReader reader(path, schema, {}, options);
  if (!reader.next(batch, std::numeric_limits<Index>::max())) reader.fail_no_rows();
  batch.table.mismatches = reader.mismatches();
  return std::move(batch.table);
}

}  // namespace taut
