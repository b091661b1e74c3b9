// A table at a glance, with the names and values of `taut look --json`.
#include <python/models.hpp>
#include <taut/data/overview.hpp>
#include <taut/data/text_format.hpp>

#include <nanobind/stl/string_view.h>

namespace taut {

namespace {

nb::dict facts_of(const ColumnOverview& about) {
  const Column& column = about.judged.column;
  nb::list frequent, warnings;
  for (const auto& [value, cells] : about.frequent) {
    nb::dict one;
    one["value"] = value;
    one["cells"] = cells;
    frequent.append(one);
  }
  for (const auto& words : about.warnings) warnings.append(in_python(words));
  nb::dict facts;
  facts["name"] = column.name;
  facts["kind"] = about.judged.taken_for;
  facts["use"] = name_of(about.judged.use);
  facts["declared"] = about.judged.is_declared;
  facts["words"] = in_python(about.judged.words);
  facts["cells"] = about.cells;
  facts["missing"] = about.missing;
  facts["different"] = about.different;
  facts["lowest"] = number_or_none(about.lowest);
  facts["highest"] = number_or_none(about.highest);
  facts["histogram"] = about.histogram;
  facts["frequent"] = frequent;
  facts["warnings"] = warnings;
  if (column.is_categorical()) facts["categories"] = column.categories;
  if (column.format != TextFormat{}) facts["format"] = example_of(column.format);
  return facts;
}

nb::list look(const PythonTable& table, const nb::dict& given) {
  const FitOptions options = options_from(given);
  std::vector<ColumnOverview> columns;
  {
    const nb::gil_scoped_release no_lock;
    columns = overview(table.view().with_missing(options.na), options.declarations(), options.target);
  }
  nb::list result;
  for (const ColumnOverview& about : columns) result.append(facts_of(about));
  return result;
}

}  // namespace

void bind_look(nb::module_& module) { module.def("look", &look, nb::arg("table"), nb::arg("options")); }

}  // namespace taut
