// One record of a CSV file as one row of a table: which field goes where, and as what.
#pragma once

#include <taut/data/csv_scanner.hpp>
#include <taut/data/mismatches.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace taut {

// The categories of a column and their codes.
class Categories {
 public:
  Categories() = default;
  explicit Categories(const std::vector<std::string>& texts);

  double find(std::string_view text) const;  // other_code() when it is not there
  double find_or_add(std::string_view text);
  double other_code() const { return static_cast<double>(codes_.size()); }
  std::vector<std::string> in_order() const;

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
  };
  std::unordered_map<std::string, double, Hash, std::equal_to<>> codes_;
};

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
  Categories categories;

  bool reads_plain_numbers() const {
    return kind == Kind::number && known.kind == ColumnKind::number && known.format == TextFormat{};
  }
};

// 64 kB to begin with: a small file costs little, and doubling soon reaches the size of a large one.
inline Index rows_to_start_with(Index columns) { return std::max<Index>(16, (Index{1} << 13) / std::max<Index>(1, columns)); }

class RecordParser {
 public:
  RecordParser(CsvScanner& scanner, const std::vector<std::string>& names, std::vector<FieldPlan> plan,
               Mismatches mismatches = {});

  // The record that the scanner stands at. `row` has room for all columns, `kept` for all texts passed through.
  void parse(double* row, std::string* kept);

  const std::vector<FieldPlan>& plan() const { return plan_; }
  // Of the columns of known kinds, by their position in the table.
  const Mismatches& mismatches() const { return mismatches_; }
  // Columns that turned from numbers into categories since the last call: their earlier cells have no category.
  std::vector<Index> take_turned() { return std::exchange(turned_, {}); }

 private:
  void parse_field(std::size_t field, double* row, std::string* kept);
  double number(std::size_t field, std::string_view text);
  double category(FieldPlan& plan, std::string_view text);
  void find_runs();
  void end_run_at(std::size_t field);
  [[noreturn]] void fail_too_few() const;
  [[noreturn]] void fail_too_many();

  CsvScanner& scanner_;
  const std::vector<std::string>& names_;
  std::vector<FieldPlan> plan_;
  std::vector<Index> runs_;  // how many fields from here on are numbers for neighbouring columns
  std::vector<Index> turned_;
  Mismatches mismatches_;
};

}  // namespace taut
