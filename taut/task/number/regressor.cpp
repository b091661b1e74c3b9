#include <taut/task/number/regressor.hpp>

#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

Regressor::Regressor(Model model) : Model(std::move(model)) {
  if (dynamic_cast<const NumberTask*>(&task()) == nullptr)
    throw Error(
        "the model predicts labels, not numbers; every command except explain and export to C or ONNX takes it, and in Python "
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
