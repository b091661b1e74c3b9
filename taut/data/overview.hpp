// A table at a glance: what its columns are taken for, and what stands in them.
#pragma once

#include <taut/data/kinds.hpp>

#include <string>
#include <utility>
#include <vector>

namespace taut {

struct ColumnOverview {
  JudgedColumn judged;
  Index cells = 0;  // that hold a value
  Index missing = 0;
  Index different = 0;
  double lowest = taut::missing, highest = taut::missing;    // of numbers, booleans and dates
  std::vector<Index> histogram = {};                         // of these: cells in ranges of equal width from lowest to highest
  std::vector<std::pair<std::string, Index>> frequent = {};  // of the others: the most frequent values and their cells
  std::vector<std::string> warnings = {};
};

// Of all rows. `target` may be empty; it is judged as a number, and columns that repeat it are warned of.
std::vector<ColumnOverview> overview(const TableView& table, const ColumnDeclarations& declarations, const std::string& target);

}  // namespace taut
