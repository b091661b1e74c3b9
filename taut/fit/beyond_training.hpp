// How much wider intervals are at rows unlike the training rows.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/fit/training_boxes.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// Beyond the numbers of the training rows, and in gaps between them, nothing is known of f: trees continue their last leaf. There
// the scale s of a row grows, such that the usual interval at 0.9 gets wider on both sides by as much as y would change if it
// went on with its mean slope. For a training row it does not grow.
class BeyondTraining {
 public:
  BeyondTraining() = default;
  // `inputs`: of g, of the training rows; the first ones are those of `encoder`, a table with `columns`. `z`: the targets on the
  // scale of the score; `unit`: of their residuals.
  BeyondTraining(const MatrixF& inputs, const Encoder& encoder, const std::vector<Column>& columns, std::span<const double> z,
                 RowWeights weights, double unit);

  bool empty() const { return inputs_.empty(); }
  // Some inputs of g, the smallest and the largest number of each in the training rows, and the slope of the growth with the
  // distance from the nearer of these.
  const std::vector<std::int64_t>& inputs() const { return inputs_; }
  const std::vector<double>& low() const { return low_; }
  const std::vector<double>& high() const { return high_; }
  const std::vector<double>& slope() const { return slope_; }
  // Growth is the larger one of this slope · distance and the distance from the boxes of neighbouring rows, at most max_growth().
  const TrainingBoxes& boxes() const { return boxes_; }
  double max_growth() const { return max_growth_; }

  struct Growth {
    double of_scale;  // in units of the residuals
    Index input;      // to which most of it is due
  };
  // Of one row with these inputs of g.
  Growth of(const float* inputs) const;

  void save(Archive archive) const;
  static BeyondTraining load(const Archive& archive, Index inputs);

 private:
  std::vector<std::int64_t> inputs_;
  std::vector<double> low_, high_, slope_;
  TrainingBoxes boxes_;
  double max_growth_ = 0;
};

}  // namespace taut
