// Bindings that regressors and classifiers share.
#pragma once

#include <python/arrays.hpp>
#include <python/table.hpp>
#include <taut/guard/alarm.hpp>
#include <taut/task/number/regressor.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>

namespace taut {

// A Value as dicts, lists and numbers of Python.
nb::object object_of(const Value& value);
// Alarms as dicts with the keys of `taut evaluate --json`.
nb::list listed_alarms(std::vector<Alarm> alarms);

inline nb::object number_or_none(double value) { return std::isfinite(value) ? nb::cast(value) : nb::object(nb::none()); }

inline void add_row_counts(nb::dict& result, const FitRecord& record, Index calibration_rows) {
  add_to(result, "predictor_rows", record.predictor_rows, "transform_rows", record.transform_rows, "validation_rows",
         record.validation_rows, "calibration_rows", calibration_rows);
}

// Input columns as (name, categories); the categories are None for numbers.
nb::list columns_of_inputs(const Model& model);

// Predictions (rows) and intervals (rows, 2, levels) as views of the memory of `answers`. The ends of an empty set are NaN.
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

// The model that fit(context, calibration rows) returns, and the messages of the fit.
template <class AnyModel, class Fit>
std::pair<std::unique_ptr<AnyModel>, Words> fitted(int threads, const PythonTable* calibration, const Fit& fit) {
  std::optional<TableView> calibration_rows;
  if (calibration != nullptr) calibration_rows = calibration->view();
  std::unique_ptr<AnyModel> model;
  Words messages =
      work(threads, [&](const ExecutionContext& context) { model = std::make_unique<AnyModel>(fit(context, calibration_rows)); });
  return {std::move(model), std::move(messages)};
}

// Pickling and from_bytes.
template <class AnyModel>
AnyModel from_bytes(const nb::bytes& bytes) {
  return AnyModel::from_bytes({bytes.c_str(), bytes.size()});
}

template <class AnyModel>
void bind_bytes(nb::class_<AnyModel, Model>& bound) {
  bound.def("__setstate__", [](AnyModel& model, const nb::bytes& bytes) { new (&model) AnyModel(from_bytes<AnyModel>(bytes)); })
      .def_static(
          "from_bytes", [](const nb::bytes& bytes) { return std::make_unique<AnyModel>(from_bytes<AnyModel>(bytes)); },
          nb::arg("bytes"));
}

// A loss for f from a function of (prediction, y, weight).
PointLoss loss_of(const nb::object& function);

class Classifier;
class JointRegressor;
void bind_stream(nb::class_<Model>& bound);
void bind_stream(nb::class_<Regressor, Model>& bound);
void bind_stream(nb::class_<Classifier, Model>& bound);
void bind_stream(nb::class_<JointRegressor, Model>& bound);

}  // namespace taut
