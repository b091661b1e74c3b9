#include <python/models.hpp>
#include <taut/calibrate/calibration_kind.hpp>
#include <taut/core/text.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/guard/limits.hpp>
#include <taut/plan/columns.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

namespace {

auto fit(const PythonTable& table, const nb::dict& given, int threads, const PythonTable* calibration,
         const ForeignModel* foreign, const nb::object& loss) {
  const FitOptions options = options_from(given);
  const PointLoss own_loss = loss.is_none() ? PointLoss() : loss_of(loss);
  return fitted<Regressor>(
      threads, calibration, [&](const ExecutionContext& context, const std::optional<TableView>& calibration_rows) {
        if (own_loss) return Regressor::fit(table.view(), options, own_loss, context, calibration_rows);
        return foreign != nullptr ? Regressor::fit(table.view(), options, *foreign, context, calibration_rows)
                                  : Regressor::fit(table.view(), options, context, calibration_rows);
      });
}

// A student of the model, and messages. `calibration`: None, or a table, which may be empty.
auto distil(const Regressor& teacher, const PythonTable& table, int threads, const PythonTable* calibration,
            const std::string& name, std::optional<Index> seed, Index learn_from) {
  return fitted<Regressor>(
      threads, calibration, [&](const ExecutionContext& context, const std::optional<TableView>& calibration_rows) {
        return teacher.distil(table.view(), {.teacher = name, .seed = seed, .learn_from = learn_from}, context, calibration_rows);
      });
}

// Names of the columns that rows to predict need, besides inputs and predictions.
Words further_columns(const Regressor& model) {
  const auto schema = model.prediction_schema();
  const std::size_t known = model.input_schema().size() + model.task().given_columns().size();
  Words names;
  for (std::size_t i = known; i < schema.size(); ++i) names.push_back(schema[i].name);
  return names;
}

// Alarms about rows to predict: cells that do not match the training rows, and quantile predictions that cross.
nb::list input_alarms(const Regressor& model, const PythonTable& table) {
  const TableView rows = table.view();
  std::vector<Alarm> alarms = model.alarms_of_inputs(model.with_past(rows).matched(model.input_schema()));
  for (auto& alarm : alarms_of_crossed(count_crossed(rows, model.options()), rows.rows(), model.options()))
    alarms.push_back(std::move(alarm));
  return listed_alarms(alarms);
}

nb::tuple predict_interval(const Regressor& model, const PythonTable& table, const std::vector<double>& levels, int threads,
                           std::optional<std::uint64_t> smoothing) {
  auto predicted = std::make_unique<Predicted>();
  {
    const nb::gil_scoped_release no_lock;
    *predicted = model.predict_interval(table.view(), levels, ExecutionContext{.threads = threads}, smoothing);
  }
  const nb::list alarms = listed_alarms(model.alarms_of_groups(predicted->unseen));
  return predictions_and_intervals(std::move(predicted), levels.size(), alarms);
}

nb::object predict(const Regressor& model, const PythonTable& table, int threads) {
  std::vector<double> values;
  {
    const nb::gil_scoped_release no_lock;
    values = model.predict(table.view(), ExecutionContext{.threads = threads});
  }
  return as_array(std::move(values));
}

// One alarm for each question for which there are too few calibration rows.
nb::list too_few(const Regressor& model, const Words& names) {
  const Index rows = model.calibration_rows();
  if (kind_of(model) != CalibrationKind::plain) return {};
  std::vector<Alarm> alarms;
  for (const auto& name : names)
    if (auto words = questions().make(name)->too_few(rows, model.distribution().sure()); !words.empty())
      alarms.push_back(alarm_of_too_few_rows(std::move(words), rows));
  return listed_alarms(alarms);
}

// Returns predictions, answers (rows, columns) to questions with the names of `taut lists` ("quantile:0.9"), and alarms. `values`
// has one number for each row, for questions about given values.
nb::tuple ask(const Regressor& model, const PythonTable& table, const Words& names, const std::vector<double>& values,
              std::optional<std::uint64_t> smoothing, std::uint64_t seed, bool band, int threads) {
  std::vector<std::unique_ptr<Question>> asked;
  for (const auto& name : names) asked.push_back(questions().make(name));
  Answers answers;
  work(threads, [&](const ExecutionContext& context) {
    answers = model.ask(table.view(), asked, {.smoothing = smoothing, .seed = seed, .band = band, .values = values}, context);
  });
  const nb::list alarms = listed_alarms(model.alarms_of_groups(answers.unseen));
  return nb::make_tuple(as_array(std::move(answers.prediction)), matrix_as_array(std::move(answers.values)), alarms);
}

// The names of the columns of `ask`.
Words question_columns(const Words& names) {
  Words columns;
  for (const auto& name : names)
    for (auto& column : questions().make(name)->columns({})) columns.push_back(std::move(column));
  return columns;
}

nb::dict record(const Regressor& model) {
  const FitRecord& record = model.record();
  nb::list candidates;
  for (const CandidateRecord& candidate : record.candidates)
    candidates.append(dict_of("name", candidate.name, "transform", candidate.transform, "sides", candidate.sides,
                              "validation_loss", candidate.validation_loss, "standard_error", candidate.standard_error, "kept",
                              candidate.kept));
  nb::list stack;
  for (const StackMemberRecord& member : record.stack)
    stack.append(dict_of("predictor", member.predictor, "target_scale", member.scale, "error", member.error, "weight",
                         member.weight, "dropped", member.dropped));
  nb::dict result = dict_of("source", record.source, "rows", record.rows, "skipped_rows", record.skipped_rows);
  add_row_counts(result, record, model.calibration_rows());
  add_to(result, "transform", model.transform_name(), "fell_back", record.fell_back, "stack", stack, "candidates", candidates);
  return result;
}

// The groups of some rows, numbered from 0 in the same order.
std::vector<Index> groups_among(const std::vector<Index>& groups, const Rows& rows) {
  std::vector<Index> result;
  for (const Index row : rows) result.push_back(groups[static_cast<std::size_t>(row)]);
  std::vector<Index> known = result;
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  for (Index& group : result) group = std::lower_bound(known.begin(), known.end(), group) - known.begin();
  return result;
}

// The folds of cross-fitting and the calibration rows, for estimators that are trained in Python. With --max-rows these are the
// rows that a fit samples.
std::pair<std::vector<Rows>, Rows> cross_rows(Index rows, const nb::dict& given, const std::string& source,
                                              bool calibration_elsewhere, const std::vector<Index>& groups) {
  FitOptions options = options_from(given);
  for (auto* name : {&options.prediction, &options.lower_prediction, &options.upper_prediction}) name->clear();
  options.quantile_columns.clear();
  options.sample_columns.clear();
  options.split = "cross";
  const Rows used = enough_rows(all_rows(rows), options, ExecutionContext{});
  RowPlan plan = groups.empty() ? plan_rows(std::ssize(used), options, true, calibration_elsewhere, source)
                                : plan_groups(groups_among(groups, used), options, true, calibration_elsewhere, source);
  plan.place(used);
  std::vector<Rows> folds;
  for (const auto& fold : plan.folds) folds.emplace_back(plan.predictor.begin() + fold.begin, plan.predictor.begin() + fold.end);
  return {std::move(folds), std::move(plan.calibration)};
}

}  // namespace

void bind_regressor(nb::module_& module) {
  nb::class_<Regressor, Model> bound(module, "Regressor", "The model of a .taut file for regression.");
  bind_bytes(bound);
  bind_stream(bound);
  bound
      .def_static("fit", &fit, nb::arg("table"), nb::arg("options"), nb::arg("threads") = 0,
                  nb::arg("calibration").none() = nb::none(), nb::arg("foreign").none() = nb::none(),
                  nb::arg("loss").none() = nb::none(), "Returns the model and the messages of the fit.")
      .def_static(
          "load", [](const std::string& path) { return std::make_unique<Regressor>(Regressor::load(path)); }, nb::arg("path"))
      .def("distil", &distil, nb::arg("table"), nb::arg("threads") = 0, nb::arg("calibration").none() = nb::none(),
           nb::arg("teacher") = "", nb::arg("seed") = nb::none(), nb::arg("learn_from") = DistilOptions{}.learn_from,
           "Returns a student of this model and messages.")
      .def_prop_ro("is_student", &Regressor::is_student)
      .def_prop_ro("has_own_loss", [](const Regressor& model) { return number_task(model.parts()).has_own_loss; })
      .def_prop_ro("further_columns", &further_columns)
      .def("predict", &predict, nb::arg("table"), nb::arg("threads") = 0)
      .def("predict_interval", &predict_interval, nb::arg("table"), nb::arg("levels"), nb::arg("threads") = 0,
           nb::arg("smoothing") = nb::none())
      .def("ask", &ask, nb::arg("table"), nb::arg("questions"), nb::arg("values") = std::vector<double>(),
           nb::arg("smoothing") = nb::none(), nb::arg("seed") = 0, nb::arg("band") = false, nb::arg("threads") = 0)
      .def("too_few", &too_few, nb::arg("questions"))
      .def("input_alarms", &input_alarms, nb::arg("table"))
      .def_prop_ro("imported",
                   [](const Regressor& model) { return model.imported() == nullptr ? "" : model.imported()->describe(); })
      .def_prop_ro("record", &record)
      .def_prop_ro("columns", &columns_of_inputs)
      .def(
          "ranks",
          [](const Regressor& model, double level) {
            return nb::make_tuple(model.distribution().rank(level), model.distribution().last_rank(level),
                                  model.distribution().delivered(level));
          },
          nb::arg("level"),
          "For plain calibration: the rank of a level, the last rank with the same score, and the delivered coverage.");
  module.def("question_columns", &question_columns, nb::arg("questions"), "The names of the columns of `Regressor.ask`.");
  module.def("alarm_kinds", [] {
    Words names;
    for (const AlarmText& kind : alarm_kinds) names.emplace_back(kind.name);
    return names;
  });
  module.def("cross_rows", &cross_rows, nb::arg("rows"), nb::arg("options"), nb::arg("source"),
             nb::arg("calibration_elsewhere") = false, nb::arg("groups") = std::vector<Index>());
}

}  // namespace taut
