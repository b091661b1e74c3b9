// The kinds of a table's columns: declared by the user, or inferred from the cells.
#pragma once

#include <taut/data/column.hpp>
#include <taut/data/table_view.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// A declaration of one column by the user: its name and, after a colon, the argument of --date or --ordered.
struct Declared {
  std::string name;
  std::string rest;  // what follows the colon
};

// A column name may contain colons: the text is split at the last colon unless all of it is the name of a column.
Declared parse_declaration(const std::string& text, const TableView& table);

// The order that --date declares (dmy, mdy or ymd), or nothing if it declares none.
std::optional<DateOrder> parse_order(const Declared& declared);

// The values that --ordered declares, in their order. A UsageError if there are fewer than two, or if one is repeated or missing.
std::vector<std::string> parse_categories(const Declared& declared, const MissingWords& is_missing);

// All declarations of the user. A name that the table does not have is an Error.
struct ColumnDeclarations {
  std::vector<std::string> categorical = {};
  std::vector<std::string> numeric = {};
  std::vector<std::string> date = {};     // "when", or "when:dmy", "when:mdy", "when:ymd" if the order is ambiguous
  std::vector<std::string> ordered = {};  // "size:S<M<L"
  char decimal = 0;                       // '.' or ','; 0: inferred
};

// A column, its inferred or declared kind, and whether it is used.
struct InferredColumn {
  enum class Use {
    input,
    left_out,  // an id, free text, a constant
    unclear    // the user must declare its kind
  };
  Column column;
  Use use = Use::input;
  std::string taken_for;   // "number", "category", "id", ...
  std::string words = {};  // a description for the user; empty for plain numbers
  bool is_declared = false;
};

// Infers the kinds of the columns of `table` from `rows` alone. Other rows have no influence: coverage is only guaranteed if
// calibration rows are treated exactly like new rows. The rules:
// - A column of text is numeric if at least 95 % of its cells are numbers in one format (see text_format.hpp). It is a date or a
//   boolean if at least 95 % are dates, or words of one pair such as yes and no. The other cells are missing.
//   Minutes and seconds (3:59.4) are numbers of seconds.
// - Ranges and open ends (0-4, 5-9, 10+) are an ordered category. Whole numbers that are all days (19750103) are dates.
// - A column with fewer, but at least half of its cells numbers or dates, is unclear. If it has few different numbers, it is a
//   category instead, like any other column of text.
// - A category keeps the values that occur. The most frequent value comes first; ties are in order of appearance. Texts that
//   differ only in case are one value, see fold_case.
// - Left out are columns of one value, texts that are nearly all different (ids, free text), whole numbers that are nearly all
//   different in a column named like an id, and row numbers in a column without a name or named like a record (obs, case_no).
std::vector<InferredColumn> infer_columns(const TableView& table, RowsView rows, const ColumnDeclarations& declarations = {});

// The columns alone, including those that are left out.
std::vector<Column> columns_of(const std::vector<InferredColumn>& judged);

// A column that must hold numbers (the target, given predictions), with the number format that its texts have in `rows`.
Column number_column(const TableView& table, const std::string& name, RowsView rows, char decimal = 0);

// A column that holds class labels, with the labels of `rows`, the most frequent first. Its words are empty if nothing is
// doubtful.
InferredColumn label_column(const TableView& table, const std::string& name, RowsView rows);

// A column of a table that is no input, such as one of groups: its texts without the blanks around them. It holds numbers if its
// texts are numbers and words, such as None, that mean a missing cell among numbers.
Column column_of_values(const Column& found);

// The column name in a declaration: "when" for "when:dmy".
std::string declared_name(const std::string& declaration, const TableView& table);

// True if `cell` is valid in this categorical column: the code of a category, the code "other", or NaN.
bool is_code(const Column& column, double cell);

// "number", "date", "category", ...
std::string_view name_of(ColumnKind kind);
// "input", "left out", "unclear".
std::string_view name_of(InferredColumn::Use use);

}  // namespace taut
