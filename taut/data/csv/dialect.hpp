// How a CSV file is written, inferred from its first records: delimiter, comments, header.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

struct CsvDialect {
  char delimiter = ',';
  std::size_t skipped_bytes = 0;  // a byte-order mark, comments before the header, and the line "sep=;" that Excel understands
  int skipped_lines = 0;
  bool has_trailing_delimiters = false;  // records end with a delimiter, the header does not
  bool has_comments = false;             // lines that begin with # are comments
  bool header_begins_with_mark = false;  // a # before the names, which is skipped
  bool has_blanks = false;               // runs of blanks separate the fields; `delimiter` is the one that LineFilter writes
  bool has_row_names = false;            // records have one field more than the header: R writes row names without a header
  // The fields of a first line that looks like data; empty if it looks like a header.
  std::vector<std::string> fields_like_data = {};
};

// What the user says about a file. The rest is inferred.
struct ToldDialect {
  char delimiter = 0;  // 0: inferred
  bool has_blanks = false;
  bool has_header = true;
};

// Infers the dialect from the first bytes of a file; `is_all`: the file has no more.
//
// The delimiter is one of , ; tab |. It is the one for which the largest share of records has as many fields as the header; ties
// go to the larger number of fields. If none fits, and runs of blanks separate every line into the same number of fields, of
// which at least one is a number, the delimiter is blanks. A first line of one field before records of several is an Error: a
// title.
//
// If the file begins with lines that start with #, these are comments, and so are later ones. The last of them is the header if
// it has as many fields as the records, and the line after it looks like a record.
CsvDialect find_dialect(std::string_view sample, bool is_all, const ToldDialect& told, const std::string& source);

}  // namespace taut
