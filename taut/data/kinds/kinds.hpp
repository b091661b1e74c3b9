// What the columns of a table are, and what the user says about them.
#pragma once

#include <taut/data/column.hpp>
#include <taut/data/table_view.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// One thing that the user says about a column: a name, and behind a colon what --date and --ordered need.

struct Declared {
  std::string name;
  std::string rest;  // what follows the colon
};

// A name may hold colons itself: the part before the last one counts only if the whole is no column.
Declared parse_declaration(const std::string& text, const TableView& table);

// Of --date: dmy, mdy or ymd; nothing where no order is told.
std::optional<DateOrder> parse_order(const Declared& declared);

// Of --ordered: the values in their order.
std::vector<std::string> parse_categories(const Declared& declared, const MissingWords& is_missing);

// What the columns of a table are: numbers, dates, categories, and which of them are of no use.

// What the user says about columns. Names that the table does not have are Errors.
struct ColumnDeclarations {
  std::vector<std::string> categorical = {};
  std::vector<std::string> numeric = {};
  std::vector<std::string> date = {};     // "when", or "when:dmy", "when:mdy", "when:ymd" where the order must be told
  std::vector<std::string> ordered = {};  // "size:S<M<L"
  char decimal = 0;                       // '.' or ','; 0: found out
};

// A column and what it was taken for.
struct JudgedColumn {
  enum class Use {
    input,
    left_out,  // an id, a text, a constant
    unclear    // the user must say what it is
  };
  Column column;
  Use use = Use::input;
  std::string taken_for;   // "number", "category", "id", ...
  std::string words = {};  // a line for the user; empty for plain numbers: there is nothing to say
  bool is_declared = false;
};

// The columns of `table` judged by `rows` alone: what other rows hold changes nothing. Validity needs that, since calibration
// rows must be treated exactly like new rows. The rules:
// - A column of text is numeric if at least 95 % of its cells are numbers in one format (see text_format.hpp), a date if as many
// are
//   dates, boolean if as many are of one pair of words. The other cells are missing.
// - If less than that, but at least half are numbers or dates, it is unclear; unless there are few different numbers among them:
// then
//   it is a category, like any other column of text.
// - Of a category the values that occur are kept, the most frequent first, among equals the one that appears first.
// - Left out are: columns of one value; texts that are nearly all different (ids, free text); whole numbers that are nearly all
//   different and are called an id, or have no name and count the rows.
std::vector<JudgedColumn> judge_columns(const TableView& table, RowsView rows, const ColumnDeclarations& declarations = {});

// The columns alone, those that are left out included.
std::vector<Column> columns_of(const std::vector<JudgedColumn>& judged);

// One column of numbers that must be one (the target, given predictions), with the format that its texts have in `rows`.
Column number_column(const TableView& table, const std::string& name, RowsView rows, char decimal = 0);

// The name in a declaration, without what follows the colon: "when" of "when:dmy".
std::string declared_name(const std::string& declaration, const TableView& table);

// Can a cell of this categorical column be this: a code, the one for any other value, or NaN?
bool is_code(const Column& column, double cell);

// "number", "date", "category", ...
std::string_view name_of(ColumnKind kind);
// "input", "left out", "unclear".
std::string_view name_of(JudgedColumn::Use use);

}  // namespace taut
