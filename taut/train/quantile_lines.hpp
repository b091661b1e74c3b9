// Linear functions of the inputs for several quantiles of a target at once: what few rows can tell of quantiles that trees would
// cut into steps.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// Inputs count in units of their spread. Beyond the 1 % and 99 % quantiles of the rows that it learned from an input counts as
// these, so that a strange cell moves a line no further than a usual one; a missing cell counts as the mean.
class QuantileLines {
 public:
  // Whether there are few enough rows and columns, and more rows than slopes.
  static bool suit(Index rows, Index columns);

  // The lines of a probability p have the least pinball loss on the rows `train`, plus a penalty on their slopes that is the
  // same for all p: the one with which the rows `validation` have the least loss. `target` has a number for each row of x.
  static QuantileLines fit(const Inputs& x, RowsView train, RowsView validation, std::span<const double> target,
                           std::span<const double> probabilities);

  bool has_slopes() const { return slopes_.size() > 0; }
  const std::vector<double>& intercepts() const { return intercepts_; }  // of rows whose inputs all are usual

  // Adds what the slopes say to `out`, rows x probabilities.
  void add_slopes(const Inputs& x, Eigen::Ref<Matrix> out) const;

  std::optional<DescribedQuantiles::Lines> describe() const;  // nothing without slopes
  // Slopes only.
  void save(Archive archive) const;
  static QuantileLines load(const Archive& archive, Index inputs, Index outputs);

 private:
  struct Column {
    double least = 0, most = 0, centre = 0, unit = 0;  // a unit of 0: the column tells nothing
  };
  static Column column_of(std::vector<double> cells);
  double standard(std::size_t column, float cell) const;

  std::vector<Column> columns_;
  std::vector<double> intercepts_;
  Matrix slopes_;  // inputs x probabilities
};

}  // namespace taut
