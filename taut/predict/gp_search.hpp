// The logarithms of a kernel that make its evidence largest.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/predict/gp_kernel.hpp>

namespace taut {

Eigen::VectorXd gp_search(const Eigen::MatrixXd& x, const Eigen::VectorXd& y, Index steps, const ExecutionContext& context);

}  // namespace taut
