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
  // Of those, the ones that are cut at quantiles.
  std::vector<std::string> further_cut_columns() const;

  // The groups are those of these rows, in the order of their values.
  void find_groups(const GroupedRows& rows);
  Index groups() const { return std::ssize(names_); }
  const std::vector<std::string>& names() const { return names_; }
  std::vector<Index> groups_of(const GroupedRows& rows, UnseenGroups* unseen = nullptr) const;

  void save(Archive archive) const;
  static GroupColumns load(const Archive& archive, const std::vector<Column>& inputs);

 private:
  enum class From : std::uint8_t { input, column, prediction, scale };
  struct Part {
    std::string specification;
    From from = From::column;
    Column column = {};
    bool is_cut = false, by_quantiles = false;
    std::vector<double> cuts = {};  // the first part reaches up to the first of them, itself included
  };
  using Key = std::vector<std::int64_t>;

  std::vector<Key> keys_of(const GroupedRows& rows) const;
  static std::vector<double> cells_of(const Part& part, const GroupedRows& rows);
  static std::int64_t level_of(const Part& part, double cell);
  static std::string level_name(const Part& part, std::int64_t level);
  std::string name_of(const Key& key) const;
  std::string name_of_unseen(const Key& key, const GroupedRows& rows, std::size_t i) const;
  void number_groups(const std::vector<Key>& keys);
  static Part part_of(const std::string& specification, const std::string& option, const GroupedRows& rows,
                      const std::vector<Column>& inputs, const GroupedRows& cut_rows);

  std::vector<Part> parts_;
  std::map<Key, Index> group_of_;
  std::vector<std::string> names_;
};

}  // namespace taut
