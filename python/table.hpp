// A table for the library whose columns are arrays of Python.
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

  // Reads an Arrow stream from the capsule that __arrow_c_stream__() returns; the stream is consumed. A stream without a struct
  // type is one column, called `name`.
  static PythonTable from_arrow(const std::string& source, const nb::capsule& stream, const std::string& name);

  // `kind` is "number", "boolean" (0 or 1) or "date" (seconds since 1970-01-01 UTC).
  template <class Number>
  void add_column(const std::string& name, Array<Number, 1> cells, const std::string& kind);
  template <class Number>
  void add_matrix(const std::vector<std::string>& names, Array<Number, 2> cells);
  // Codes are indices of `categories`; NaN is a missing cell. `declared`: a categorical column even if all categories are
  // numbers. `ordered`: the order of the categories is meaningful.
  void add_category(const std::string& name, Array<double, 1> codes, const std::vector<std::string>& categories, bool declared,
                    bool ordered);
  // Appends the columns of another table with the same number of rows.
  void append(const PythonTable& other);

  const TableView& view() const { return view_; }
  // Notes for the user on how columns were read.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  void check_rows(std::size_t rows, const std::string& what) const;
  template <class Owner>
  void keep(Owner owner);

  TableView view_;
  std::vector<std::string> notes_;
};

}  // namespace taut
