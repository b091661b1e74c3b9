// How a CSV file is written, found out from its first records.
#pragma once

#include <string>
#include <string_view>

namespace taut {

struct CsvDialect {
  char delimiter = ',';
  std::size_t skipped_bytes = 0;  // a byte-order mark, and the line "sep=;" that Excel understands
  int skipped_lines = 0;
  bool has_trailing_delimiters = false;  // records end with one, the header does not
};

// The first bytes of a file; `is_all`: there are no more. A delimiter that is given (not 0) is taken.
//
// The delimiter is that of , ; tab | with which the header and the records after it have the same number of fields, the largest
// if there are several. A first line of one field before records of several is refused: it is a title or a comment.
CsvDialect find_dialect(std::string_view sample, bool is_all, char delimiter, const std::string& source);

}  // namespace taut
