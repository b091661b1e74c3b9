// Parses the records of a CSV file into rows of a table, many blocks at a time on several threads.
#pragma once

#include <taut/data/csv/file.hpp>
#include <taut/data/csv/scanner.hpp>
#include <taut/data/kinds/categories.hpp>
#include <taut/data/kinds/number_codes.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// How one field of every record is parsed, and where the result goes.
struct FieldPlan {
  enum class Kind { skip, number, category };
  Kind kind = Kind::skip;
  bool kind_is_known = false;  // numbers cannot become categories, and no categories are added
  bool is_strict = false;      // of numbers of a known kind: a text is an Error instead of a missing cell
  Column known = {};           // of a known kind: the kind and format of its texts
  bool is_declared = false;    // the user declared the field categorical
  Index column = -1;           // position in the table; −1: not in the table
  Index kept = -1;             // position among the kept texts; −1: not kept
  Categories categories = {};
  NumberCodes numbers = {};                  // of a known kind: the categories that are numbers
  Categories folded = {};                    // of a known column that folds case: its categories in lower case
  std::vector<double> codes_of_folded = {};  // and the code of each

  // The words for missing cells. Before the kind is known, a word that is missing only among numbers is kept as a text.
  MissingSet missing_set() const { return kind_is_known ? known.missing_set() : MissingSet::everywhere; }
  bool reads_plain_numbers() const {
    return kind == Kind::number && known.kind == ColumnKind::number && known.format == TextFormat{};
  }
};

class CsvFile;
struct CsvOptions;
// The options, extended by the missing words of a schema.
CsvOptions options_for(const std::vector<Column>& schema, CsvOptions options);
// The plan for the columns of a schema and for the texts of the columns `keep`. A column named in `optional` may be absent.
std::vector<FieldPlan> plan_for(const CsvFile& file, const std::vector<Column>& schema, const std::vector<std::string>& keep,
                                const std::vector<std::string>& optional = {});

// Rows to allocate first, about 64 kB. A small file then costs little, and doubling soon reaches the size of a large one.
inline Index initial_rows(Index columns) { return std::max<Index>(16, (Index{1} << 13) / std::max<Index>(1, columns)); }

// Parses blocks of a file. It does not change the plan, so that several parsers may share it.
class RecordParser {
 public:
  RecordParser(const CsvFormat& format, const std::vector<FieldPlan>& plan, Mismatches mismatches = {});

  void start(TextBlock& block) { scanner_.start(block); }
  bool next_record() { return scanner_.next_record(); }
  // Parses the current record. `row` has space for all columns of the table, `kept` for all kept texts.
  void parse(double* row, std::string* kept);
  std::int64_t line() const { return scanner_.line(); }

  // The texts of a field that the plan's categories lack. Their codes continue those of the plan.
  const Categories& added(std::size_t field) const { return added_[field]; }
  // Fields planned as numbers in which texts were found. They must be parsed again, as categories.
  const std::vector<std::size_t>& text_fields() const { return text_fields_; }
  // The mismatches of columns of known kinds, by their position in the table.
  const Mismatches& mismatches() const { return mismatches_; }

 private:
  void parse_field(std::size_t field, double* row, std::string* kept);
  double number(std::size_t field, std::string_view text);
  double category(std::size_t field, std::string_view text);
  void find_runs();
  void mark_as_text(std::size_t field);
  void fill_optional(std::size_t field, double* row, std::string* kept) const;
  [[noreturn]] void fail_no_number(std::size_t field, std::string_view text) const;
  [[noreturn]] void fail_too_few() const;
  [[noreturn]] void fail_too_many();

  const CsvFormat& format_;
  CsvScanner scanner_;
  const std::vector<FieldPlan>& plan_;
  std::vector<Index> runs_;  // for each field, the number of fields from it on that are numbers of consecutive columns
  std::vector<Categories> added_;
  std::vector<std::size_t> text_fields_;
  Mismatches mismatches_;
};

// Reads the rows of a CSV file into a table, many blocks at a time on several threads.
//
// A group of blocks is parsed while the next group is read from the file and decompressed. Counting line ends gives every block
// its first row. Every block has its own list of new categories. The results of a group are merged in the order of the blocks, so
// that the table, or the error, is the same for any number of threads and any block size.
class CsvRows {
 public:
  // Adds the categories that are found to `plan`, and changes a field of numbers to a category if it holds texts. The table's
  // columns are those of the plan. Mismatches are counted in table.mismatches, which has an entry for each column of known kind.
  CsvRows(CsvFile& file, std::vector<FieldPlan>& plan, Table& table, int threads);

  // Adds further rows to the table; false if there are none. Until finish() the table may be larger than rows().
  bool next_group();
  Index rows() const { return rows_; }
  // Gives the table its final size.
  void finish();

  // Fields that became categories after numbers had been read from them. Their texts in the first `lost_rows` rows are lost.
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
    std::vector<Piece> pieces;  // pieces beyond `count` are kept to reuse their memory
    std::size_t count = 0;
  };

  void read(Group& group);
  void place_rows();
  void parse(Piece& piece);
  void parse_all(bool reads_ahead);
  bool make_categories();
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
