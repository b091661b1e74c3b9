#include <python/models.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/several/joint_regressor.hpp>

namespace taut {

namespace {

auto fit(const PythonTable& table, const nb::dict& given, const nb::dict& classes, int threads, const PythonTable* calibration) {
  const FitOptions options = options_from(given);
  const LabelOptions class_options = class_options_from(classes);
  return fitted<Classifier>(threads, calibration,
                            [&](const ExecutionContext& context, const std::optional<TableView>& calibration_rows) {
                              return Classifier::fit(table.view(), options, class_options, context, calibration_rows);
                            });
}

nb::object probabilities(const Classifier& model, const PythonTable& table, int threads) {
  Matrix p;
  {
    const nb::gil_scoped_release no_lock;
    p = model.probabilities(table.view(), ExecutionContext{.threads = threads});
  }
  return matrix_as_array(std::move(p));
}

// Returns probabilities (rows, labels), members of sets (rows, levels, labels), and alarms.
nb::tuple predict_sets(const Classifier& model, const PythonTable& table, const std::vector<double>& levels, int threads,
                       std::optional<std::uint64_t> smoothing, bool allow_empty) {
  PredictedSets sets;
  std::vector<Alarm> alarms;
  {
    const nb::gil_scoped_release no_lock;
    sets = model.predict_sets(table.view(), levels, ExecutionContext{.threads = threads},
                              {.smoothing = smoothing, .allow_empty = allow_empty});
    alarms = model.alarms_of_inputs(table.view().matched(model.input_schema()));
    for (auto& alarm : model.alarms_of_groups(sets.unseen)) alarms.push_back(std::move(alarm));
  }
  const auto rows = static_cast<std::size_t>(sets.probabilities.rows()), labels = static_cast<std::size_t>(sets.classes());
  return nb::make_tuple(matrix_as_array(std::move(sets.probabilities)),
                        as_array(std::move(sets.members), {rows, levels.size(), labels}), listed_alarms(alarms));
}

nb::dict record(const Classifier& model) {
  const FitRecord& record = model.record();
  const LabelRecord& own = model.label_record();
  nb::dict weights, result = dict_of("source", record.source, "rows", record.rows, "skipped_rows", record.skipped_rows);
  for (const auto& [name, weight] : model.predictor_members()) weights[name.c_str()] = weight;
  add_row_counts(result, record, model.distribution().rows());
  add_to(result, "trees", model.trees(), "predictor_weights", weights, "temperature", 1 / own.inverse_temperature, "transform",
         own.trained ? "odds" : "fixed", "fell_back", record.fell_back, "objective", own.objective, "without",
         number_or_none(own.without), "with", number_or_none(own.with), "standard_error", number_or_none(own.error));
  return result;
}

// Loads a Regressor, a Classifier or a JointRegressor, whichever the file contains.
nb::object load_any(const std::string& path) {
  Model model = Model::load(path);
  if (model.task().name() == "several") return nb::cast(std::make_unique<JointRegressor>(std::move(model)));
  if (model.task().n_target_values() > 0) return nb::cast(std::make_unique<Classifier>(std::move(model)));  // labels
  return nb::cast(std::make_unique<Regressor>(std::move(model)));
}

}  // namespace

void bind_classifier(nb::module_& module) {
  nb::class_<Classifier, Model> bound(module, "Classifier", "The model of a .taut file for classification.");
  bind_bytes(bound);
  bind_stream(bound);
  bound
      .def_static("fit", &fit, nb::arg("table"), nb::arg("options"), nb::arg("class_options"), nb::arg("threads") = 0,
                  nb::arg("calibration").none() = nb::none(), "Returns the model and the messages of the fit.")
      .def("probabilities", &probabilities, nb::arg("table"), nb::arg("threads") = 0)
      .def("predict_sets", &predict_sets, nb::arg("table"), nb::arg("levels"), nb::arg("threads") = 0,
           nb::arg("smoothing") = nb::none(), nb::arg("allow_empty") = false)
      .def_prop_ro("labels", &Classifier::labels)
      .def_prop_ro("class_options", [](const Classifier& model) { return as_dict(model.label_options()); })
      .def_prop_ro("record", &record)
      .def_prop_ro("columns", [](const Classifier& model) {
        Words names;
        for (const Column& column : model.input_schema()) names.push_back(column.name);
        return names;
      });
  module.def("load_any", &load_any, nb::arg("path"),
             "Loads a Regressor, a Classifier or a JointRegressor, whichever the file contains.");
}

}  // namespace taut
