// How far a row lies from the training rows that are like it.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/types.hpp>

#include <cstdint>
#include <vector>

namespace taut {

// A tree cuts the training rows into groups of neighbours. The box of a group has the smallest and the largest number of each
// input in it. A row that lies farther outside the box of its group than training rows outside those of others is in a gap
// between the training rows, although each of its numbers may be usual.
class TrainingBoxes {
 public:
  TrainingBoxes() = default;
  // Of these rows and inputs of x. Distances are counted in the slope of their input.
  TrainingBoxes(const MatrixF& x, const Rows& rows, const std::vector<std::int64_t>& inputs, const std::vector<double>& slope);

  bool empty() const { return feature_.empty(); }

  struct Distance {
    double size;
    Index input;  // that contributes most
  };
  // The sum over the inputs, less what is usual; 0 for every training row.
  Distance of(const float* x) const;

  // Nodes in the order of their depth. Node k with feature -1 is a leaf, else the next two nodes without a parent are its
  // children: the left one for rows with a number below the threshold. `feature` is a place in inputs().
  const std::vector<std::int64_t>& inputs() const { return inputs_; }
  const std::vector<double>& slope() const { return slope_; }
  const std::vector<std::int32_t>& feature() const { return feature_; }
  const std::vector<float>& threshold() const { return threshold_; }
  // The first child of a node, or the row of a leaf in low() and high().
  const std::vector<std::int32_t>& next() const { return next_; }
  const MatrixF& low() const { return low_; }
  const MatrixF& high() const { return high_; }
  double usual() const { return usual_; }

  void save(Archive archive) const;
  static TrainingBoxes load(const Archive& archive, Index inputs);

 private:
  void grow(const MatrixF& x, const Rows& rows);
  void number_nodes();
  void enclose(const MatrixF& x, const Rows& rows);
  Index box_of(const float* x) const;
  Distance distance(const float* x) const;

  std::vector<std::int64_t> inputs_;
  std::vector<double> slope_;
  std::vector<std::int32_t> feature_, next_;
  std::vector<float> threshold_;
  MatrixF low_, high_;  // boxes x inputs
  double usual_ = 0;
};

}  // namespace taut
