// The regions of a stream of several targets.
#pragma once

#include <taut/model/stream.hpp>

#include <vector>

namespace taut {

struct StreamedRegions final : Streamed {
  Index targets_of_row = 0;
  std::vector<double> predictions;  // rows x targets
  std::vector<Interval> boxes;      // rows x levels x targets: the boxes around the regions
};

}  // namespace taut
