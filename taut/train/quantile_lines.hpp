// Linear functions of the inputs for several quantiles of a target. With few rows they are smoother than the steps of trees.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/direction.hpp>
#include <taut/core/row_weights.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// Inputs are standardised. An input is clamped to its 1 % and 99 % quantiles over the training rows, so that an outlier has a
// bounded effect. A missing cell counts as the mean.
class QuantileLines {
 public:
  // True if there are few enough rows and columns, and at least five rows for each column.
  static bool suit(Index rows, Index columns);

  // For each probability p, minimises the pinball loss on the rows `train` plus a penalty on the slopes. The penalty is the same
  // for all p and is chosen by the loss on the rows `validation`. `target` and `weights` have a number for each row of x. Inputs
  // that `directions` says are unused get no slope.
  static QuantileLines fit(const Inputs& x, RowsView train, RowsView validation, std::span<const double> target,
                           std::span<const double> probabilities, RowWeights weights = {},
                           const InputDirections& directions = {});

  bool has_slopes() const { return slopes_.size() > 0; }
  const std::vector<double>& intercepts() const { return intercepts_; }  // quantiles where all inputs have their mean

  // Adds slopes · inputs to `out`, rows x probabilities.
  void add_slopes(const Inputs& x, Eigen::Ref<Matrix> out) const;

  std::optional<DescribedQuantiles::Lines> describe() const;  // empty without slopes
  // Saves the slopes and the standardisation, not the intercepts.
  void save(Archive archive) const;
  static QuantileLines load(const Archive& archive, Index inputs, Index outputs);

 private:
  struct Column {
    double minimum = 0, maximum = 0, centre = 0, unit = 0;  // a unit of 0: the column is not used
  };
  static Column column_of(std::vector<double> cells, RowWeights weights);
  double standard(std::size_t column, float cell) const;

  std::vector<Column> columns_;
  std::vector<double> intercepts_;
  Matrix slopes_;  // inputs x probabilities
};

}  // namespace taut
