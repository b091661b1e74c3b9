#include <python/table.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv_scanner.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace taut {

void PythonTable::check_rows(std::size_t rows, const std::string& what) const {
  if (static_cast<Index>(rows) != view_.rows())
    throw Error(view_.source() + ", " + what + ": expected " + print_count(view_.rows()) + " rows, got " +
                print_count(static_cast<long long>(rows)));
}

template <class Owner>
void PythonTable::keep(Owner owner) {
  owners_.push_back(std::make_shared<Owner>(std::move(owner)));
}

template <class Number>
void PythonTable::add_column(const std::string& name, Array<Number, 1> cells) {
  check_rows(cells.shape(0), "column '" + name + "'");
  view_.add({name}, CellsView(cells.data(), cells.stride(0)));
  keep(std::move(cells));
}

template <class Number>
void PythonTable::add_matrix(const std::vector<std::string>& names, Array<Number, 2> cells) {
  check_rows(cells.shape(0), "the matrix");
  if (cells.shape(1) != names.size())
    throw Error(view_.source() + ": expected one name for each of the " + std::to_string(cells.shape(1)) + " columns, got " +
                std::to_string(names.size()));
  for (std::size_t i = 0; i < names.size(); ++i)
    view_.add({names[i]}, CellsView(cells.data() + static_cast<Index>(i) * cells.stride(1), cells.stride(0)));
  keep(std::move(cells));
}

void PythonTable::add_category(const std::string& name, Array<double, 1> codes, const std::vector<std::string>& categories,
                               bool declared) {
  check_rows(codes.shape(0), "column '" + name + "'");
  const CellsView cells(codes.data(), codes.stride(0));
  for (Index row = 0; row < view_.rows(); ++row)
    if (cells[row] < 0 || cells[row] >= static_cast<double>(categories.size()))
      throw Error(view_.source() + ", column '" + name + "': a code lies outside its " + std::to_string(categories.size()) +
                  " categories");
  view_.add({name, ColumnKind::category, categories, !declared}, cells);
  keep(std::move(codes));
}

namespace {

// A cell of a column of texts as the command line would read it: missing, a number, or the text itself.
nb::object read_cell(std::string_view text) {
  if (is_missing_cell(text)) return nb::none();
  if (const auto number = cell_number(text)) return nb::float_(*number);
  return nb::cast(text);
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<PythonTable>(module, "Table", "Columns that are borrowed from arrays, not copied.")
      .def(nb::init<const std::string&, Index>(), nb::arg("source"), nb::arg("rows"))
      .def("add_column", &PythonTable::add_column<double>, nb::arg("name"), nb::arg("cells").noconvert())
      .def("add_column", &PythonTable::add_column<float>, nb::arg("name"), nb::arg("cells").noconvert())
      .def("add_matrix", &PythonTable::add_matrix<double>, nb::arg("names"), nb::arg("cells").noconvert())
      .def("add_matrix", &PythonTable::add_matrix<float>, nb::arg("names"), nb::arg("cells").noconvert())
      .def("add_category", &PythonTable::add_category, nb::arg("name"), nb::arg("codes").noconvert(), nb::arg("categories"),
           nb::arg("declared"));
  module.def("read_cell", &read_cell, nb::arg("text"), "None for a missing cell, a float for a number, else the text.");
}

}  // namespace taut
