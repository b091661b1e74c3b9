// A few of the rows that trained a model, as the model sees them: what later choices may look at, since calibration rows must not
// choose.
#pragma once

#include <taut/model/group_columns.hpp>

namespace taut {

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

}  // namespace taut
