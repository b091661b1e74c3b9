// Columns that belong to Python, as a table that the rooms can read.
#pragma once

#include <python/bind.hpp>
#include <taut/data/table_view.hpp>

#include <nanobind/ndarray.h>

#include <memory>
#include <string>
#include <vector>

namespace taut {

// An array of any strides, float64 or float32.
template <class Number, int Dimensions>
using Array = nb::ndarray<const Number, nb::ndim<Dimensions>, nb::device::cpu>;

class PythonTable {
 public:
  PythonTable(const std::string& source, Index rows) : view_(source, rows) {}

  template <class Number>
  void add_column(const std::string& name, Array<Number, 1> cells);
  template <class Number>
  void add_matrix(const std::vector<std::string>& names, Array<Number, 2> cells);
  // Codes count the categories, NaN where a cell is missing. `declared`: they are categories even if all of them are numbers.
  void add_category(const std::string& name, Array<double, 1> codes, const std::vector<std::string>& categories, bool declared);

  const TableView& view() const { return view_; }

 private:
  void check_rows(std::size_t rows, const std::string& what) const;
  template <class Owner>
  void keep(Owner owner);

  TableView view_;
  std::vector<std::shared_ptr<void>> owners_;
};

}  // namespace taut
