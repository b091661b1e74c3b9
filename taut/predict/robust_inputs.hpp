// Inputs that are bounded and alike in size whatever the table holds, for predictors that extrapolate or measure distances.
//
//   s = (x - median)/(third quartile - first quartile),  z = s/√(1 + (s/3)²)
// so that z is s where most rows are and never leaves (-3, 3): a row far outside the training rows is treated like one at their
// edge. Where the quartiles are equal, half the range takes their place; a constant column becomes 0.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/data/input_pool.hpp>

#include <vector>

namespace taut {

class RobustInputs {
 public:
  RobustInputs() = default;
  RobustInputs(const InputPool& x, RowsView rows);

  Index columns() const { return std::ssize(centre_); }
  void apply(const float* row, float* out) const;
  MatrixF apply(const InputPool& x, RowsView rows) const;

  void save(Archive archive) const;
  static RobustInputs load(const Archive& archive, Index inputs);

 private:
  std::vector<double> centre_;
  std::vector<double> factor_;  // 1/unit, 0 for a constant column
};

}  // namespace taut
