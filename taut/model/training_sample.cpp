#include <taut/model/training_sample.hpp>

#include <taut/core/error.hpp>

namespace taut {

TrainingSample::TrainingSample(const TableView& x, RowsView rows, Matrix outputs)
    : inputs_(std::ssize(rows), std::ssize(x.columns())), outputs_(std::move(outputs)) {
  for (Index i = 0; i < inputs_.rows(); ++i)
    for (Index column = 0; column < inputs_.cols(); ++column)
      inputs_(i, column) = static_cast<float>(x(rows[static_cast<std::size_t>(i)], column));
}

TableView TrainingSample::table(const std::vector<Column>& schema) const {
  TableView view("the training rows", inputs_.rows());
  for (std::size_t i = 0; i < schema.size(); ++i)
    view.add(schema[i], CellsView(inputs_.data() + static_cast<Index>(i), inputs_.cols()));
  return view;
}

Rows TrainingSample::thinned(const Rows& rows, Index most) {
  const Index count = std::min(most, std::ssize(rows));
  Rows result;
  for (Index i = 0; i < count; ++i) result.push_back(rows[static_cast<std::size_t>(i * std::ssize(rows) / count)]);
  return result;
}

void TrainingSample::save(Archive archive) const {
  archive.put("inputs", inputs_);
  archive.put("outputs", outputs_);
}

TrainingSample TrainingSample::load(const Archive& archive, Index inputs, Index outputs) {
  TrainingSample sample;
  sample.inputs_ = archive.get<MatrixF>("inputs");
  sample.outputs_ = archive.get<Matrix>("outputs");
  if (sample.inputs_.rows() != sample.outputs_.rows() || sample.inputs_.cols() != inputs || sample.outputs_.cols() != outputs ||
      !sample.outputs_.allFinite())
    throw Error("the model file's sample of training rows does not fit: it is damaged");
  return sample;
}

}  // namespace taut
