// The tasks. A new one is a folder here and a line below.
#include <taut/task/label/label_task.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

std::vector<TaskEntry>& tasks() {
  // In the order in which they are asked whether a target is theirs.
  static std::vector<TaskEntry> listed = {label_entry(), number_entry()};
  return listed;
}

}  // namespace taut
