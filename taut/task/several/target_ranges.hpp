// --y-range: the possible values of each of several targets.
#pragma once

#include <taut/model/task.hpp>

#include <string>
#include <vector>

namespace taut {

// Sets y_min, y_max and y_step of a target to those that `y_range` names for it, if it does: TARGET:MIN:MAX or
// TARGET:MIN:MAX:STEP, with commas between them. Throws UsageError if an item names none of the targets, names one twice, or is
// no range.
void apply_target_range(const std::string& y_range, const std::vector<std::string>& names, std::size_t target, FitOptions& own);

}  // namespace taut
