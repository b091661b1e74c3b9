#include <taut/task/label/classifier.hpp>

#include <taut/core/error.hpp>
#include <taut/task/label/label_task.hpp>

namespace taut {

Classifier::Classifier(Model model) : Model(std::move(model)) { (void)label_task(*parts_); }

Classifier Classifier::fit(const TableView& table, const FitOptions& options, const LabelOptions& label_options,
                           const ExecutionContext& context, const std::optional<TableView>& calibration) {
  return Classifier(Model::fit(std::make_unique<LabelTask>(label_options), table, options, context, calibration));
}

Classifier Classifier::load(const std::string& path) {
  Model model = Model::load(path);
  try {
    return Classifier(std::move(model));
  } catch (const Error& error) {
    throw Error(path + ": " + error.what());
  }
}
Classifier Classifier::from_bytes(std::string_view bytes) { return Classifier(Model::from_bytes(bytes)); }

StreamedSets Classifier::stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options,
                                const ExecutionContext& context) {
  return std::move(static_cast<StreamedSets&>(*Model::stream(rows, levels, options, context)));
}
StreamedSets Classifier::update(const TableView& rows, const StreamOptions& options, const ExecutionContext& context,
                                std::span<const double> levels) {
  return std::move(static_cast<StreamedSets&>(*Model::update(rows, options, context, levels)));
}

const LabelTask& Classifier::labels_task() const { return static_cast<const LabelTask&>(task()); }
const LabelOptions& Classifier::label_options() const { return labels_task().options; }
const std::vector<std::string>& Classifier::labels() const { return labels_task().labels; }
const LabelRecord& Classifier::label_record() const { return labels_task().record; }
Index Classifier::trees() const { return labels_task().given.empty() ? labels_task().predictor.trees() : 0; }
std::string Classifier::describe_predictor() const {
  return labels_task().given.empty() ? labels_task().predictor.describe() : "";
}
Index Classifier::correction_trees() const { return labels_task().corrected.trees(); }
Index Classifier::members() const { return labels_task().shift.members(); }
bool Classifier::by_label() const { return parts_->by_label; }

}  // namespace taut
