// Training rows that later choices may look at, and where rows lie among them.
#pragma once

#include <taut/calibrate/groups/group_columns.hpp>

namespace taut {

// A few of the rows that trained a model, as the model sees them: what later choices may look at, since calibration rows must not
// choose.

class TrainingSample {
 public:
  static constexpr Index most_rows = 400;

  TrainingSample() = default;
  TrainingSample(const TableView& x, RowsView rows, Matrix outputs);

  bool is_known() const { return outputs_.rows() > 0; }  // files of Taut 0.1 know nothing
  const Matrix& outputs() const { return outputs_; }     // f and log scales
  const MatrixF& inputs() const { return inputs_; }
  // The rows as a table of their inputs; the sample must outlive it.
  TableView table(const std::vector<Column>& schema) const;

  // Every so-maniest of the rows, so that there are at most `most`.
  static Rows thinned(const Rows& rows, Index most);

  void save(Archive archive) const;
  static TrainingSample load(const Archive& archive, Index inputs, Index outputs);

 private:
  MatrixF inputs_;
  Matrix outputs_;
};

// Where rows lie, for calibration rows that are near: in each coordinate at the share of training rows that lie below, so that
// units do not matter and neighbours are about as many everywhere.

class Neighbourhood {
 public:
  enum class In { outputs, inputs };  // f(x) and log s(x), or all inputs that are no categories

  Neighbourhood() = default;
  // An Error where all training rows lie in one place.
  Neighbourhood(In in, const TrainingSample& training, const std::vector<Column>& schema);

  Matrix points(const GroupedRows& rows) const;
  // How far neighbours may lie apart so that half of the training rows would have at least so many among the calibration rows;
  // infinite where all calibration rows together are not more.
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
