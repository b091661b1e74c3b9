// Between which values the predictions of the members of f are held.
#pragma once

#include <taut/model/model.hpp>

#include <string>
#include <vector>

namespace taut {

struct LimitedMember {
  std::string predictor;
  double lower = 0, upper = 0;  // in units of the target
};

// Those that are held at all.
std::vector<LimitedMember> limited_members(const Model& model);

}  // namespace taut
