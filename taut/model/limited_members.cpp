#include <taut/model/limited_members.hpp>

#include <taut/model/parts.hpp>

namespace taut {

std::vector<LimitedMember> limited_members(const Model& model) {
  std::vector<LimitedMember> members;
  for (const PointPredictor::Part& part : model.parts().predictor.parts())
    if (const PredictionLimits& limits = part.predictor.limits(); limits.exist())
      members.push_back({part.predictor.name(), limits.low(), limits.high()});
  return members;
}

}  // namespace taut
