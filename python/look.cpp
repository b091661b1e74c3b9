// An overview of the columns of a table, with the keys of `taut look --json`.
#include <python/models.hpp>
#include <taut/data/kinds/overview.hpp>
#include <taut/data/kinds/text_format.hpp>
#include <taut/plan/columns.hpp>

#include <nanobind/stl/string_view.h>

namespace taut {

namespace {

nb::dict facts_of(const ColumnOverview& about) {
  const Column& column = about.judged.column;
  nb::list frequent, warnings;
  for (const auto& [value, cells] : about.frequent) frequent.append(dict_of("value", value, "cells", cells));
  for (const auto& words : about.warnings) warnings.append(in_python(words));
  nb::dict facts =
      dict_of("name", column.name, "kind", about.judged.taken_for, "use", name_of(about.judged.use), "declared",
              about.judged.is_declared, "words", in_python(about.judged.words), "cells", about.cells, "missing", about.missing,
              "different", about.different, "lowest", number_or_none(about.lowest), "highest", number_or_none(about.highest),
              "histogram", about.histogram, "frequent", frequent, "warnings", warnings);
  if (column.is_categorical()) facts["categories"] = column.categories;
  if (const auto example = example_of(column.format); !example.empty()) facts["format"] = example;
  return facts;
}

nb::list look(const PythonTable& table, const nb::dict& given) {
  const FitOptions options = options_from(given);
  std::vector<ColumnOverview> columns;
  {
    const nb::gil_scoped_release no_lock;
    const TableView view = table.view().with_missing(options.na);
    columns =
        overview(view, options.declarations(), options.target.empty() ? std::vector<std::string>{} : target_names(view, options));
  }
  nb::list result;
  for (const ColumnOverview& about : columns) result.append(facts_of(about));
  return result;
}

}  // namespace

void bind_look(nb::module_& module) { module.def("look", &look, nb::arg("table"), nb::arg("options")); }

}  // namespace taut
