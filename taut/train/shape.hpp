// The second stage of g: what a scale leaves over. A transformation that stands on a scale (Transform::base) has its parameters
// from the shape that is listed under its name.
#pragma once

#include <taut/calibrate/row_score.hpp>
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
  // For rows with these inputs of the localizer and these log-scales, one a row or one for each side: the parameters of φ below
  // the centre, those above it, and how far the centre lies above f, everything in units of the residuals.
  virtual Matrix params(const Inputs& x, const Matrix& log_scales, int threads) const = 0;
  // What the shape computes, where it can be said in plain terms; only such a shape is exported.
  virtual std::optional<DescribedQuantiles> describe() const { return {}; }
  virtual void save(Archive archive) const = 0;
};

struct FittedShape {
  std::shared_ptr<const Shape> shape;
  double validation_loss = 0;  // mean log interval score over .68, .9 and .95, as that of the scale
  double loss_of_scale = 0;    // on the same rows
  double standard_error = 0;   // of the difference; infinite where validation rows are too few for one

  // Lower on validation rows, and if `clearly` by more than the standard error. Never where that error is unknown: then nothing
  // shows that the shape is better.
  bool is_better(bool clearly = false) const {
    return std::isfinite(standard_error) && is_lower_loss(validation_loss + (clearly ? standard_error : 0), loss_of_scale);
  }
};

// How shapes of one kind are made.
class ShapeKind {
 public:
  virtual ~ShapeKind() = default;
  // Scaled residuals of validation rows come from members of g that have not seen them; so does what is judged on them. Where
  // there is one part only, its training rows are scaled by the member that they trained.
  virtual FittedShape fit(const Localization& localization, const Transform& scale, const InputPool& x,
                          const Residuals& residuals, const std::vector<TrainingPart>& parts, std::uint64_t seed,
                          const ExecutionContext& context) const = 0;
  virtual std::shared_ptr<const Shape> load(const Archive& archive, Index inputs, Index sides) const = 0;
};

Registry<ShapeKind>& shapes();

}  // namespace taut
