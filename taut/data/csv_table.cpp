// read_table: numbers go straight from the text into the table. When a column turns out to hold text after numbers have been
// read from it, their spelling is lost; so the file is read again with that column as a category.
#include <taut/core/error.hpp>
#include <taut/data/csv_file.hpp>
#include <taut/data/csv_reader.hpp>
#include <taut/data/csv_record.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

std::vector<FieldPlan> first_plan(const CsvFile& file, const CsvOptions& options) {
  std::vector<FieldPlan> plan(file.names().size());
  for (auto& field : plan) field.kind = options.as_texts ? FieldPlan::Kind::category : FieldPlan::Kind::number;
  for (const auto& name : options.numbers) {
    FieldPlan& field = plan[file.position_of(name)];
    field.kind_is_known = field.is_strict = true;
  }
  for (const auto& name : options.categories) {
    FieldPlan& field = plan[file.position_of(name)];
    if (field.kind_is_known) throw UsageError("the column '" + name + "' is asked for as a number and as a category; choose one");
    field.kind = FieldPlan::Kind::category;
    field.is_declared = true;
  }
  for (const auto& name : options.drop) plan[file.position_of(name)].kind = FieldPlan::Kind::skip;
  Index columns = 0;
  for (auto& field : plan)
    if (field.kind != FieldPlan::Kind::skip) field.column = columns++;
  return plan;
}

bool any_number(const Matrix& values, Index rows, Index column) {
  for (Index row = 0; row < rows; ++row)
    if (!std::isnan(values(row, column))) return true;
  return false;
}

// Reads all rows, or returns false when the file has to be read again because a column turned into a category. It does not stop
// at the first such column: reading as much again finds the others too, and bounds the work for any number of them by a small
// multiple of one reading.
bool read_rows(CsvFile& file, RecordParser& parser, Table& table) {
  const Index first_rows = rows_to_start_with(table.values.cols());
  constexpr Index never = std::numeric_limits<Index>::max();
  Index start_over_at = never;
  Index rows = 0;
  Matrix& values = table.values;
  for (; file.next_record(); ++rows) {
    if (rows >= start_over_at) return false;
    if (rows == values.rows()) {
      values.conservativeResize(std::max(first_rows, 2 * rows), Eigen::NoChange);
      table.lines.reserve(static_cast<std::size_t>(values.rows()));
    }
    parser.parse(values.data() + rows * values.cols(), nullptr);
    table.lines.push_back(file.scanner().line());
    for (const Index column : parser.take_turned())
      if (start_over_at == never && any_number(values, rows, column)) start_over_at = 2 * rows + first_rows;
  }
  values.conservativeResize(rows, Eigen::NoChange);
  return start_over_at == never;
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

}  // namespace

Table read_table(const std::string& path, const CsvOptions& options) {
  CsvFile file(path, options, Rereading::yes);
  std::vector<FieldPlan> plan = first_plan(file, options);
  const auto columns = std::count_if(plan.begin(), plan.end(), [](const FieldPlan& field) { return field.column >= 0; });
  for (;;) {
    Table table;
    table.source = file.name();
    table.delimiter = file.scanner().delimiter();
    table.values.resize(0, columns);
    RecordParser parser(file.scanner(), file.names(), plan);
    if (read_rows(file, parser, table)) {
      if (table.rows() == 0) file.fail_no_rows();
      table.columns = columns_of(file, parser.plan());
      return table;
    }
    for (std::size_t i = 0; i < plan.size(); ++i) plan[i].kind = parser.plan()[i].kind;
    file.rewind();
  }
}

}  // namespace taut
