#include <python/calibration.hpp>
#include <python/evaluation.hpp>
#include <python/options.hpp>
#include <python/shift.hpp>
#include <python/table.hpp>
#include <python/words.hpp>
#include <python/work.hpp>
#include <taut/task/any_model.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/model/empty_columns.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

using Words = std::vector<std::string>;

std::string python_name_of(std::string_view name) {
  std::string result(name);
  std::replace(result.begin(), result.end(), '-', '_');
  return result;
}

LabelOptions class_options_from(const nb::dict& given) {
  LabelOptions options;
  options.task = "classes";
  Words names;
  for_each_label_option(options, [&]<class T>(const OptionText& text, T& value) {
    names.push_back(python_name_of(text.name));
    const nb::str name(names.back().c_str());
    if (given.contains(name) && !nb::try_cast(given[name], value))
      throw nb::type_error((names.back() + " takes " + (std::is_same_v<T, bool> ? "True or False" : "a text") + ", got " +
                            nb::cast<std::string>(nb::repr(given[name])))
                               .c_str());
  });
  for (const auto& [key, value] : given) {
    const auto name = nb::cast<std::string>(nb::str(key));
    if (std::find(names.begin(), names.end(), name) == names.end()) throw UsageError(unknown_name("option", name, names));
  }
  return options;
}

std::pair<std::unique_ptr<Classifier>, Words> fit_classes(const PythonTable& table, const nb::dict& given,
                                                          const nb::dict& classes, int threads, const PythonTable* calibration) {
  const FitOptions options = options_from(given);
  const LabelOptions class_options = class_options_from(classes);
  std::optional<TableView> elsewhere;
  if (calibration != nullptr) elsewhere = calibration->view();
  std::unique_ptr<Classifier> model;
  Words said;
  work(threads, said, [&](const ExecutionContext& context) {
    model = std::make_unique<Classifier>(Classifier::fit(table.view(), options, class_options, context, elsewhere));
  });
  return {std::move(model), std::move(said)};
}

nb::list calibrate_classes(Classifier& model, const PythonTable& table, int threads, const Words& by,
                           const std::string& other_groups, bool plain, std::optional<bool> by_label, const PythonTable* towards,
                           std::optional<Index> local, const std::string& local_in, const std::string& keep_together,
                           const Words& overlapping, std::optional<double> sure) {
  CalibrationOptions how{.by = by,
                         .other_groups = other_groups,
                         .weights = {},
                         .towards = {},
                         .local = local,
                         .local_in = local_in,
                         .keep_together = keep_together,
                         .overlapping = overlapping,
                         .plain = plain,
                         .by_label = by_label,
                         .sure = sure};
  if (towards != nullptr) how.towards = towards->view();
  Words said;
  std::vector<Alarm> alarms;
  work(threads, said, [&](const ExecutionContext& context) { alarms = model.calibrate(table.view(), context, how); });
  return listed_alarms(alarms);
}

template <class T>
nb::ndarray<nb::numpy, T> owned(std::vector<T> values, std::initializer_list<std::size_t> shape) {
  auto* raw = new std::vector<T>(std::move(values));
  const nb::capsule owner(raw, [](void* pointer) noexcept { delete static_cast<std::vector<T>*>(pointer); });
  return nb::ndarray<nb::numpy, T>(raw->data(), shape, owner);
}

nb::object array_of(const Matrix& matrix) {
  return nb::cast(owned(std::vector<double>(matrix.data(), matrix.data() + matrix.size()),
                        {static_cast<std::size_t>(matrix.rows()), static_cast<std::size_t>(matrix.cols())}));
}

nb::object probabilities(const Classifier& model, const PythonTable& table, int threads) {
  Matrix p;
  {
    const nb::gil_scoped_release no_lock;
    p = model.probabilities(table.view(), ExecutionContext{.threads = threads});
  }
  return array_of(p);
}

// Probabilities (rows, labels), members of sets (rows, levels, labels), alarms.
nb::tuple predict_sets(const Classifier& model, const PythonTable& table, const std::vector<double>& levels, int threads,
                       std::optional<std::uint64_t> smoothing) {
  PredictedSets sets;
  std::vector<Alarm> alarms;
  {
    const nb::gil_scoped_release no_lock;
    sets = model.predict_sets(table.view(), levels, ExecutionContext{.threads = threads}, {.smoothing = smoothing});
    const TableView x = table.view().matched(model.input_schema());
    alarms = alarms_of(x.mismatches());
    EmptyColumns empty;
    empty.add(x);
    for (const auto& more : {model.alarms_of_empty(empty, x.mismatches()), model.alarms_of_groups(sets.unseen)})
      alarms.insert(alarms.end(), more.begin(), more.end());
  }
  const auto rows = static_cast<std::size_t>(sets.probabilities.rows());
  return nb::make_tuple(array_of(sets.probabilities),
                        owned(std::move(sets.members), {rows, levels.size(), static_cast<std::size_t>(sets.classes())}),
                        listed_alarms(alarms));
}

nb::object number_or_none(double value) { return std::isfinite(value) ? nb::cast(value) : nb::object(nb::none()); }

nb::list lines_of(const std::vector<SetLine>& lines) {
  nb::list result;
  for (const SetLine& line : lines) {
    nb::dict one;
    one["name"] = line.name;
    one["rows"] = line.rows;
    one["covered"] = line.covered;
    one["coverage"] = number_or_none(line.coverage());
    one["low"] = number_or_none(line.band.low);
    one["high"] = number_or_none(line.band.high);
    one["mean_size"] = number_or_none(line.mean_size);
    result.append(one);
  }
  return result;
}

nb::dict evaluate_classes(const Classifier& model, const PythonTable& table, const std::vector<double>& levels, int threads,
                          const Words& by) {
  SetEvaluation evaluation;
  Words said;
  work(threads, said, [&](const ExecutionContext& context) { evaluation = model.evaluate(table.view(), levels, context, by); });
  nb::dict result, probabilities;
  for (const auto& [name, value] : evaluation.probabilities) probabilities[name.c_str()] = number_or_none(value);
  nb::list all;
  for (std::size_t i = 0; i < evaluation.levels.size(); ++i) {
    const SetLevelReport& level = evaluation.levels[i];
    nb::dict one;
    one["confidence"] = level.confidence;
    one["rank"] = level.rank > 0 ? nb::cast(level.rank) : nb::object(nb::none());
    one["delivered"] = number_or_none(level.delivered);
    for (const auto& [name, value] : level.metrics) one[name.c_str()] = number_or_none(value);
    if (!std::isnan(level.group_coverage)) one["group_coverage"] = level.group_coverage;
    one["by_label"] = lines_of(level.by_label);
    one["by_size"] = lines_of(level.by_size);
    one["confusion"] = array_of(level.confusion);
    if (!evaluation.groups.empty()) one["by_group"] = lines_of(evaluation.groups[i].second);
    all.append(one);
  }
  result["rows"] = evaluation.rows;
  result["calibration_rows"] = evaluation.calibration_rows;
  result["unknown_labels"] = evaluation.unknown_labels;
  result["labels"] = model.labels();
  result["probabilities"] = probabilities;
  result["levels"] = all;
  result["alarms"] = listed_alarms(evaluation.alarms);
  return result;
}

nb::dict record_of_classes(const Classifier& model) {
  const FitRecord& record = model.record();
  const LabelRecord& own = model.label_record();
  nb::dict result;
  result["source"] = record.source;
  result["rows"] = record.rows;
  result["predictor_rows"] = record.predictor_rows;
  result["transform_rows"] = record.transform_rows;
  result["validation_rows"] = record.validation_rows;
  result["calibration_rows"] = model.law().rows();
  result["trees"] = model.trees();
  nb::dict weights;
  for (const auto& [name, weight] : model.predictor_members()) weights[name.c_str()] = weight;
  result["predictor_weights"] = weights;
  result["temperature"] = 1 / own.inverse_temperature;
  result["transform"] = own.trained ? "odds" : "fixed";
  result["fell_back"] = record.fell_back;
  result["objective"] = own.objective;
  result["without"] = number_or_none(own.without);
  result["with"] = number_or_none(own.with);
  result["standard_error"] = number_or_none(own.error);
  return result;
}

nb::dict class_options_of(const Classifier& model) {
  nb::dict result;
  for_each_label_option(model.label_options(),
                        [&](const OptionText& text, const auto& value) { result[python_name_of(text.name).c_str()] = value; });
  return result;
}

nb::list columns_of_classes(const Classifier& model) {
  nb::list result;
  for (const Column& column : model.input_schema()) result.append(column.name);
  return result;
}

nb::bytes bytes_of_classes(const Classifier& model) {
  const std::string bytes = model.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Classifier classes_of_bytes(const nb::bytes& bytes) { return Classifier::from_bytes({bytes.c_str(), bytes.size()}); }

// A Regressor or a Classifier, as the file says.
nb::object load_any(const std::string& path) {
  AnyModel any = load_any_model(path);
  if (auto* classes = std::get_if<Classifier>(&any)) return nb::cast(std::make_unique<Classifier>(std::move(*classes)));
  return nb::cast(std::make_unique<Regressor>(std::move(std::get<Regressor>(any))));
}

}  // namespace

void bind_stream(nb::class_<Classifier>& model);

void bind_classes(nb::module_& module) {
  nb::class_<Classifier> bound(module, "Classifier", "What a .taut file holds whose target is a label.");
  bind_stream(bound);
  bound
      .def_static("fit", &fit_classes, nb::arg("table"), nb::arg("options"), nb::arg("class_options"), nb::arg("threads") = 0,
                  nb::arg("calibration").none() = nb::none(), "The model, and what the fit had to say.")
      .def("calibrate", &calibrate_classes, nb::arg("table"), nb::arg("threads") = 0, nb::arg("by") = Words(),
           nb::arg("other_groups") = "whole-line", nb::arg("plain") = false, nb::arg("by_label") = nb::none(),
           nb::arg("towards").none() = nb::none(), nb::arg("local") = nb::none(), nb::arg("local_in") = "prediction",
           nb::arg("keep_together") = "", nb::arg("overlapping") = Words(), nb::arg("sure") = nb::none())
      .def_prop_ro("sure", &Classifier::sure)
      .def("fit_alarms", [](const Classifier& model) { return listed_alarms(model.alarms_of_fit()); })
      .def("check_shift", &check_shift<Classifier>, nb::arg("table"), nb::arg("threads") = 0)
      .def("probabilities", &probabilities, nb::arg("table"), nb::arg("threads") = 0)
      .def("predict_sets", &predict_sets, nb::arg("table"), nb::arg("levels"), nb::arg("threads") = 0,
           nb::arg("smoothing") = nb::none())
      .def("evaluate", &evaluate_classes, nb::arg("table"), nb::arg("levels"), nb::arg("threads") = 0, nb::arg("by") = Words())
      .def("save", &Classifier::save, nb::arg("path"))
      .def("to_bytes", &bytes_of_classes)
      .def("__getstate__", &bytes_of_classes)
      .def("__setstate__", [](Classifier& model, const nb::bytes& bytes) { new (&model) Classifier(classes_of_bytes(bytes)); })
      .def_prop_ro("labels", &Classifier::labels)
      .def_prop_ro("options", [](const Classifier& model) { return as_dict(model.options()); })
      .def_prop_ro("class_options", &class_options_of)
      .def_prop_ro("record", &record_of_classes)
      .def_prop_ro("calibration", &calibration_of<Classifier>)
      .def_prop_ro("columns", &columns_of_classes)
      .def_prop_ro("scores", [](const Classifier& model) { return model.law().scores(); });
  module.def("load_any", &load_any, nb::arg("path"), "A Regressor or a Classifier, as the file says.");
}

}  // namespace taut
