// Lets rows that select the model choose the kind of joint region.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/task/several/joint_region.hpp>

#include <string>
#include <vector>

namespace taut {

// How a kind of region did on rows that it was not fitted to: the mean of volume^(1/targets) at confidence 0.9, with the standard
// error of its difference from the first kind, and L1-ERT, how far coverage given x is from 0.9.
struct RegionTrial {
  std::string region;
  double side = 0, standard_error = 0, ert = 0;
};

// All kinds, in the order of their list. Each is fitted to one half of the rows and judged on the other half, both ways.
std::vector<RegionTrial> try_regions(const JointTraining& training, const MatrixF& inputs, const ExecutionContext& context,
                                     std::uint64_t seed);
// The smallest; among those that are larger by 1 % at most, the one with the lowest L1-ERT.
std::string best_region(const std::vector<RegionTrial>& trials);

void save_trials(Archive archive, const std::vector<RegionTrial>& trials);
std::vector<RegionTrial> load_trials(const Archive& archive);

}  // namespace taut
