// Columns that belong to Python, as a table that the library can read.
#pragma once

#include <python/arrays.hpp>
#include <taut/data/table_view.hpp>

#include <memory>
#include <string>
#include <vector>

namespace taut {

class PythonTable {
 public:
  PythonTable(const std::string& source, Index rows) : view_(source, rows) {}

  // The columns of an Arrow stream, in the capsule that __arrow_c_stream__() returns, which is empty afterwards. A stream of
  // values is one column, called `name`.
  static PythonTable from_arrow(const std::string& source, const nb::capsule& stream, const std::string& name);

  // `kind`: "number"; "boolean", 0 or 1; "date", seconds since 1970-01-01 (UTC).
  template <class Number>
  void add_column(const std::string& name, Array<Number, 1> cells, const std::string& kind);
  template <class Number>
  void add_matrix(const std::vector<std::string>& names, Array<Number, 2> cells);
  // Codes count the categories, NaN where a cell is missing. `declared`: they are categories even if all of them are numbers.
  // `ordered`: the order of the categories means something.
  void add_category(const std::string& name, Array<double, 1> codes, const std::vector<std::string>& categories, bool declared,
                    bool ordered);
  // The columns of another table with as many rows.
  void append(const PythonTable& other);

  const TableView& view() const { return view_; }
  // What the user should know of how the columns were read.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void check_rows(std::size_t rows, const std::string& what) const;
  template <class Owner>
  void keep(Owner owner);

  TableView view_;
  std::vector<std::string> notes_;
};

}  // namespace taut
