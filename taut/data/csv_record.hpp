// One record of a CSV file as one row of a table: which field goes where, and as what.
#pragma once

#include <taut/data/csv_scanner.hpp>
#include <taut/data/table.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace taut {

// The levels of a category and their codes.
class Levels {
 public:
  Levels() = default;
  explicit Levels(const std::vector<std::string>& texts);

  double find(std::string_view text) const;  // NaN when it is not there
  double find_or_add(std::string_view text);
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
  bool kind_is_known = false;  // a number column may not turn into a category, and a category gets no new levels
  Index column = -1;           // of the table
  Index kept = -1;             // position among the texts passed through
  Levels levels;
};

// 64 kB to begin with: a small file costs little, and a large one soon doubles it to its own size.
inline Index rows_to_start_with(Index columns) { return std::max<Index>(16, (Index{1} << 13) / std::max<Index>(1, columns)); }

class RecordParser {
 public:
  RecordParser(CsvScanner& scanner, const std::vector<std::string>& names, std::vector<FieldPlan> plan);

  // The record that the scanner stands at. `row` has room for all columns, `kept` for all texts passed through.
  void parse(double* row, std::string* kept);

  const std::vector<FieldPlan>& plan() const { return plan_; }
  // Columns that turned from numbers into categories since the last call: what was read of them before is not in levels.
  std::vector<Index> take_turned() { return std::exchange(turned_, {}); }
  // Categories of known columns that are not among theirs, since the last call.
  UnseenCategories take_unseen() { return std::exchange(unseen_, {}); }

 private:
  void parse_field(std::size_t field, double* row, std::string* kept);
  double number(std::size_t field, std::string_view text);
  void find_runs();
  void end_run_at(std::size_t field);
  [[noreturn]] void fail_too_few() const;
  [[noreturn]] void fail_too_many();

  CsvScanner& scanner_;
  const std::vector<std::string>& names_;
  std::vector<FieldPlan> plan_;
  std::vector<Index> runs_;  // how many fields from here on are numbers for neighbouring columns
  std::vector<Index> turned_;
  UnseenCategories unseen_;
};

}  // namespace taut
