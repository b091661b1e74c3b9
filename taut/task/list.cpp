#include <taut/task/any_model.hpp>
#include <taut/task/label/label_task.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

AnyModel load_any_model(const std::string& path) {
  Model model = Model::load(path);
  if (model.task().name() == LabelTask::listed_name) return Classifier(std::move(model));
  return Regressor(std::move(model));
}

// The tasks. A new one is a folder here and a line below.

std::vector<TaskEntry>& tasks() {
  // In the order in which they are asked whether a target is theirs.
  static std::vector<TaskEntry> listed = {label_entry(), number_entry()};
  return listed;
}

}  // namespace taut
