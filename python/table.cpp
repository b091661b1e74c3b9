#include <python/table.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/data/arrow/table.hpp>
#include <taut/data/csv/scanner.hpp>

#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

namespace taut {

void PythonTable::check_rows(std::size_t rows, const std::string& what) const {
  if (static_cast<Index>(rows) != view_.rows())
    throw Error(format_text("{}, {}: expected {} rows, got {}", view_.source(), what, print_count(view_.rows()),
                            print_count(static_cast<long long>(rows))));
}

// The last reference may be released by a thread that does not hold the GIL.
template <class Owner>
void PythonTable::keep(Owner owner) {
  view_.keep(std::shared_ptr<Owner>(new Owner(std::move(owner)), [](Owner* each) {
    const nb::gil_scoped_acquire lock;
    delete each;
  }));
}

namespace {

ColumnKind kind_named(const std::string& name) {
  if (name == "boolean") return ColumnKind::boolean;
  if (name == "date") return ColumnKind::date;
  if (name == "number") return ColumnKind::number;
  throw Error(format_text("a column of numbers is of the kind number, boolean or date, got '{}'", name));
}

}  // namespace

// Releases the GIL, because the producer of the rows may need it, possibly on another thread.
PythonTable PythonTable::from_arrow(const std::string& source, const nb::capsule& stream, const std::string& name) {
  if (stream.name() == nullptr || std::string_view(stream.name()) != "arrow_array_stream")
    throw Error(source + ": __arrow_c_stream__() must return a capsule called 'arrow_array_stream'");
  auto* given = static_cast<ArrowArrayStream*>(stream.data());
  PythonTable table(source, 0);
  const nb::gil_scoped_release no_lock;
  ArrowTable read = read_arrow_table(ArrowStream(*given, source, name));
  table.view_ = std::move(read.view);
  for (const auto& note : read.notes) table.notes_.push_back(in_python(note));
  return table;
}

void PythonTable::append(const PythonTable& other) {
  check_rows(static_cast<std::size_t>(other.view_.rows()), "further columns");
  view_.append(other.view_);
  notes_.insert(notes_.end(), other.notes_.begin(), other.notes_.end());
}

template <class Number>
void PythonTable::add_column(const std::string& name, Array<Number, 1> cells, const std::string& kind) {
  check_rows(cells.shape(0), "column '" + name + "'");
  view_.add({name, kind_named(kind)}, CellsView(cells.data(), cells.stride(0)));
  keep(std::move(cells));
}

template <class Number>
void PythonTable::add_matrix(const std::vector<std::string>& names, Array<Number, 2> cells) {
  check_rows(cells.shape(0), "the matrix");
  if (cells.shape(1) != names.size())
    throw Error(
        format_text("{}: expected one name for each of the {} columns, got {}", view_.source(), cells.shape(1), names.size()));
  for (std::size_t i = 0; i < names.size(); ++i)
    view_.add({names[i]}, CellsView(cells.data() + static_cast<Index>(i) * cells.stride(1), cells.stride(0)));
  keep(std::move(cells));
}

void PythonTable::add_category(const std::string& name, Array<double, 1> codes, const std::vector<std::string>& categories,
                               bool declared, bool ordered) {
  check_rows(codes.shape(0), "column '" + name + "'");
  const CellsView cells(codes.data(), codes.stride(0));
  for (Index row = 0; row < view_.rows(); ++row)
    if (cells[row] < 0 || cells[row] >= static_cast<double>(categories.size()))
      throw Error(format_text("{}, column '{}': a code lies outside its {} categories", view_.source(), name, categories.size()));
  view_.add({name, ordered ? ColumnKind::ordered : ColumnKind::category, categories, !declared}, cells);
  keep(std::move(codes));
}

namespace {

// A text cell as the command line reads it: missing, a number, or the text itself.
nb::object read_cell(std::string_view text) {
  if (is_missing_cell(text)) return nb::none();
  if (const auto number = cell_number(text)) return nb::float_(*number);
  return nb::cast(text);
}

// A copy of the cells of one column; None if it does not hold numbers.
nb::object numbers_in(const PythonTable& table, Index column) {
  const TableView& view = table.view();
  if (column < 0 || column >= std::ssize(view.columns())) throw nb::index_error();
  if (view.columns()[static_cast<std::size_t>(column)].is_categorical()) return nb::none();
  std::vector<double> cells;
  for (Index row = 0; row < view.rows(); ++row) cells.push_back(view(row, column));
  return as_array(std::move(cells));
}

}  // namespace

void bind_table(nb::module_& module) {
  nb::class_<PythonTable>(module, "Table", "A table whose columns refer to arrays, without copies.")
      .def(nb::init<const std::string&, Index>(), nb::arg("source"), nb::arg("rows"))
      .def_static("from_arrow", &PythonTable::from_arrow, nb::arg("source"), nb::arg("stream"), nb::arg("name") = "values")
      .def("append", &PythonTable::append, nb::arg("other"))
      .def("copy", [](const PythonTable& table) { return PythonTable(table); })
      .def("numbers", &numbers_in, nb::arg("column"))
      .def_prop_ro("rows", [](const PythonTable& table) { return table.view().rows(); })
      .def_prop_ro("names", [](const PythonTable& table) { return table.view().names(); })
      .def_prop_ro("notes", &PythonTable::notes)
      .def("add_column", &PythonTable::add_column<double>, nb::arg("name"), nb::arg("cells").noconvert(),
           nb::arg("kind") = "number")
      .def("add_column", &PythonTable::add_column<float>, nb::arg("name"), nb::arg("cells").noconvert(),
           nb::arg("kind") = "number")
      .def("add_matrix", &PythonTable::add_matrix<double>, nb::arg("names"), nb::arg("cells").noconvert())
      .def("add_matrix", &PythonTable::add_matrix<float>, nb::arg("names"), nb::arg("cells").noconvert())
      .def("add_category", &PythonTable::add_category, nb::arg("name"), nb::arg("codes").noconvert(), nb::arg("categories"),
           nb::arg("declared"), nb::arg("ordered") = false);
  module.def("read_cell", &read_cell, nb::arg("text"), "None for a missing cell, a float for a number, else the text.");
}

}  // namespace taut
