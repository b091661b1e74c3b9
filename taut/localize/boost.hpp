// How the boosted trees of g are grown, also where they are trained elsewhere.
#pragma once

#include <taut/localize/localizer.hpp>
#include <taut/trees/booster.hpp>

namespace taut {

struct BoostPlan {
  BoosterSettings booster;
  Index rounds = 0, patience = 0;  // where the user names none
};

// For g with `outputs` parameters a row; `settings` that are 0 have their default.
BoostPlan boost_plan(Index rows, Index columns, Index outputs, const LocalizerSettings& settings = {});

}  // namespace taut
