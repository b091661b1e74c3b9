// How a new file is read where it is written differently from the file of the fit: --decimal, --na.
#pragma once

#include <taut/data/column.hpp>

#include <string>
#include <vector>

namespace taut {

// The column with this decimal point, if it holds numbers. The other of , and . then separates thousands, unless the column has
// another separator.
Column with_decimal(Column column, char decimal);

struct Reading {
  std::string decimal;               // "." or ","; empty: as in the fit
  std::vector<std::string> na = {};  // further words that mean a missing cell

  bool is_given() const { return !decimal.empty() || !na.empty(); }
  // Throws UsageError for another decimal point.
  void check() const;
  std::vector<Column> applied_to(std::vector<Column> schema) const;
  // Sentences on words for missing cells that stay categories, because the model has learnt them as such.
  std::vector<std::string> remarks(const std::vector<Column>& schema) const;
};

}  // namespace taut
