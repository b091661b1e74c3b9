// The records of a CSV file as rows of a table: which field goes where, and as what.
#pragma once

#include <taut/data/categories.hpp>
#include <taut/data/csv_scanner.hpp>
#include <taut/data/mismatches.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

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

}  // namespace taut
