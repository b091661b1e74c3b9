// Models of several numeric targets: joint regions, and what is read off the joint distribution.
#include <python/models.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/task/several/joint_regressor.hpp>

namespace taut {

namespace {

auto fit(const PythonTable& table, const nb::dict& given, const std::string& region, const std::string& y_range, int threads,
         const PythonTable* calibration) {
  const FitOptions options = options_from(given);
  return fitted<JointRegressor>(threads, calibration,
                                [&](const ExecutionContext& context, const std::optional<TableView>& calibration_rows) {
                                  return JointRegressor::fit(table.view(), options, region, context, calibration_rows, y_range);
                                });
}

nb::object predict(const JointRegressor& model, const PythonTable& table, int threads) {
  Matrix values;
  {
    const nb::gil_scoped_release no_lock;
    values = model.predict(table.view(), ExecutionContext{.threads = threads});
  }
  return matrix_as_array(std::move(values));
}

// Returns predictions (rows, targets), boxes (rows, targets, 2, levels), volumes (rows, levels) and alarms. `each`: intervals of
// single targets, without volumes.
nb::tuple predict_boxes(const JointRegressor& model, const PythonTable& table, const std::vector<double>& levels, bool each,
                        int threads) {
  auto predicted = std::make_unique<PredictedBoxes>();
  work(threads, [&](const ExecutionContext& context) {
    *predicted = each ? model.predict_each(table.view(), levels, context) : model.predict_boxes(table.view(), levels, context);
  });
  const nb::list alarms = listed_alarms(model.alarms_of_groups(predicted->unseen));
  for (Interval& interval : predicted->intervals)
    if (interval.empty()) interval = {missing, missing};
  static_assert(sizeof(Interval) == 2 * sizeof(double));
  const std::size_t rows = static_cast<std::size_t>(predicted->prediction.rows()), count = levels.size();
  const auto targets = static_cast<std::size_t>(predicted->prediction.cols());
  nb::object f = matrix_as_array(std::move(predicted->prediction)), volumes = matrix_as_array(std::move(predicted->volumes));
  auto* const ends = reinterpret_cast<double*>(predicted->intervals.data());
  // In memory: rows x levels x targets x ends.
  const auto of_level = static_cast<std::int64_t>(2 * targets), of_row = of_level * static_cast<std::int64_t>(count);
  const Numbers boxes(ends, {rows, targets, 2, count}, kept(std::move(predicted)), {of_row, 2, 1, of_level});
  return nb::make_tuple(f, boxes, volumes, alarms);
}

// Returns whether the regions hold the targets, as 0 and 1 (rows, levels), and p-values (rows).
nb::tuple contains_targets(const JointRegressor& model, const PythonTable& table, const PackedArray<double, 2>& y,
                           const std::vector<double>& levels, int threads) {
  Matrix targets(static_cast<Index>(y.shape(0)), static_cast<Index>(y.shape(1)));
  for (Index i = 0; i < targets.rows(); ++i)
    for (Index j = 0; j < targets.cols(); ++j) targets(i, j) = y(i, j);
  ContainedRows found;
  work(threads, [&](const ExecutionContext& context) { found = model.contains(table.view(), targets, levels, context); });
  return nb::make_tuple(matrix_as_array(std::move(found.contained)), as_array(std::move(found.p_value)));
}

// Answers to questions with the names of `taut lists` ("quantile:0.9", "samples:5"), about each target or about a sum of them,
// given as a text or as weights: (rows, columns) in the order of `taut predict`, without the predictions.
nb::tuple ask(const JointRegressor& model, const PythonTable& table, const Words& questions,
              const std::optional<std::string>& sum, const std::vector<double>& weights, std::uint64_t seed, int threads) {
  Matrix values;
  Words names;
  std::vector<Alarm> alarms;
  work(threads, [&](const ExecutionContext& context) {
    const auto answers = model.answering({.questions = questions, .seed = seed, .sum = sum, .sum_weights = weights});
    const auto columns = answers->columns();
    auto found = answers->answer(table.view(), context);
    const std::size_t skipped = model.target_names().size();
    values.resize(table.view().rows(), std::ssize(columns) - static_cast<Index>(skipped));
    for (std::size_t column = skipped; column < columns.size(); ++column) {
      names.push_back(columns[column].name);
      for (Index row = 0; row < values.rows(); ++row)
        values(row, static_cast<Index>(column - skipped)) = found[column].numbers[static_cast<std::size_t>(row)];
    }
    alarms = model.alarms_of_groups(answers->unseen());
    for (auto& alarm : answers->alarms()) alarms.push_back(std::move(alarm));
  });
  return nb::make_tuple(names, matrix_as_array(std::move(values)), listed_alarms(std::move(alarms)));
}

nb::list input_alarms(const JointRegressor& model, const PythonTable& table) {
  return listed_alarms(model.alarms_of_inputs(table.view().matched(model.input_schema())));
}

Words further_columns(const JointRegressor& model) {
  const auto schema = model.prediction_schema();
  Words names;
  for (std::size_t i = model.input_schema().size(); i < schema.size(); ++i) names.push_back(schema[i].name);
  return names;
}

nb::dict record(const JointRegressor& model) {
  const FitRecord& record = model.record();
  nb::dict result = dict_of("source", record.source, "rows", record.rows, "skipped_rows", record.skipped_rows);
  add_row_counts(result, record, model.calibration_rows());
  const nb::dict facts = nb::cast<nb::dict>(object_of(model.task().facts(model.parts())));
  add_to(result, "region", model.region(), "fell_back", record.fell_back, "regions", nb::object(facts["regions"]), "targets",
         nb::object(facts["targets"]));
  return result;
}

}  // namespace

void bind_several(nb::module_& module) {
  nb::class_<JointRegressor, Model> bound(module, "JointRegressor", "The model of a .taut file for several numeric targets.");
  bind_bytes(bound);
  bind_stream(bound);
  bound
      .def_static("fit", &fit, nb::arg("table"), nb::arg("options"), nb::arg("region") = "auto", nb::arg("y_range") = "",
                  nb::arg("threads") = 0, nb::arg("calibration").none() = nb::none(),
                  "Returns the model and the messages of the fit.")
      .def("predict", &predict, nb::arg("table"), nb::arg("threads") = 0)
      .def("predict_boxes", &predict_boxes, nb::arg("table"), nb::arg("levels"), nb::arg("each") = false, nb::arg("threads") = 0)
      .def("contains", &contains_targets, nb::arg("table"), nb::arg("y"), nb::arg("levels"), nb::arg("threads") = 0)
      .def("ask", &ask, nb::arg("table"), nb::arg("questions"), nb::arg("sum").none() = nb::none(),
           nb::arg("weights") = std::vector<double>{}, nb::arg("seed") = 0, nb::arg("threads") = 0)
      .def("input_alarms", &input_alarms, nb::arg("table"))
      .def_prop_ro("targets", &JointRegressor::target_names)
      .def_prop_ro("region", &JointRegressor::region)
      .def_prop_ro("y_range", &JointRegressor::y_range)
      .def_prop_ro("imported", [](const JointRegressor&) { return ""; })
      .def_prop_ro("further_columns", &further_columns)
      .def_prop_ro("record", &record)
      .def_prop_ro("columns", &columns_of_inputs);
}

}  // namespace taut
