// A fit with --time: what fits into the budget.
#pragma once

#include <taut/fit/time_budget.hpp>
#include <taut/model/parts.hpp>

#include <memory>

namespace taut {

// As fit_parts(). With --time, a fit with --effort quick comes first. It is the result if the named effort does not end in time;
// how long it took says whether that is tried. The options of the result have the effort and the repeats that were chosen, and no
// time: they give the same model.
std::unique_ptr<ModelParts> fit_in_time(std::unique_ptr<Task> task, const FitRequest& request, const TimeBudget& budget);

}  // namespace taut
