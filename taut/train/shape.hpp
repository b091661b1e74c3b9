// The second stage of g: the shape of the residuals after division by a scale. A transformation with a base scale
// (Transform::base) gets its parameters from the shape that is listed under its name.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/direction.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>
#include <taut/data/split.hpp>
#include <taut/train/localization.hpp>

#include <cmath>

namespace taut {

class Shape {
 public:
  virtual ~Shape() = default;
  virtual Index n_members() const = 0;
  // `x` has the inputs of the localizer, `log_scales` one or two columns (sides). Returns for each row the parameters of φ below
  // the centre, those above it, and centre − f, all in units of the residuals.
  virtual Matrix params(const Inputs& x, const Matrix& log_scales, int threads) const = 0;
  // A description of the trained function for export. A shape without one cannot be exported.
  virtual std::optional<DescribedQuantiles> describe() const { return {}; }
  virtual void save(Archive archive) const = 0;
};

struct FittedShape {
  std::shared_ptr<const Shape> shape;
  double validation_loss = 0;  // log of the mean interval score over .68, .9 and .95
  double loss_of_scale = 0;    // the same of the scale alone, on the same rows
  double standard_error = 0;   // of the difference; infinite if there are too few validation rows
  Matrix held_out = {};        // params() of the rows `held_out_rows`, each from members that were not trained on it
  Rows held_out_rows = {};     // the validation rows; a sample of them if there are many

  // True if the loss is lower than that of the scale, with `clearly` by more than the standard error. False if the standard error
  // is unknown.
  bool is_better(bool clearly = false) const {
    return std::isfinite(standard_error) && is_lower_loss(validation_loss + (clearly ? standard_error : 0), loss_of_scale);
  }
};

// Trains and loads shapes of one kind.
class ShapeKind {
 public:
  virtual ~ShapeKind() = default;
  // Residuals of validation rows are scaled by members of g that were not trained on them, and the shape is evaluated in the same
  // way. With a single part, its training rows are scaled by the member that was trained on them. `directions` says which inputs
  // are unused; empty: none.
  virtual FittedShape fit(const Localization& localization, const Transform& scale, const InputPool& x,
                          const Residuals& residuals, const std::vector<TrainingPart>& parts, std::uint64_t seed,
                          const ExecutionContext& context, const InputDirections& directions = {}) const = 0;
  virtual std::shared_ptr<const Shape> load(const Archive& archive, Index inputs, Index sides) const = 0;
};

Registry<ShapeKind>& shapes();

}  // namespace taut
