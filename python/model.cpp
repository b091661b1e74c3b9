#include <python/calibration.hpp>
#include <python/evaluation.hpp>
#include <python/options.hpp>
#include <python/shift.hpp>
#include <python/table.hpp>
#include <python/words.hpp>
#include <python/work.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/text.hpp>
#include <taut/data/kinds.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/empty_columns.hpp>
#include <taut/model/model.hpp>
#include <taut/model/prediction_outside.hpp>
#include <taut/model/row_plan.hpp>

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

using Messages = std::vector<std::string>;
using Numbers = nb::ndarray<nb::numpy, double>;

static_assert(sizeof(Interval) == 2 * sizeof(double));

std::unique_ptr<Model> fit(const PythonTable& table, const nb::dict& given, int threads, const PythonTable* calibration,
                           const ForeignModel* foreign, Messages& said) {
  const FitOptions options = options_from(given);
  std::optional<TableView> elsewhere;
  if (calibration != nullptr) elsewhere = calibration->view();
  std::unique_ptr<Model> model;
  work(threads, said, [&](const ExecutionContext& context) {
    model = std::make_unique<Model>(foreign != nullptr ? Model::fit(table.view(), options, *foreign, context, elsewhere)
                                                       : Model::fit(table.view(), options, context, elsewhere));
  });
  return model;
}

std::pair<std::unique_ptr<Model>, Messages> fit_and_tell(const PythonTable& table, const nb::dict& options, int threads,
                                                         const PythonTable* calibration, const ForeignModel* foreign) {
  Messages said;
  auto model = fit(table, options, threads, calibration, foreign, said);
  return {std::move(model), std::move(said)};
}

nb::list calibrate(Model& model, const PythonTable& table, int threads, const std::vector<std::string>& by,
                   const std::string& other_groups, const std::string& weights, const PythonTable* towards,
                   std::optional<Index> local, const std::string& local_in, const std::string& keep_together,
                   const std::vector<std::string>& overlapping, bool plain, std::optional<double> sure) {
  CalibrationOptions how{.by = by,
                         .other_groups = other_groups,
                         .weights = weights,
                         .towards = {},
                         .local = local,
                         .local_in = local_in,
                         .keep_together = keep_together,
                         .overlapping = overlapping,
                         .plain = plain,
                         .sure = sure};
  if (towards != nullptr) how.towards = towards->view();
  Messages said;
  std::vector<Alarm> alarms;
  work(threads, said, [&](const ExecutionContext& context) { alarms = model.calibrate(table.view(), context, how); });
  return listed_alarms(alarms);
}

// Columns that rows to predict need besides inputs and predictions.
std::vector<std::string> further_columns(const Model& model) {
  const auto schema = model.prediction_schema();
  const std::size_t known = model.input_schema().size() + static_cast<std::size_t>(model.options().n_prediction_columns());
  std::vector<std::string> names;
  for (std::size_t i = known; i < schema.size(); ++i) names.push_back(schema[i].name);
  return names;
}

// Of rows to predict: cells that are not what training rows had.
nb::list input_alarms(const Model& model, const PythonTable& table) {
  const TableView rows = table.view();
  const TableView x = model.with_past(rows).matched(model.input_schema());
  std::vector<Alarm> alarms = alarms_of(x.mismatches());
  EmptyColumns empty;
  empty.add(x);
  for (auto& alarm : model.alarms_of_empty(empty, x.mismatches())) alarms.push_back(std::move(alarm));
  for (auto& alarm : alarms_of_crossed(count_crossed(rows, model.options()), rows.rows(), model.options()))
    alarms.push_back(std::move(alarm));
  return listed_alarms(alarms);
}

// An empty set has no ends, as on the command line.
void blank_empty_sets(Predicted& predicted) {
  for (Interval& interval : predicted.intervals)
    if (interval.empty()) interval = {missing, missing};
}

// f(x) as (rows), the intervals as (rows, 2, levels): both are views of what C++ computed.
nb::tuple as_arrays(const Model& model, std::unique_ptr<Predicted> predicted) {
  const nb::list alarms = listed_alarms(model.alarms_of_groups(predicted->unseen));
  const std::size_t rows = predicted->prediction.size(), levels = predicted->levels.size();
  const auto step = static_cast<std::int64_t>(2 * levels);
  Predicted* raw = predicted.release();
  const nb::capsule owner(raw, [](void* pointer) noexcept { delete static_cast<Predicted*>(pointer); });
  auto* ends = reinterpret_cast<double*>(raw->intervals.data());
  return nb::make_tuple(Numbers(raw->prediction.data(), {rows}, owner), Numbers(ends, {rows, 2, levels}, owner, {step, 1, 2}),
                        alarms);
}

nb::tuple predict_interval(const Model& model, const PythonTable& table, const std::vector<double>& levels, int threads,
                           std::optional<std::uint64_t> smoothing) {
  auto predicted = std::make_unique<Predicted>();
  {
    const nb::gil_scoped_release no_lock;
    *predicted = model.predict_interval(table.view(), levels, ExecutionContext{.threads = threads}, smoothing);
    blank_empty_sets(*predicted);
  }
  return as_arrays(model, std::move(predicted));
}

nb::object predict(const Model& model, const PythonTable& table, int threads) {
  auto values = std::make_unique<std::vector<double>>();
  {
    const nb::gil_scoped_release no_lock;
    *values = model.predict(table.view(), ExecutionContext{.threads = threads});
  }
  auto* raw = values.release();
  const nb::capsule owner(raw, [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
  return nb::cast(Numbers(raw->data(), {raw->size()}, owner));
}

nb::dict evaluate(const Model& model, const PythonTable& table, const std::vector<double>& levels, int threads,
                  const std::vector<std::string>& by) {
  Evaluation evaluation;
  Messages said;
  std::vector<Index> outside;
  work(threads, said, [&](const ExecutionContext& context) {
    evaluation = model.evaluate(table.view(), levels, context, by);
    outside = predictions_outside(model, table.view(), levels, context);
  });
  nb::dict result = as_dict(evaluation);
  nb::list counts;
  for (std::size_t i = 0; i < outside.size(); ++i) {
    nb::dict one;
    one["confidence"] = levels[i];
    one["rows"] = outside[i];
    counts.append(one);
  }
  result["predictions_outside"] = counts;
  return result;
}

// One alarm for each question that the calibration rows are too few for.
nb::list too_few(const Model& model, const std::vector<std::string>& names) {
  const Index rows = model.calibration_rows();
  if (kind_of(model) != CalibrationKind::plain) return {};
  std::vector<Alarm> alarms;
  for (const auto& name : names)
    if (auto words = questions().make(name)->too_few(rows, model.law().sure()); !words.empty())
      alarms.push_back({AlarmKind::too_few_rows, std::move(words), "", {}, {{"calibration_rows", static_cast<double>(rows)}}});
  return listed_alarms(alarms);
}

// Predictions, and answers to questions as `taut lists` names them, "quantile:0.9": one row of numbers for each row. `values` are
// what some questions are about, one a row.
nb::tuple ask(const Model& model, const PythonTable& table, const std::vector<std::string>& names,
              const std::vector<double>& values, std::optional<std::uint64_t> smoothing, std::uint64_t seed, bool band,
              int threads) {
  std::vector<std::unique_ptr<Question>> asked;
  for (const auto& name : names) asked.push_back(questions().make(name));
  auto answers = std::make_unique<Answers>();
  Messages said;
  work(threads, said, [&](const ExecutionContext& context) {
    *answers = model.ask(table.view(), asked, {.smoothing = smoothing, .seed = seed, .band = band, .values = values}, context);
  });
  const nb::list alarms = listed_alarms(model.alarms_of_groups(answers->unseen));
  Answers* raw = answers.release();
  const nb::capsule owner(raw, [](void* pointer) noexcept { delete static_cast<Answers*>(pointer); });
  const auto rows = static_cast<std::size_t>(raw->values.rows()), columns = static_cast<std::size_t>(raw->values.cols());
  return nb::make_tuple(Numbers(raw->prediction.data(), {rows}, owner), Numbers(raw->values.data(), {rows, columns}, owner),
                        alarms);
}

nb::dict record(const Model& model) {
  const FitRecord& record = model.record();
  nb::list candidates;
  for (const CandidateRecord& candidate : record.candidates) {
    nb::dict one;
    one["name"] = candidate.name;
    one["transform"] = candidate.transform;
    one["sides"] = candidate.sides;
    one["validation_loss"] = candidate.validation_loss;
    one["standard_error"] = candidate.standard_error;
    one["kept"] = candidate.kept;
    candidates.append(one);
  }
  nb::list stack;
  for (const StackMemberRecord& member : record.stack) {
    nb::dict one;
    one["predictor"] = member.predictor;
    one["target_scale"] = member.scale;
    one["error"] = member.error;
    one["weight"] = member.weight;
    one["dropped"] = member.dropped;
    stack.append(one);
  }
  nb::dict result;
  result["source"] = record.source;
  result["rows"] = record.rows;
  result["skipped_rows"] = record.skipped_rows;
  result["predictor_rows"] = record.predictor_rows;
  result["transform_rows"] = record.transform_rows;
  result["validation_rows"] = record.validation_rows;
  result["calibration_rows"] = model.calibration_rows();
  result["transform"] = model.transform_name();
  result["fell_back"] = record.fell_back;
  result["stack"] = stack;
  result["candidates"] = candidates;
  return result;
}

// Input columns: name, and the categories, None for numbers.
nb::list columns(const Model& model) {
  nb::list result;
  for (const Column& column : model.input_schema()) {
    const nb::object categories = column.is_categorical() ? nb::cast(column.categories) : nb::object(nb::none());
    result.append(nb::make_tuple(column.name, categories));
  }
  return result;
}

// Every column that the model knows of, with what it was taken for: inputs in their order, then those that were left out.
nb::list column_facts(const Model& model) {
  const auto& notes = model.record().columns;
  nb::list result;
  const auto add = [&result](const std::string& name, std::string_view kind, const char* use, const std::string& words) {
    nb::dict one;
    one["name"] = name;
    one["kind"] = std::string(kind);
    one["use"] = use;
    one["words"] = in_python(words);
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

// The folds that cross-fitting scores one by one, and the calibration rows, for estimators that Python trains.
std::pair<std::vector<Rows>, Rows> cross_rows(Index rows, const nb::dict& given, const std::string& source,
                                              bool calibration_elsewhere, const std::vector<Index>& groups) {
  FitOptions options = options_from(given);
  for (auto* name : {&options.prediction, &options.lower_prediction, &options.upper_prediction}) name->clear();
  options.split = "cross";
  RowPlan plan = groups.empty() ? plan_rows(rows, options, true, calibration_elsewhere, source)
                                : plan_groups(groups, options, true, calibration_elsewhere, source);
  std::vector<Rows> folds;
  for (const auto& fold : plan.folds) folds.emplace_back(plan.predictor.begin() + fold.begin, plan.predictor.begin() + fold.end);
  return {std::move(folds), std::move(plan.calibration)};
}

nb::bytes to_bytes(const Model& model) {
  const std::string bytes = model.to_bytes();
  return nb::bytes(bytes.data(), bytes.size());
}

Model model_of(const nb::bytes& bytes) { return Model::from_bytes({bytes.c_str(), bytes.size()}); }

std::unique_ptr<Model> from_bytes(const nb::bytes& bytes) { return std::make_unique<Model>(model_of(bytes)); }

}  // namespace

void bind_stream(nb::class_<Model>& model);

void bind_model(nb::module_& module) {
  nb::class_<Model> bound(module, "Model", "Predictor, transformation and calibration: what a .taut file holds.");
  bind_stream(bound);
  bound
      .def_static("fit", &fit_and_tell, nb::arg("table"), nb::arg("options"), nb::arg("threads") = 0,
                  nb::arg("calibration").none() = nb::none(), nb::arg("foreign").none() = nb::none(),
                  "The model, and what the fit had to say.")
      .def("calibrate", &calibrate, nb::arg("table"), nb::arg("threads") = 0, nb::arg("by") = std::vector<std::string>(),
           nb::arg("other_groups") = "whole-line", nb::arg("weights") = "", nb::arg("towards").none() = nb::none(),
           nb::arg("local") = nb::none(), nb::arg("local_in") = "prediction", nb::arg("keep_together") = "",
           nb::arg("overlapping") = std::vector<std::string>(), nb::arg("plain") = false, nb::arg("sure") = nb::none())
      .def_prop_ro("sure", &Model::sure)
      .def_prop_ro("calibration", &calibration_of<Model>)
      .def_prop_ro("further_columns", &further_columns)
      .def("predict", &predict, nb::arg("table"), nb::arg("threads") = 0)
      .def("predict_interval", &predict_interval, nb::arg("table"), nb::arg("levels"), nb::arg("threads") = 0,
           nb::arg("smoothing") = nb::none())
      .def("ask", &ask, nb::arg("table"), nb::arg("questions"), nb::arg("values") = std::vector<double>(),
           nb::arg("smoothing") = nb::none(), nb::arg("seed") = 0, nb::arg("band") = false, nb::arg("threads") = 0)
      .def("too_few", &too_few, nb::arg("questions"))
      .def("input_alarms", &input_alarms, nb::arg("table"))
      .def("fit_alarms", [](const Model& model) { return listed_alarms(model.alarms_of_fit()); })
      .def("check_shift", &check_shift<Model>, nb::arg("table"), nb::arg("threads") = 0)
      .def("evaluate", &evaluate, nb::arg("table"), nb::arg("levels"), nb::arg("threads") = 0,
           nb::arg("by") = std::vector<std::string>())
      .def("save", &Model::save, nb::arg("path"))
      .def_static(
          "load", [](const std::string& path) { return std::make_unique<Model>(Model::load(path)); }, nb::arg("path"))
      .def("to_bytes", &to_bytes)
      .def("__getstate__", &to_bytes)
      .def("__setstate__", [](Model& model, const nb::bytes& bytes) { new (&model) Model(model_of(bytes)); })
      .def_static("from_bytes", &from_bytes, nb::arg("bytes"))
      .def_prop_ro("options", [](const Model& model) { return as_dict(model.options()); })
      .def_prop_ro("imported", [](const Model& model) { return model.imported() == nullptr ? "" : model.imported()->in_words(); })
      .def_prop_ro("record", &record)
      .def_prop_ro("columns", &columns)
      .def_prop_ro("column_facts", &column_facts)
      .def_prop_ro("scores", [](const Model& model) { return model.law().scores(); });
  module.def("alarm_kinds", [] {
    std::vector<std::string> names;
    for (const AlarmText& kind : alarm_kinds) names.emplace_back(kind.name);
    return names;
  });
  module.def("cross_rows", &cross_rows, nb::arg("rows"), nb::arg("options"), nb::arg("source"),
             nb::arg("calibration_elsewhere") = false, nb::arg("groups") = std::vector<Index>());
}

}  // namespace taut
