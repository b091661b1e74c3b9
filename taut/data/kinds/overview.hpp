// What is said about columns, one by one and for a whole table.
#pragma once

#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/kinds.hpp>

#include <string>
#include <utility>
#include <vector>

namespace taut {

// What is said about columns that are not plain numbers.

// "date, 2014-05-02 to 2015-05-27"; empty for plain numbers.
std::string value_words(const Column& column, const NumberFacts& facts);
// "category with 5 values: Ideal, Premium, ..."
std::string category_words(const Column& column, const ColumnTexts& texts);
// "'abc' in 1 of 20,000 cells (line 713) counts as missing"; empty where the column reads every text.
std::string odd_words(const TableView& table, const ColumnTexts& texts, const Column& column);
// Of a column that is neither: "a number in 71 % of its cells, ..."; how to say what it is.
std::string mixed_words(const TableView& table, Index column, const ColumnTexts& texts, const Column& nearest, double share);
// Sentences rather than codes: long, with blanks.
bool is_prose(const ColumnTexts& texts);

// A table at a glance: what its columns are taken for, and what stands in them.

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
