// Cells of new rows that did not fit the columns of a model: how many in each column, and what the first of them said.
//
//   rows.matched(schema).mismatches()                         // of these rows, including those that the reader found
//   CsvReader reader(path, schema); ...; reader.mismatches()  // of all rows read so far
//
// There is one entry for each column of the schema, in its order. A missing cell is no mismatch.
#pragma once

#include <taut/core/types.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct Column;

struct ColumnMismatches {
  static constexpr std::size_t most_texts = 20;  // a file may have a new one in every row

  std::string column;
  // True: values that training did not have, which became the column's "other" code. False: texts among numbers, which became
  // missing cells.
  bool is_categorical = false;
  Index cells = 0;
  std::vector<std::string> texts = {};  // the first few different ones, in the order in which they were found

  // An empty text only counts: the table came with the cell already turned into "other".
  void add(std::string_view text, Index count = 1);
  void merge(const ColumnMismatches& later);  // of further rows of the same column
};

using Mismatches = std::vector<ColumnMismatches>;

// One entry without cells for each column.
Mismatches no_mismatches(const std::vector<Column>& schema);

}  // namespace taut
