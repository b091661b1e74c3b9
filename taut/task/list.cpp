// The list of tasks. A new task is a folder here and a line below.
#include <taut/task/label/label_task.hpp>
#include <taut/task/number/number_task.hpp>
#include <taut/task/several/several_task.hpp>

namespace taut {

std::vector<TaskEntry>& tasks() {
  // --task auto takes the first entry that fits the target.
  static std::vector<TaskEntry> listed = {several_entry(), label_entry(), number_entry()};
  return listed;
}

}  // namespace taut
