// What models have in common, whatever their target is: findings as dicts and lists, and the methods that all of them have.
#pragma once

#include <python/arrays.hpp>
#include <python/table.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/guard/empty_columns.hpp>
#include <taut/task/number/regressor.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>

namespace taut {

// As `taut evaluate --json` tells them.
nb::list listed_alarms(const std::vector<Alarm>& alarms);
nb::dict as_dict(const Evaluation& evaluation);

inline nb::object number_or_none(double value) { return std::isfinite(value) ? nb::cast(value) : nb::object(nb::none()); }

// A level of an evaluation; `number` says which numbers become None.
template <class AnyLevel>
nb::dict level_as_dict(const AnyLevel& level, nb::object (*number)(double)) {
  nb::dict one = dict_of("confidence", level.confidence, "rank", level.rank > 0 ? nb::cast(level.rank) : nb::object(nb::none()),
                         "delivered", number(level.delivered));
  for (const auto& [name, value] : level.metrics) one[name.c_str()] = number(value);
  if (!std::isnan(level.group_coverage)) one["group_coverage"] = level.group_coverage;
  return one;
}

inline void add_row_counts(nb::dict& result, const FitRecord& record, Index calibration_rows) {
  add_to(result, "predictor_rows", record.predictor_rows, "transform_rows", record.transform_rows, "validation_rows",
         record.validation_rows, "calibration_rows", calibration_rows);
}

// Predictions as (rows), intervals as (rows, 2, levels): both are views of what C++ computed. An empty set has no ends, as on the
// command line.
template <class Answers>
nb::tuple predictions_and_intervals(std::unique_ptr<Answers> answers, std::size_t levels, nb::handle alarms = {}) {
  static_assert(sizeof(Interval) == 2 * sizeof(double));
  for (Interval& interval : answers->intervals)
    if (interval.empty()) interval = {missing, missing};
  const std::size_t rows = answers->prediction.size();
  const auto step = static_cast<std::int64_t>(2 * levels);
  double* const f = answers->prediction.data();
  auto* const ends = reinterpret_cast<double*>(answers->intervals.data());
  const nb::capsule owner = kept(std::move(answers));
  const Numbers predictions(f, {rows}, owner), intervals(ends, {rows, 2, levels}, owner, {step, 1, 2});
  return alarms.is_valid() ? nb::make_tuple(predictions, intervals, alarms) : nb::make_tuple(predictions, intervals);
}

// The model that fit(context, calibration rows) makes, and what the fit had to say.
template <class AnyModel, class Fit>
std::pair<std::unique_ptr<AnyModel>, Words> fitted(int threads, const PythonTable* calibration, const Fit& fit) {
  std::optional<TableView> elsewhere;
  if (calibration != nullptr) elsewhere = calibration->view();
  std::unique_ptr<AnyModel> model;
  Words said =
      work(threads, [&](const ExecutionContext& context) { model = std::make_unique<AnyModel>(fit(context, elsewhere)); });
  return {std::move(model), std::move(said)};
}

template <class AnyModel>
nb::list calibrate(AnyModel& model, const PythonTable& table, int threads, const Words& by, const std::string& other_groups,
                   const std::string& weights, const PythonTable* towards, std::optional<Index> local,
                   const std::string& local_in, const std::string& keep_together, const Words& overlapping, bool plain,
                   std::optional<double> sure, std::optional<bool> by_label) {
  CalibrationOptions how{.by = by,
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
  if (towards != nullptr) how.towards = towards->view();
  std::vector<Alarm> alarms;
  work(threads, [&](const ExecutionContext& context) { alarms = model.calibrate(table.view(), context, how); });
  return listed_alarms(alarms);
}

// Of rows to predict, as `x` the model's inputs: cells that are not what training rows had.
template <class AnyModel>
std::vector<Alarm> alarms_of_inputs(const AnyModel& model, const TableView& x) {
  std::vector<Alarm> alarms = alarms_of(x.mismatches());
  EmptyColumns empty;
  empty.add(x);
  for (auto& alarm : model.alarms_of_empty(empty, x.mismatches())) alarms.push_back(std::move(alarm));
  return alarms;
}

// Where rows differ from the calibration rows: what was found, column by column, and the alarm that this is.
template <class AnyModel>
nb::tuple check_shift(const AnyModel& model, const PythonTable& table, int threads) {
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
template <class AnyModel>
nb::dict calibration_of(const AnyModel& model) {
  nb::list groups, notes;
  for (const GroupSize& group : model.calibration_groups()) groups.append(dict_of("name", group.name, "rows", group.rows));
  for (const auto& note : model.calibration_notes()) notes.append(in_python(note));
  return dict_of("kind", model.calibration_kind(), "by", model.groups_in_words(), "groups", groups, "notes", notes);
}

template <class AnyModel>
AnyModel from_bytes(const nb::bytes& bytes) {
  return AnyModel::from_bytes({bytes.c_str(), bytes.size()});
}

class Classifier;
void bind_stream(nb::class_<Regressor>& bound);
void bind_stream(nb::class_<Classifier>& bound);

template <class AnyModel>
void bind_shared(nb::class_<AnyModel>& bound) {
  const auto to_bytes = [](const AnyModel& model) {
    const std::string bytes = model.to_bytes();
    return nb::bytes(bytes.data(), bytes.size());
  };
  bind_stream(bound);
  bound
      .def("calibrate", &calibrate<AnyModel>, nb::arg("table"), nb::arg("threads") = 0, nb::arg("by") = Words(),
           nb::arg("other_groups") = "whole-line", nb::arg("weights") = "", nb::arg("towards").none() = nb::none(),
           nb::arg("local") = nb::none(), nb::arg("local_in") = "prediction", nb::arg("keep_together") = "",
           nb::arg("overlapping") = Words(), nb::arg("plain") = false, nb::arg("sure") = nb::none(), nb::arg("by_label") = nb::none())
      .def("check_shift", &check_shift<AnyModel>, nb::arg("table"), nb::arg("threads") = 0)
      .def("fit_alarms", [](const AnyModel& model) { return listed_alarms(model.alarms_of_fit()); })
      .def("save", &AnyModel::save, nb::arg("path"))
      .def("to_bytes", to_bytes)
      .def("__getstate__", to_bytes)
      .def("__setstate__", [](AnyModel& model, const nb::bytes& bytes) { new (&model) AnyModel(from_bytes<AnyModel>(bytes)); })
      .def_static(
          "from_bytes", [](const nb::bytes& bytes) { return std::make_unique<AnyModel>(from_bytes<AnyModel>(bytes)); },
          nb::arg("bytes"))
      .def_prop_ro("sure", &AnyModel::sure)
      .def_prop_ro("calibration", &calibration_of<AnyModel>)
      .def_prop_ro("options", [](const AnyModel& model) { return as_dict(model.options()); })
      .def_prop_ro("scores", [](const AnyModel& model) { return model.law().scores(); });
}

}  // namespace taut
