// Overlapping groups and functions of columns, as a matrix: an indicator for each category or part of a number, and the values of
// numbers that are not cut.
#pragma once

#include <taut/calibrate/groups/group_columns.hpp>

namespace taut {

class FunctionClass {
 public:
  static constexpr Index max_functions = 500;

  FunctionClass() = default;
  // Specifications as in --by. Each is used separately, without combinations.
  FunctionClass(const std::vector<std::string>& specifications, const std::string& option, const GroupedRows& rows,
                const std::vector<Column>& inputs, const GroupedRows& cut_rows);

  bool empty() const { return columns_.empty(); }
  std::string describe() const;
  std::vector<Column> further_columns() const;
  std::vector<Column> value_columns() const;  // see GroupColumns
  std::vector<std::string> further_cut_columns() const;
  Index functions() const;

  // Finds the groups in these rows. More than max_functions functions are an Error.
  void find_values(const GroupedRows& rows);
  // Rows x functions. A missing number is 0 with a separate indicator.
  Matrix values(const GroupedRows& rows, UnseenGroups* unseen = nullptr) const;

  void save(Archive archive) const;
  static FunctionClass load(const Archive& archive, const std::vector<Column>& known);

 private:
  std::vector<GroupColumns> columns_;
};

}  // namespace taut
