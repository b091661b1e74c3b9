// The logarithms of a kernel that make its evidence largest.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/predict/gp_kernel.hpp>

namespace taut {

// A step costs the cube of the rows, so most are taken on few rows and only the last ones on all.
struct GpSearch {
  Index few_rows = 200, steps_on_few = 40;
  Index steps = 12;
};

Eigen::VectorXd gp_search(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, const GpSearch& search,
                          const ExecutionContext& context);

}  // namespace taut
