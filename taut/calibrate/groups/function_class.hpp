// Groups that overlap and functions of columns, as numbers: an indicator for each value of a category or part of a number, and
// numbers that are not cut as they are.
#pragma once

#include <taut/calibrate/groups/group_columns.hpp>

namespace taut {

class FunctionClass {
 public:
  static constexpr Index most_functions = 500;

  FunctionClass() = default;
  // Specifications as in --by, each by itself: no combinations.
  FunctionClass(const std::vector<std::string>& specifications, const std::string& option, const GroupedRows& rows,
                const std::vector<Column>& inputs, const GroupedRows& cut_rows);

  bool empty() const { return columns_.empty(); }
  std::string in_words() const;
  std::vector<Column> further_columns() const;
  std::vector<Column> value_columns() const;  // see GroupColumns
  std::vector<std::string> further_cut_columns() const;
  Index functions() const;

  // The values are those of these rows; too many are an Error.
  void find_values(const GroupedRows& rows);
  // Rows x functions. A missing number is 0 with an indicator of its own.
  Matrix values(const GroupedRows& rows, UnseenGroups* unseen = nullptr) const;

  void save(Archive archive) const;
  static FunctionClass load(const Archive& archive, const std::vector<Column>& known);

 private:
  std::vector<GroupColumns> columns_;
};

}  // namespace taut
