// The settings of the boosted trees of g, shared with other code that trains such trees.
#pragma once

#include <taut/localize/localizer.hpp>
#include <taut/trees/booster.hpp>

namespace taut {

struct BoostPlan {
  BoosterSettings booster;
  Index rounds = 0, patience = 0;  // the defaults, if the user gives none
};

// The settings for g with `outputs` parameters per row. A field of `settings` that is 0 means its default.
BoostPlan boost_plan(Index rows, Index columns, Index outputs, const LocalizerSettings& settings = {});

}  // namespace taut
