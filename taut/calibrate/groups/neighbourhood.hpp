// A sample of the training rows for choices after training, and coordinates of rows relative to this sample.
#pragma once

#include <taut/calibrate/groups/group_columns.hpp>

namespace taut {

// A sample of the training rows in the model's columns. Choices after training use it, because calibration rows must not be used
// for choices.

class TrainingSample {
 public:
  static constexpr Index max_rows = 400;

  TrainingSample() = default;
  TrainingSample(const TableView& x, RowsView rows, Matrix outputs);

  bool is_known() const { return outputs_.rows() > 0; }  // model files of Taut 0.1 have none
  const Matrix& outputs() const { return outputs_; }     // f and log scales
  const MatrixF& inputs() const { return inputs_; }
  // The rows as a table of their inputs; the sample must outlive it.
  TableView table(const std::vector<Column>& schema) const;

  // At most `maximum` of the rows, evenly spaced.
  static Rows thinned(const Rows& rows, Index maximum);

  void save(Archive archive) const;
  static TrainingSample load(const Archive& archive, Index inputs, Index outputs);

 private:
  MatrixF inputs_;
  Matrix outputs_;
};

// Coordinates of rows for localized calibration. Each coordinate is the share of training rows below the row's value, so units do
// not matter and the number of neighbours is about the same everywhere.

class Neighbourhood {
 public:
  enum class In { outputs, inputs };  // f(x) and log s(x), or all inputs that are not categorical

  Neighbourhood() = default;
  // An Error if all training rows have the same coordinates.
  Neighbourhood(In in, const TrainingSample& training, const std::vector<Column>& schema);

  Matrix points(const GroupedRows& rows) const;
  // The distance within which half of the training rows would have at least `wanted` neighbours among the calibration rows.
  // Infinite if there are at most `wanted` calibration rows.
  std::vector<double> reaches(const TrainingSample& training, const std::vector<Column>& schema, Index calibration_rows,
                              Index wanted, std::uint64_t seed) const;

  void save(Archive archive) const;
  static Neighbourhood load(const Archive& archive, Index inputs, Index outputs);
  Index coordinates() const { return std::ssize(columns_); }

 private:
  double place(std::size_t coordinate, double value) const;

  In in_ = In::outputs;
  Rows columns_;                            // of the inputs, or of the outputs
  std::vector<std::vector<double>> knots_;  // of each coordinate: quantiles of the training rows, ascending
};

}  // namespace taut
