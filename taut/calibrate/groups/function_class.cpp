#include <taut/calibrate/groups/function_class.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// A number that is not cut has two functions: its value, and an indicator of missing cells.
constexpr Index functions_of_number = 2;

Index functions_of(const GroupColumns& column) { return column.is_number() ? functions_of_number : column.groups(); }

}  // namespace

FunctionClass::FunctionClass(const std::vector<std::string>& specifications, const std::string& option, const GroupedRows& rows,
                             const std::vector<Column>& inputs, const GroupedRows& cut_rows) {
  for (std::size_t i = 0; i < specifications.size(); ++i) {
    if (std::find(specifications.begin(), specifications.begin() + static_cast<std::ptrdiff_t>(i), specifications[i]) !=
        specifications.begin() + static_cast<std::ptrdiff_t>(i))
      throw UsageError(format_text("{} names '{}' twice; name it once", option, specifications[i]));
    columns_.emplace_back(std::vector{specifications[i]}, option, rows, inputs, cut_rows);
  }
}

std::string FunctionClass::describe() const {
  std::vector<std::string> words;
  for (const GroupColumns& column : columns_) words.push_back(column.describe());
  return join(words, ", ");
}

std::vector<Column> FunctionClass::further_columns() const {
  std::vector<Column> result;
  for (const GroupColumns& column : columns_)
    for (const Column& further : column.further_columns())
      if (!find_column(result, further.name)) result.push_back(further);
  return result;
}

std::vector<Column> FunctionClass::value_columns() const {
  std::vector<Column> result;
  for (const GroupColumns& column : columns_) add_columns(result, column.value_columns());
  return result;
}

std::vector<std::string> FunctionClass::further_cut_columns() const {
  std::vector<std::string> result;
  for (const GroupColumns& column : columns_)
    for (const auto& name : column.further_cut_columns()) result.push_back(name);
  return result;
}

Index FunctionClass::functions() const {
  Index count = 0;
  for (const GroupColumns& column : columns_) count += functions_of(column);
  return count;
}

void FunctionClass::find_values(const GroupedRows& rows) {
  for (GroupColumns& column : columns_)
    if (!column.is_number()) column.find_groups(rows);
  if (functions() > max_functions)
    throw Error(
        format_text("--overlapping {}: there are {} groups and functions, and the guarantee can hold for at most {} at once; "
                    "use coarser columns, or --by for one of them",
                    describe(), print_count(functions()), print_count(max_functions)));
}

Matrix FunctionClass::values(const GroupedRows& rows, UnseenGroups* unseen) const {
  Matrix result = Matrix::Zero(std::ssize(rows.rows), functions());
  Index first = 0;
  for (const GroupColumns& column : columns_) {
    if (column.is_number()) {
      const auto numbers = column.numbers(rows);
      for (Index i = 0; i < result.rows(); ++i) {
        const double number = numbers[static_cast<std::size_t>(i)];
        result(i, first) = std::isfinite(number) ? number : 0;
        result(i, first + 1) = std::isfinite(number) ? 0 : 1;
      }
    } else {
      const auto groups = column.groups_of(rows, unseen);
      for (Index i = 0; i < result.rows(); ++i)
        if (const Index group = groups[static_cast<std::size_t>(i)]; group != RowFacts::no_group) result(i, first + group) = 1;
    }
    first += functions_of(column);
  }
  return result;
}

void FunctionClass::save(Archive archive) const {
  archive.put("count", static_cast<std::int64_t>(columns_.size()));
  for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].save(archive.scope("column" + std::to_string(i)));
}

FunctionClass FunctionClass::load(const Archive& archive, const std::vector<Column>& known) {
  FunctionClass result;
  const auto count = archive.integer_in("count", 1, max_functions);
  for (std::int64_t i = 0; i < count; ++i)
    result.columns_.push_back(GroupColumns::load(archive.scope("column" + std::to_string(i)), known));
  return result;
}

}  // namespace taut
