// Groups of rows by columns: values of a category, parts of a number, parts of what the model predicts, and combinations of them.
#pragma once

#include <taut/calibrate/calibration.hpp>
#include <taut/data/table_view.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Rows as group columns see them: the table as it was given, the model's inputs, and what the model computes, f and log scales.
struct GroupedRows {
  const TableView& table;
  const TableView& x;
  RowsView rows;
  const Matrix& outputs;  // a row for each of `rows`
};

struct UnseenGroups {
  Index rows = 0;
  std::vector<std::string> names = {};  // the first few

  void add(const std::string& name);
  void append(const UnseenGroups& later);
};

// Columns that the schema lacks come after those that it has. One that it has keeps its place and its codes, and gets the further
// values that groups know of it.
void add_columns(std::vector<Column>& schema, const std::vector<Column>& further);

// Rows of a batch whose value of an input is known to groups, but not to the model, are mismatches of that input.
void count_values_of_groups(const TableView& batch, const std::vector<Column>& inputs, Mismatches& mismatches);
// What does not fit the inputs, of all that a reader found: an unknown value in a column that only tells groups is a group
// without calibration rows, which is said by itself.
Mismatches mismatches_of_inputs(Mismatches read, const Mismatches& known_to_groups);

// Throws UsageError where one of them names the target, "y" or "y:5": what an option looks up must be known before the target is.
void refuse_target(const std::vector<std::string>& specifications, const std::string& option, const std::string& target);

class GroupColumns {
 public:
  static constexpr Index many = 1000;                         // groups; more of them are hardly what was meant
  static constexpr std::string_view other = "another value";  // of a category, where its text is not known

  GroupColumns() = default;
  // "region", "age:5" (parts of equal size), "age:18/40/65" (cut points of one's own), "prediction:5", "scale:5". `cut_rows` are
  // the rows whose quantiles cut numbers; for a column that they lack, `rows` are. Unknown names are Errors; `option` is the one
  // that is to blame.
  GroupColumns(const std::vector<std::string>& specifications, const std::string& option, const GroupedRows& rows,
               const std::vector<Column>& inputs, const GroupedRows& cut_rows);

  bool empty() const { return parts_.empty(); }
  // One column of numbers that are not cut, and these.
  bool is_number() const;
  std::vector<double> numbers(const GroupedRows& rows) const { return cells_of(parts_.front(), rows); }
  std::vector<std::string> specifications() const;
  std::string in_words() const;  // "region, age:5"
  // Columns that tables must have besides the inputs.
  std::vector<Column> further_columns() const;
  // Inputs whose values tell groups apart: with those that only the calibration rows had after those that training knew.
  std::vector<Column> value_columns() const;
  // Of those, the ones that are cut at quantiles.
  std::vector<std::string> further_cut_columns() const;

  // The groups are those of these rows, in the order of their values. A value whose text is not known, because the table was read
  // against the columns of a model, may be one of several: such rows are refused, or are one group where nothing rests on it.
  enum class Unknown : std::uint8_t { refuse, one_group };
  void find_groups(const GroupedRows& rows, Unknown unknown = Unknown::refuse);
  bool has_unknown(const GroupedRows& rows) const { return !unknown_place(rows).empty(); }
  Index groups() const { return std::ssize(names_); }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<Index> groups_of(const GroupedRows& rows, UnseenGroups* unseen = nullptr) const;

  void save(Archive archive) const;
  static GroupColumns load(const Archive& archive, const std::vector<Column>& inputs);

 private:
  // An input that is a category is a `value`: groups are values of the table, not codes of the model, which knows only those that
  // training had.
  enum class From : std::uint8_t { input, column, prediction, scale, value };
  struct Part {
    std::string specification;
    From from = From::column;
    Column column = {};
    bool is_cut = false, by_quantiles = false;
    std::vector<double> cuts = {};  // the first part reaches up to the first of them, itself included
    std::size_t trained = 0;        // of a value: how many of the column's categories training had; they come first
  };
  using Key = std::vector<std::int64_t>;

  std::vector<Key> keys_of(const GroupedRows& rows) const;
  static std::vector<double> cells_of(const Part& part, const GroupedRows& rows);
  static std::int64_t level_of(const Part& part, double cell);
  static std::string level_name(const Part& part, std::int64_t level);
  std::string name_of(const Key& key) const;
  std::string name_of_unseen(const Key& key, const GroupedRows& rows, std::size_t i) const;
  void number_groups(const std::vector<Key>& keys);
  static void read_values(Part& part, const GroupedRows& rows);
  // "FILE: line 7, column 'region'": the first value whose text is not known, or nothing.
  std::string unknown_place(const GroupedRows& rows) const;
  static Part part_of(const std::string& specification, const std::string& option, const GroupedRows& rows,
                      const std::vector<Column>& inputs, const GroupedRows& cut_rows);

  std::vector<Part> parts_;
  std::map<Key, Index> group_of_;
  std::vector<std::string> names_;
};

}  // namespace taut
