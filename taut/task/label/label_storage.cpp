// What a model file holds of a task of labels. Nothing in it is trusted.
#include <taut/core/error.hpp>
#include <taut/task/label/label_rows.hpp>
#include <taut/task/label/label_task.hpp>

#include <algorithm>

namespace taut {

namespace {

[[noreturn]] void throw_damaged(const std::string& what) {
  throw Error("the model file's " + what + " do not fit together: it is damaged");
}

void save_label_record(Archive archive, const LabelRecord& record) {
  archive.put("inverse_temperature", record.inverse_temperature);
  archive.put("objective", record.objective);
  archive.put("figures", std::vector<double>{record.without, record.with, record.error});
  archive.put("losses", std::vector<double>{record.loss_without, record.loss_with, record.loss_error});
}

LabelRecord load_label_record(const Archive& archive) {
  LabelRecord record;
  record.inverse_temperature = archive.number("inverse_temperature");
  if (!(record.inverse_temperature > 0 && record.inverse_temperature < infinity)) throw_damaged("probabilities");
  record.objective = archive.text("objective");
  const auto& figures = archive.get<std::vector<double>>("figures");
  if (figures.size() != 3) throw_damaged("figures");
  record.without = figures[0];
  record.with = figures[1];
  record.error = figures[2];
  const auto& losses = archive.get<std::vector<double>>("losses");
  if (losses.size() != 3) throw_damaged("figures");
  record.loss_without = losses[0];
  record.loss_with = losses[1];
  record.loss_error = losses[2];
  return record;
}

void check_labels(const Column& target) {
  auto sorted = target.categories;
  std::sort(sorted.begin(), sorted.end());
  if (target.kind != ColumnKind::category || sorted.size() < 2 || std::ssize(sorted) > most_classes ||
      std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    throw_damaged("labels");
}

}  // namespace

void LabelTask::save(Archive archive) const {
  options.save(archive.scope("class_options"));
  save_label_record(archive.scope("classes"), record);
  if (given.empty()) predictor.save(archive);
  if (!mended.empty()) mended.save(archive.scope("mended"));
  if (!shift.empty()) shift.save(archive.scope("shift"));
}

std::unique_ptr<Task> LabelTask::load(const Archive& archive, ModelParts& parts) {
  check_labels(parts.target);
  auto task = std::make_unique<LabelTask>(LabelOptions::load(archive.scope("class_options")));
  task->seed = static_cast<std::uint64_t>(parts.options.seed);
  task->record = load_label_record(archive.scope("classes"));
  task->labels = parts.target.categories;
  task->label_score = class_scores().make(task->options.score_in_force());
  if (const auto& prefix = task->options.probabilities; prefix.empty())
    task->predictor = ClassPredictor::load(archive, parts.schema, task->classes());
  else
    for (const auto& label : task->labels) task->given.push_back(prefix + label);
  if (archive.has_scope("mended")) task->mended = MendedLogits::load(archive.scope("mended"), parts.schema, task->classes());
  task->record.mended = !task->mended.empty();
  if (archive.has_scope("shift")) task->shift = SetShift::load(archive.scope("shift"), parts.schema);
  task->record.trained = !task->shift.empty();
  return task;
}

}  // namespace taut
