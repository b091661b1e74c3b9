// The tasks. A new one is a folder here and a line below.
#include <taut/task/label/label_task.hpp>
#include <taut/task/number/number_task.hpp>

#include <array>

namespace taut {

std::span<const TaskEntry> tasks() {
  // In the order in which they are asked whether a target is theirs.
  static const std::array listed = {label_entry(), number_entry()};
  return listed;
}

}  // namespace taut
