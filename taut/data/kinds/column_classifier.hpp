// Infers the kind of one column, or checks a declared one. Only kinds.cpp and its own source files include this.
#pragma once

#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Each object is used once: its result is moved out.
class ColumnClassifier {
 public:
  ColumnClassifier(const TableView& table, Index column, RowsView rows, const DecimalHint& decimal);

  InferredColumn by_rules();
  InferredColumn as_declared_category();
  InferredColumn as_declared_number();
  InferredColumn as_declared_date(std::optional<DateOrder> order);
  InferredColumn as_declared_order(std::vector<std::string> categories);
  // For a target that holds class labels. The words say which spellings are joined, and which words may mean a missing cell.
  InferredColumn as_label();
  // For a column that must hold numbers.
  Column required_number();

 private:
  ColumnTexts texts() const { return column_texts(table_, column_, rows_); }
  InferredColumn by_texts();
  TextFormat format_of(const ColumnTexts& texts) const;
  Column date_column() const;
  InferredColumn read_as_values(const ColumnTexts& texts);
  std::vector<double> values_of_texts() const;
  std::vector<double> cells() const;
  bool counts_rows(const NumberFacts& facts) const;
  InferredColumn as_numbers();
  bool are_dates_in_digits() const;
  InferredColumn as_dates_in_digits();
  bool may_have_thousands(const NumberFacts& facts) const;
  InferredColumn points_or_thousands();
  InferredColumn as_categories(const ColumnTexts& given);
  InferredColumn as_ranges(std::vector<std::string> ordered, const ColumnTexts& texts);
  bool find_category(std::string_view text) const;
  void keep_categories(const ColumnTexts& texts);
  InferredColumn ambiguous_date(const ColumnTexts& texts);
  InferredColumn left_out(std::string what, const std::string& why);
  InferredColumn unclear(std::string words);
  InferredColumn finished(std::string_view taken_for);
  std::string place(Index row) const { return table_.where(row, column_); }

  const TableView& table_;
  Index column_;
  RowsView rows_;
  DecimalHint decimal_;
  const Column& from_;
  std::vector<double> values_;  // of the rows; empty for a category
  std::string remark_;          // on the values, added to their description
  InferredColumn result_;
};

}  // namespace taut
