// What is said about columns that are not plain numbers.
#pragma once

#include <taut/data/column_texts.hpp>

#include <string>

namespace taut {

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

}  // namespace taut
