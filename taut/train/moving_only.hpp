// An objective restricted to the parameters that move the whole curve: those that bend it get no gradient.
#pragma once

#include <taut/train/objective.hpp>

#include <memory>

namespace taut {

class MovingOnly final : public Objective {
 public:
  explicit MovingOnly(std::unique_ptr<const Objective> whole) : whole_(std::move(whole)) {}

  Index least_batch() const override { return whole_->least_batch(); }
  double least_gain() const override { return whole_->least_gain(); }
  double evaluate(const ObjectiveRows& rows, Matrix* gradient, Matrix* curvature) const override {
    const double loss = whole_->evaluate(rows, gradient, curvature);
    const Index params = rows.transform.n_params(), moving = rows.transform.n_moving_params();
    if (gradient != nullptr)
      for (int side = 0; side < rows.sides; ++side) {
        gradient->middleCols(side * params + moving, params - moving).setZero();
        curvature->middleCols(side * params + moving, params - moving).setZero();
      }
    return loss;
  }

 private:
  std::unique_ptr<const Objective> whole_;
};

}  // namespace taut
