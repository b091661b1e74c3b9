// The entry of the list of tasks; saves and loads a task of several targets. Nothing in a model file is trusted.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/several/several_task.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

TaskEntry several_entry() {
  return {
      SeveralTask::listed_name,
      SeveralTask::in_file,
      "several numbers at once: joint regions",
      [](const TableView& table, const FitOptions& shared, const TaskOptions& own, bool) {
        return target_names(table, shared).size() > 1 || SeveralOptions::from(own).is_given();
      },
      [](const TaskOptions& own) -> std::unique_ptr<Task> { return std::make_unique<SeveralTask>(SeveralOptions::from(own)); },
      SeveralTask::load,
      [] {
        static const std::string regions = "auto|" + join(joint_regions().names(), "|");  // OptionText refers to it
        return std::vector<OptionText>{
            {"region", regions, "several targets: the joint region; auto: validation rows choose the smallest"},
            {"y-range", "TARGET:MIN:MAX:STEP,...",
             "several targets: the possible values of each that is named, instead of --y-min, --y-max and --y-step; a bound may "
             "be "
             "empty and the step left out: height:0:,count:0:99:1"}};
      },
      [](const TaskChoice& choice) {
        const SeveralOptions own = SeveralOptions::from(choice.options);
        own.check();
        if (own.is_given() && choice.name != "auto" && choice.name != SeveralTask::listed_name)
          throw UsageError(format_text("--{} is about several targets, and --task {} predicts one; leave one of them out",
                                       own.y_range.empty() ? "region" : "y-range", choice.name));
      },
      true};
}

const SeveralTask& several_task(const ModelParts& parts) {
  const auto* task = dynamic_cast<const SeveralTask*>(parts.task.get());
  if (task == nullptr) throw Error("the model does not predict several targets");
  return *task;
}

void SeveralTask::save(Archive archive) const {
  archive.put("region", region_name);
  if (options.region != "auto") archive.put("region_given", std::int64_t{1});
  if (!options.y_range.empty()) archive.put("y_range", options.y_range);
  region->save(archive.scope("joint"));
  if (!region->is_box()) dependence.save(archive.scope("dependence"));
  if (!trials.empty()) save_trials(archive.scope("trials"), trials);
  archive.put("spreads", joint.spreads);
  for (std::size_t j = 0; j < of_target.size(); ++j) {
    Archive own = archive.scope("target" + std::to_string(j));
    of_target[j]->save(own);
    save_record(own.scope("record"), records[j]);
    joint.scales[j].save(own.scope("common_scale"));
  }
}

std::unique_ptr<Task> SeveralTask::load(const Archive& archive, ModelParts& parts) {
  auto task = std::make_unique<SeveralTask>();
  task->region_name = archive.text("region");
  if (archive.has("region_given")) task->options.region = task->region_name;
  if (archive.has("y_range")) task->options.y_range = archive.text("y_range");
  task->region = joint_regions().make(task->region_name);
  JointTargets& joint = task->joint;
  joint.spreads = archive.get<std::vector<double>>("spreads");
  for (const Column& column : parts.target_columns) joint.names.push_back(column.name);
  const auto is_spread = [](double spread) { return spread > 0 && std::isfinite(spread); };
  if (joint.spreads.size() != joint.names.size() || !std::all_of(joint.spreads.begin(), joint.spreads.end(), is_spread))
    throw Error("the model file's targets do not fit together: it is damaged");
  for (std::size_t j = 0; j < joint.names.size(); ++j) {
    const Archive own = archive.scope("target" + std::to_string(j));
    ModelParts alone;
    alone.options = options_of_target(parts.options, task->options.y_range, joint.names, j);
    alone.schema = parts.schema;
    alone.target_columns = {parts.target_columns[j]};
    task->of_target.emplace_back(static_cast<NumberTask*>(NumberTask::load(own, alone).release()));
    task->records.push_back(load_record(own.scope("record")));
    joint.scales.push_back(CommonScale::load(own.scope("common_scale")));
    joint.ranges.push_back(task->of_target.back()->range);
  }
  task->region->load(archive.scope("joint"), joint.count());
  if (!task->region->is_box()) task->dependence = Dependence::load(archive.scope("dependence"), parts.schema, joint.count());
  if (archive.has_scope("trials")) task->trials = load_trials(archive.scope("trials"));
  return task;
}

KeptRows SeveralTask::load_kept(const Archive& archive, Index groups) const {
  return KeptRows::load(archive, kept_columns(), groups);
}

}  // namespace taut
