// Groups of rows by columns: values of a category, parts of a number, parts of what the model predicts, and combinations of them.
#pragma once

#include <taut/calibrate/calibration.hpp>
#include <taut/data/table_view.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The data that define groups: the table as given, the model's inputs, and the model's outputs f and log scales.
struct GroupedRows {
  const TableView& table;
  const TableView& x;
  RowsView rows;
  const Matrix& outputs;  // a row for each of `rows`
  Index predictions = 1;  // the first of the outputs; the others are log scales
};

struct UnseenGroups {
  Index rows = 0;
  std::vector<std::string> names = {};  // the first few

  void add(const std::string& name);
  void append(const UnseenGroups& later);
};

// Appends the columns that the schema lacks. A column that it has keeps its place and its codes, and gets the additional
// categories that groups use.
void add_columns(std::vector<Column>& schema, const std::vector<Column>& further);

// Counts rows whose value of an input is known to the groups but not to the model as mismatches of that input.
void count_values_of_groups(const TableView& batch, const std::vector<Column>& inputs, Mismatches& mismatches);
// The mismatches of the model's inputs, out of all that a reader found. An unknown value in a column that only defines groups is
// not one of them: it is a group without calibration rows, which is reported separately.
Mismatches mismatches_of_inputs(Mismatches read, const Mismatches& known_to_groups);

// Throws UsageError if a specification names the target, "y" or "y:5": groups must be known before the target is.
void refuse_target(const std::vector<std::string>& specifications, const std::string& option, const std::string& target);

// The columns that specifications name: "age" for "age:5", nothing for "prediction:5". A name that is not among `columns` is
// returned too. Throws UsageError for parts that cannot be read.
std::vector<std::string> columns_of_groups(const std::vector<std::string>& specifications, const std::string& option,
                                           const std::vector<Column>& columns);

class GroupColumns {
 public:
  static constexpr Index many = 1000;                         // more groups than this are probably a mistake
  static constexpr std::string_view other = "another value";  // name of a category whose text is not known

  GroupColumns() = default;
  // "region", "age:5" (parts of equal size), "age:18/40/65" (given cut points), "prediction:5", "scale:5". Numbers are cut at
  // quantiles of `cut_rows`, or of `rows` for a column that `cut_rows` lack. Unknown names are Errors, which name `option`.
  GroupColumns(const std::vector<std::string>& specifications, const std::string& option, const GroupedRows& rows,
               const std::vector<Column>& inputs, const GroupedRows& cut_rows);

  // Throws what the constructor throws, except that there may be no scale: a check before any training.
  static void check(const std::vector<std::string>& specifications, const std::string& option, const TableView& table,
                    const std::vector<Column>& inputs);

  bool empty() const { return parts_.empty(); }
  // Whether there is one column of numbers that are not cut, and its numbers.
  bool is_number() const;
  std::vector<double> numbers(const GroupedRows& rows) const { return cells_of(parts_.front(), rows); }
  std::vector<std::string> specifications() const;
  std::string describe() const;  // "region, age:5"
  // Columns that tables must have besides the inputs.
  std::vector<Column> further_columns() const;
  // Categorical inputs that define groups. Categories that only the calibration rows had come after those of training.
  std::vector<Column> value_columns() const;
  // The names of the further columns that are cut at quantiles.
  std::vector<std::string> further_cut_columns() const;

  // Finds the groups of these rows, ordered by their values. If the table was read with the columns of a model, the text of a
  // value may be unknown. Such rows are refused, or form one group if no guarantee depends on it.
  enum class Unknown : std::uint8_t { refuse, one_group };
  void find_groups(const GroupedRows& rows, Unknown unknown = Unknown::refuse);
  bool has_unknown(const GroupedRows& rows) const { return !unknown_place(rows).empty(); }
  Index groups() const { return std::ssize(names_); }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<Index> groups_of(const GroupedRows& rows, UnseenGroups* unseen = nullptr) const;

  void save(Archive archive) const;
  static GroupColumns load(const Archive& archive, const std::vector<Column>& inputs);

 private:
  // A categorical input is a `value`: groups are texts of the table, because the model only has codes for the categories of
  // training.
  enum class From : std::uint8_t { input, column, prediction, scale, value };
  struct Part {
    std::string specification;
    From from = From::column;
    Column column = {};
    bool is_cut = false, by_quantiles = false;
    std::vector<double> cuts = {};  // the first part reaches up to the first of them, itself included
    std::size_t trained = 0;        // for From::value: the number of categories that training had; they come first
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
  // "FILE: line 7, column 'region'": the first value whose text is not known, or empty.
  std::string unknown_place(const GroupedRows& rows) const;
  // Without the cuts at quantiles: `n_parts` is how many parts they make, 0 for none.
  static Part named_part(const std::string& specification, const std::string& option, const TableView& table,
                         const std::vector<Column>& inputs, Index& n_parts);
  static Part part_of(const std::string& specification, const std::string& option, const GroupedRows& rows,
                      const std::vector<Column>& inputs, const GroupedRows& cut_rows);

  std::vector<Part> parts_;
  std::map<Key, Index> group_of_;
  std::vector<std::string> names_;
};

}  // namespace taut
