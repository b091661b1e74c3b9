// Multinomial logistic regression with a ridge penalty: the least of Σ −log p_y + λ/2 |W|², b free.
#pragma once

#include <taut/core/types.hpp>

#include <vector>

namespace taut {

class LogisticRidge {
 public:
  // Rows of inputs, and their labels below `classes`.
  LogisticRidge(const MatrixF& x, std::vector<Index> labels, Index classes);

  // From the weights as they are, inputs + 1 x labels, the last row being b, to the best ones for this penalty.
  void minimise(double penalty, Matrix& weights) const;

 private:
  Matrix gradient(const Matrix& weights, double penalty) const;

  Matrix x_;  // with a column of ones behind the inputs
  std::vector<Index> labels_;
  Index classes_;
  Eigen::MatrixXd gram_;
};

}  // namespace taut
