// Descriptions of columns for the user, one by one and for a whole table.
#pragma once

#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

// "date, 2014-05-02 to 2015-05-27"; empty for plain numbers.
std::string describe_values(const Column& column, const NumberFacts& facts);
// "category with 5 values: Ideal, Premium, ..."
std::string describe_categories(const Column& column, const ColumnTexts& texts);
// "'abc' in 1 of 20,000 cells (line 713) counts as missing"; empty if the column reads every text.
std::string describe_unreadable(const TableView& table, const ColumnTexts& texts, const Column& column);
// For an unclear column: "a number in 71 % of its cells, ...", and how to declare its kind. `kind` ("number", "date") is the one
// that reads the most cells, `share` the share of cells that it reads; `reads` tells which, so that a cell that it does not read
// is shown.
std::string describe_mixed(const TableView& table, Index column, const ColumnTexts& texts, std::string_view kind, double share,
                           const std::function<bool(std::string_view)>& reads);
// True if most texts look like sentences rather than codes: they are long or contain blanks.
bool is_prose(const ColumnTexts& texts);

// A summary of one column: its kind, its values and warnings.
struct ColumnOverview {
  InferredColumn judged;
  Index cells = 0;  // number of cells that hold a value
  Index missing = 0;
  Index different = 0;
  double lowest = taut::missing, highest = taut::missing;    // of numbers, booleans and dates
  std::vector<Index> histogram = {};                         // of these: counts in bins of equal width from lowest to highest
  std::vector<std::pair<std::string, Index>> frequent = {};  // of categories: the most frequent values and their counts
  std::vector<std::string> warnings = {};
};

// Summarises every column over all rows. A target is read as a number or, if no cell holds one, as a class label. A column that
// repeats the numbers of a target gets a warning.
std::vector<ColumnOverview> overview(const TableView& table, const ColumnDeclarations& declarations,
                                     const std::vector<std::string>& targets);

}  // namespace taut
