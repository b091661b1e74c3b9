// Texts that differ only in case, and words that may be a value or a missing cell.
#pragma once

#include <taut/data/kinds/column_texts.hpp>

#include <string>

namespace taut {

// The texts of a column in which spellings such as Yes, yes and YES are one text: the most frequent of them.
struct FoldedTexts {
  ColumnTexts texts;
  bool folds_case = false;  // some spellings were joined
  std::string words = {};   // for the user; empty if no texts differ only in case
};

// Joins spellings if all texts that differ only in case have at least two letters and are written in small letters, in capitals
// or with initial capitals. Other differences may carry meaning: m and M, mW and MW are kept apart.
FoldedTexts fold_case(const ColumnTexts& texts);

// "'None' in 42 of 84 cells is a value of this category; --na None makes it missing" for words that mean a missing cell among
// numbers; empty if there are none. `what` is "value of this category" or "class".
std::string describe_doubtful_words(const ColumnTexts& texts, const std::string& what);

// The texts without the words that mean a missing cell among numbers.
ColumnTexts without_doubtful_words(const ColumnTexts& texts);

}  // namespace taut
