#include <taut/task/number/regressor.hpp>

#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

Regressor::Regressor(Model model) : Model(std::move(model)) {
  if (dynamic_cast<const NumberTask*>(&task()) != nullptr) return;
  if (targets().size() > 1)
    throw Error(
        "the model predicts several targets at once; every command except explain, distil and export to C or ONNX takes it: for "
        "these fit each target alone");
  throw Error(
      "the model predicts labels, not numbers; every command except explain, distil and export to C or ONNX takes it, and in "
      "Python "
      "ConformalClassifier does");
}

Regressor Regressor::fit(const TableView& table, const FitOptions& options, const ExecutionContext& context,
                         const std::optional<TableView>& calibration) {
  return Regressor(Model::fit(std::make_unique<NumberTask>(), table, options, context, calibration));
}

Regressor Regressor::fit(const TableView& table, const FitOptions& options, const ForeignModel& foreign,
                         const ExecutionContext& context, const std::optional<TableView>& calibration) {
  return Regressor(Model::fit(std::make_unique<NumberTask>(), table, options, context, calibration, &foreign));
}

Regressor Regressor::fit(const TableView& table, FitOptions options, const PointLoss& loss, const ExecutionContext& context,
                         const std::optional<TableView>& calibration) {
  if (options.has_f())
    throw UsageError("a loss of your own is for trees that Taut trains, and f is given; leave one of them out");
  if (options.predictor != "stack" && options.predictor != "boost")
    throw UsageError(format_text("--predictor {}: only boosted trees minimise a loss of your own; leave it out, or give boost",
                                 options.predictor));
  if (!options.target_scale.empty() && options.target_scale != "as-is" && options.target_scale != "auto")
    throw UsageError(
        format_text("--target-scale {}: a loss of your own is in units of the target; leave it out", options.target_scale));
  if (options.predictor == "stack")
    context.tell("with a loss of your own f is boosted trees alone: other members of the stack have their own losses");
  options.predictor = "boost";
  options.target_scale.clear();
  auto task = std::make_unique<NumberTask>();
  task->loss = loss;
  task->has_own_loss = true;
  Regressor model(Model::fit(std::move(task), table, options, context, calibration));
  const auto forget = [](ModelParts& parts) { static_cast<NumberTask&>(*parts.task).loss = {}; };
  forget(*model.parts_);
  for (const auto& held_out : model.parts_->held_out) forget(*held_out);
  return model;
}

Regressor::Regressor(std::unique_ptr<ModelParts> parts) : Model(std::move(parts)) {}

bool Regressor::is_student() const { return number().student.has_value(); }

Regressor Regressor::load(const std::string& path) {
  Model model = Model::load(path);
  try {
    return Regressor(std::move(model));
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}
Regressor Regressor::from_bytes(std::string_view bytes) { return Regressor(Model::from_bytes(bytes)); }

Streamed Regressor::stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options,
                           const ExecutionContext& context) {
  return std::move(*Model::stream(rows, levels, options, context));
}
Streamed Regressor::update(const TableView& rows, const StreamOptions& options, const ExecutionContext& context,
                           std::span<const double> levels) {
  return std::move(*Model::update(rows, options, context, levels));
}

const NumberTask& Regressor::number() const { return static_cast<const NumberTask&>(task()); }
const ForeignModel* Regressor::imported() const {
  const ImportedPredictor* imported = number().predictor.imported();
  return imported != nullptr ? &imported->model() : nullptr;
}
Index Regressor::kept_rows() const { return parts_->kept.rows(); }
const TargetRange& Regressor::target_range() const { return number().range; }
const std::string& Regressor::transform_name() const { return number().score.transform_name(); }
const Transform& Regressor::transform() const { return number().score.transform(); }
Index Regressor::members() const { return number().score.localization().n_members(); }
int Regressor::sides() const { return number().score.localization().sides(); }
const std::vector<double>& Regressor::exponents() const { return number().score.localization().exponents(); }

}  // namespace taut
