#include <taut/task/any_model.hpp>

#include <taut/task/label/label_task.hpp>

namespace taut {

AnyModel load_any_model(const std::string& path) {
  Model model = Model::load(path);
  if (model.task().name() == LabelTask::listed_name) return Classifier(std::move(model));
  return Regressor(std::move(model));
}

}  // namespace taut
