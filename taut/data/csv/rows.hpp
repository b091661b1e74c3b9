// The records of a CSV file as rows of a table, many blocks at a time on several threads.
#pragma once

#include <taut/data/csv/file.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/kinds/categories.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The records of a CSV file as rows of a table: which field goes where, and as what.

// What becomes of one field of every record.
struct FieldPlan {
  enum class Kind { skip, number, category };
  Kind kind = Kind::skip;
  bool kind_is_known = false;  // numbers may not turn into categories, and there are no new categories
  bool is_strict = false;      // of numbers of a known kind: a text is an Error, else a missing cell
  Column known = {};           // of a known kind: how its texts are read
  bool is_declared = false;    // the user declared these to be categories
  Index column = -1;           // of the table
  Index kept = -1;             // position among the texts passed through
  Categories categories = {};

  bool reads_plain_numbers() const {
    return kind == Kind::number && known.kind == ColumnKind::number && known.format == TextFormat{};
  }
};

// The columns of a schema, and texts to be kept.
class CsvFile;
struct CsvOptions;
// The options with the missing words of a schema.
CsvOptions options_for(const std::vector<Column>& schema, CsvOptions options);
// A column of the schema that is `optional` may be absent.
std::vector<FieldPlan> plan_for(const CsvFile& file, const std::vector<Column>& schema, const std::vector<std::string>& keep,
                                const std::vector<std::string>& optional = {});

// 64 kB to begin with: a small file costs little, and doubling soon reaches the size of a large one.
inline Index rows_to_start_with(Index columns) { return std::max<Index>(16, (Index{1} << 13) / std::max<Index>(1, columns)); }

// Parses blocks of a file. The plan is only read, so that several parsers may share it.
class RecordParser {
 public:
  RecordParser(const CsvFormat& format, const std::vector<FieldPlan>& plan, Mismatches mismatches = {});

  void start(TextBlock& block) { scanner_.start(block); }
  bool next_record() { return scanner_.next_record(); }
  // The record that the parser stands at. `row` has room for all columns, `kept` for all texts passed through.
  void parse(double* row, std::string* kept);
  std::int64_t line() const { return scanner_.line(); }

  // Texts of a field that the plan's categories lack. Their codes go on from those of the plan.
  const Categories& added(std::size_t field) const { return added_[field]; }
  // Fields that the plan has as numbers, in which there are texts: they have to be parsed again, as categories.
  const std::vector<std::size_t>& turned() const { return turned_; }
  // Of the columns of known kinds, by their position in the table.
  const Mismatches& mismatches() const { return mismatches_; }

 private:
  void parse_field(std::size_t field, double* row, std::string* kept);
  double number(std::size_t field, std::string_view text);
  double category(std::size_t field, std::string_view text);
  void find_runs();
  void turn(std::size_t field);
  void fill_optional(std::size_t field, double* row, std::string* kept) const;
  [[noreturn]] void fail_no_number(std::size_t field, std::string_view text) const;
  [[noreturn]] void fail_too_few() const;
  [[noreturn]] void fail_too_many();

  const CsvFormat& format_;
  CsvScanner scanner_;
  const std::vector<FieldPlan>& plan_;
  std::vector<Index> runs_;  // how many fields from here on are numbers for neighbouring columns
  std::vector<Categories> added_;
  std::vector<std::size_t> turned_;
  Mismatches mismatches_;
};

// The rows of a CSV file into a table, many blocks at a time on several threads.
//
// A group of blocks is parsed while the next is read from the file (and unpacked). Every block has its own place among the rows,
// found by counting line ends, and its own list of new categories. What the blocks of a group found is put together in their
// order. So the table, and the error if there is one, are the same for any number of threads and any size of blocks.

class CsvRows {
 public:
  // `plan` gains the categories that are found, and its numbers become categories where there are texts. The table's columns
  // are those of the plan; mismatches are counted in table.mismatches, which has an entry for each column of known kind.
  CsvRows(CsvFile& file, std::vector<FieldPlan>& plan, Table& table, int threads);

  // Adds further rows to the table; false when there are none. Until the end the table has room for more than rows().
  bool next_group();
  Index rows() const { return rows_; }
  // Gives the table its final size.
  void finish();

  // Fields that became categories after numbers had been read from them: in the rows before `lost_rows` their texts are lost.
  const std::vector<std::size_t>& lost_fields() const { return lost_fields_; }
  Index lost_rows() const { return lost_rows_; }

 private:
  struct Piece {
    TextBlock block;
    std::optional<RecordParser> parser;
    Index first_row = 0;
    Index rows = 0;
    std::exception_ptr failure;
  };
  struct Group {
    std::vector<Piece> pieces;  // more than `count` are kept for their memory
    std::size_t count = 0;
  };

  void read(Group& group);
  void place_rows();
  void parse(Piece& piece);
  void parse_all(bool reads_ahead);
  bool turn_fields();
  void rethrow_first_failure() const;
  void close_gaps();
  void merge_categories(std::size_t field);
  void merge_mismatches();

  CsvFile& file_;
  std::vector<FieldPlan>& plan_;
  Table& table_;
  const Mismatches no_mismatches_;
  const int threads_;
  Group group_, ahead_;
  bool at_end_ = false;
  Index rows_ = 0;
  std::vector<std::size_t> lost_fields_;
  Index lost_rows_ = 0;
};

}  // namespace taut
