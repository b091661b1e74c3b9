// Bindings of Model, which regressors and classifiers share.
#include <python/models.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/plan/columns.hpp>

#include <algorithm>

namespace taut {

nb::object object_of(const Value& value) {
  return value.visit([]<class T>(const T& content) -> nb::object {
    if constexpr (std::is_same_v<T, std::monostate>) {
      return nb::none();
    } else if constexpr (std::is_same_v<T, double>) {
      // None instead of NaN, which later sums would propagate silently.
      return std::isnan(content) ? nb::object(nb::none()) : nb::object(nb::float_(content));
    } else if constexpr (std::is_same_v<T, Matrix>) {
      return matrix_as_array(content);
    } else if constexpr (std::is_same_v<T, Value::List>) {
      nb::list list;
      for (const Value& item : content) list.append(object_of(item));
      return list;
    } else if constexpr (std::is_same_v<T, Value::Object>) {
      nb::dict dict;
      for (std::size_t i = 0; i < content.names.size(); ++i) dict[content.names[i].c_str()] = object_of(content.values[i]);
      return dict;
    } else {
      return nb::cast(content);
    }
  });
}

nb::list listed_alarms(std::vector<Alarm> alarms) {
  for (Alarm& alarm : alarms) alarm.words = in_python(alarm.words);
  return nb::cast<nb::list>(object_of(facts_of(alarms)));
}

nb::list columns_of_inputs(const Model& model) {
  nb::list result;
  for (const Column& column : model.input_schema()) {
    const nb::object categories = column.is_categorical() ? nb::cast(column.categories) : nb::object(nb::none());
    result.append(nb::make_tuple(column.name, categories));
  }
  return result;
}

namespace {

// Every column of the training table with its inferred kind: first the inputs in their order, then columns that were left out.
nb::list column_facts(const Model& model) {
  const auto& notes = model.record().columns;
  nb::list result;
  const auto add = [&result](const std::string& name, std::string_view kind, const char* use, const std::string& words) {
    nb::dict one = dict_of("name", name, "kind", std::string(kind), "use", use, "words", in_python(words));
    result.append(one);
    return one;
  };
  for (const Column& column : model.input_schema()) {
    const auto note = std::find_if(notes.begin(), notes.end(), [&](const ColumnNote& one) { return one.column == column.name; });
    nb::dict one = add(column.name, name_of(column.kind), "input", note == notes.end() ? "" : note->words);
    if (column.is_categorical()) one["categories"] = column.categories;
  }
  for (const ColumnNote& note : notes)
    if (note.is_left_out) add(note.column, note.taken_for, "left out", note.words);
  return result;
}

nb::object evaluate(const Model& model, const PythonTable& table, const std::vector<double>& levels, int threads, const Words& by,
                    bool allow_empty, const std::string& sample_weight) {
  std::unique_ptr<Evaluation> evaluation;
  work(threads, [&](const ExecutionContext& context) {
    evaluation = model.evaluate(table.view(), levels, context, by, allow_empty, sample_weight);
  });
  for (Alarm& alarm : evaluation->alarms) alarm.words = in_python(alarm.words);
  return object_of(evaluation->facts());
}

nb::list calibrate(Model& model, const PythonTable& table, int threads, const Words& by, const std::string& other_groups,
                   const std::string& weights, const PythonTable* towards, std::optional<Index> local,
                   const std::string& local_in, const std::string& keep_together, const Words& overlapping, bool plain,
                   std::optional<double> sure, std::optional<bool> by_label) {
  CalibrationOptions options{.by = by,
                             .other_groups = other_groups,
                             .weights = weights,
                             .towards = {},
                             .local = local,
                             .local_in = local_in,
                             .keep_together = keep_together,
                             .overlapping = overlapping,
                             .plain = plain,
                             .by_label = by_label,
                             .sure = sure};
  if (towards != nullptr) options.towards = towards->view();
  std::vector<Alarm> alarms;
  work(threads, [&](const ExecutionContext& context) { alarms = model.calibrate(table.view(), context, options); });
  return listed_alarms(alarms);
}

// Returns the differences between these rows and the calibration rows, for each column, and the alarms.
nb::tuple check_shift(const Model& model, const PythonTable& table, int threads) {
  std::vector<DriftFinding> found;
  std::vector<Alarm> alarms;
  {
    const nb::gil_scoped_release no_lock;
    DriftCheck check = model.begin_drift_check();
    model.add_rows(check, table.view(), ExecutionContext{.threads = threads});
    found = check.findings();
    alarms = alarms_of(check);
  }
  nb::list result;
  for (const DriftFinding& shift : found)
    result.append(dict_of("column", shift.column, "words", in_python(shift.words), "p_value", shift.p_value));
  return nb::make_tuple(result, listed_alarms(alarms));
}

// Which calibration rows count for a new row.
nb::dict calibration_of(const Model& model) {
  nb::list groups, notes;
  for (const GroupSize& group : model.calibration_groups()) groups.append(dict_of("name", group.name, "rows", group.rows));
  for (const auto& note : model.calibration_notes()) notes.append(in_python(note));
  return dict_of("kind", model.calibration_kind(), "by", model.describe_groups(), "groups", groups, "notes", notes);
}

nb::bytes to_bytes(const Model& model) {
  const std::string bytes = model.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<Model> bound(module, "Model", "The model of a .taut file: predictor, transformation and calibration.");
  bind_stream(bound);
  bound
      .def("evaluate", &evaluate, nb::arg("table"), nb::arg("levels"), nb::arg("threads") = 0, nb::arg("by") = Words(),
           nb::arg("allow_empty") = false, nb::arg("sample_weight") = "")
      .def("calibrate", &calibrate, nb::arg("table"), nb::arg("threads") = 0, nb::arg("by") = Words(),
           nb::arg("other_groups") = "whole-line", nb::arg("weights") = "", nb::arg("towards").none() = nb::none(),
           nb::arg("local") = nb::none(), nb::arg("local_in") = "prediction", nb::arg("keep_together") = "",
           nb::arg("overlapping") = Words(), nb::arg("plain") = false, nb::arg("sure") = nb::none(),
           nb::arg("by_label") = nb::none())
      .def("check_shift", &check_shift, nb::arg("table"), nb::arg("threads") = 0)
      .def("fit_alarms", [](const Model& model) { return listed_alarms(model.alarms_of_fit()); })
      .def("save", &Model::save, nb::arg("path"))
      .def("to_bytes", &to_bytes)
      .def("__getstate__", &to_bytes)
      .def_prop_ro("sure", &Model::sure)
      .def_prop_ro("column_facts", &column_facts)
      .def_prop_ro("calibration", &calibration_of)
      .def_prop_ro("options", [](const Model& model) { return as_dict(model.options()); })
      .def_prop_ro("scores", [](const Model& model) { return model.distribution().scores(); });
}

}  // namespace taut
