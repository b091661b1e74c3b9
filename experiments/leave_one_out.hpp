// The paper's evaluation: every test row gets its interval from the scores of all other test rows.
#pragma once

#include <taut/task/number/regressor.hpp>

namespace taut {

struct LeftOut {
  double confidence;
  double mean_half_width = 0;
  double coverage = 0;
};

// `model` is calibrated on exactly the rows of `test`, whose targets are y.
void leave_one_out(const Regressor& model, const Table& test, std::span<const double> y, std::vector<LeftOut>& levels,
                   const ExecutionContext& context);

}  // namespace taut
