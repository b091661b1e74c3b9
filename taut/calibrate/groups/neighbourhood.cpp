#include <taut/calibrate/groups/neighbourhood.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>

#include <algorithm>
#include <cmath>

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

Rows TrainingSample::thinned(const Rows& rows, Index maximum) {
  const Index count = std::min(maximum, std::ssize(rows));
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

namespace {

constexpr std::size_t max_knots = 65;

GroupedRows rows_of(const TableView& table, const Rows& rows, const TrainingSample& training) {
  return {table, table, rows, training.outputs()};
}

}  // namespace

Neighbourhood::Neighbourhood(In in, const TrainingSample& training, const std::vector<Column>& schema) : in_(in) {
  const Index count = in == In::outputs ? training.outputs().cols() : training.inputs().cols();
  for (Index column = 0; column < count; ++column) {
    if (in == In::inputs && schema[static_cast<std::size_t>(column)].is_categorical()) continue;
    std::vector<double> values;
    for (Index row = 0; row < training.outputs().rows(); ++row)
      values.push_back(in == In::outputs ? training.outputs()(row, column) : static_cast<double>(training.inputs()(row, column)));
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    std::sort(values.begin(), values.end());
    if (values.empty() || values.front() == values.back()) continue;
    std::vector<double> knots;
    const std::size_t last = std::min(max_knots, values.size()) - 1;
    for (std::size_t k = 0; k <= last; ++k) knots.push_back(values[k * (values.size() - 1) / last]);
    columns_.push_back(column);
    knots_.push_back(std::move(knots));
  }
  if (columns_.empty())
    throw Error(
        "--local: all training rows have the same coordinates, so no calibration row is nearer than another; leave --local out");
}

// The share of training rows below the value: the midpoint if several knots equal it, 0 or 1 beyond the ends.
double Neighbourhood::place(std::size_t coordinate, double value) const {
  const auto& knots = knots_[coordinate];
  if (!std::isfinite(value)) return value > 0 ? 1 : value < 0 ? 0 : 0.5;
  const auto above = std::upper_bound(knots.begin(), knots.end(), value), at = std::lower_bound(knots.begin(), above, value);
  const auto last = static_cast<double>(knots.size() - 1);
  if (at != above) return 0.5 * static_cast<double>((at - knots.begin()) + (above - knots.begin()) - 1) / last;
  if (above == knots.begin()) return 0;
  if (above == knots.end()) return 1;
  const double low = *(above - 1), high = *above;
  return (static_cast<double>(above - knots.begin() - 1) + (value - low) / (high - low)) / last;
}

Matrix Neighbourhood::points(const GroupedRows& rows) const {
  Matrix result(std::ssize(rows.rows), coordinates());
  for (Index i = 0; i < result.rows(); ++i)
    for (Index k = 0; k < result.cols(); ++k) {
      const Index column = columns_[static_cast<std::size_t>(k)];
      const double value = in_ == In::outputs ? rows.outputs(i, column) : rows.x(rows.rows[static_cast<std::size_t>(i)], column);
      result(i, k) = place(static_cast<std::size_t>(k), value);
    }
  return result;
}

std::vector<double> Neighbourhood::reaches(const TrainingSample& training, const std::vector<Column>& schema,
                                           Index calibration_rows, Index wanted, std::uint64_t seed) const {
  if (wanted >= calibration_rows) return std::vector<double>(columns_.size(), infinity);
  const TableView table = training.table(schema);
  const Rows rows = all_rows(table.rows());
  const Matrix at = points(rows_of(table, rows, training));
  Random random(seed);
  Matrix moves(at.rows(), at.cols());
  for (double& move : moves.reshaped()) move = 2 * random.uniform() - 1;
  // The share of rows within `reach` of a row's anchor: the median over rows.
  const auto share = [&](double reach) {
    std::vector<Index> counts;
    for (Index i = 0; i < at.rows(); ++i) {
      const Eigen::RowVectorXd anchor = at.row(i) + reach * moves.row(i);
      Index near = 0;
      for (Index j = 0; j < at.rows(); ++j) near += (at.row(j) - anchor).cwiseAbs().maxCoeff() <= reach ? 1 : 0;
      counts.push_back(near);
    }
    std::nth_element(counts.begin(), counts.begin() + std::ssize(counts) / 2, counts.end());
    return static_cast<double>(counts[counts.size() / 2]) / static_cast<double>(at.rows());
  };
  const double needed = static_cast<double>(wanted) / static_cast<double>(calibration_rows);
  double low = 0, high = 1;
  while (share(high) < needed && high < 1e6) high *= 2;
  for (int step = 0; step < 30; ++step) {
    const double middle = 0.5 * (low + high);
    (share(middle) < needed ? low : high) = middle;
  }
  return std::vector<double>(columns_.size(), high);
}

void Neighbourhood::save(Archive archive) const {
  archive.put("in", std::string(in_ == In::outputs ? "outputs" : "inputs"));
  archive.put("columns", std::vector<std::int64_t>(columns_.begin(), columns_.end()));
  for (std::size_t i = 0; i < knots_.size(); ++i) archive.put("knots" + std::to_string(i), knots_[i]);
}

Neighbourhood Neighbourhood::load(const Archive& archive, Index inputs, Index outputs) {
  const auto require = [](bool holds) {
    if (!holds) throw Error("the model file's neighbourhoods make no sense: it is damaged");
  };
  Neighbourhood result;
  const std::string& in = archive.text("in");
  require(in == "outputs" || in == "inputs");
  result.in_ = in == "outputs" ? In::outputs : In::inputs;
  for (const std::int64_t column : archive.get<std::vector<std::int64_t>>("columns")) {
    require(column >= 0 && column < (result.in_ == In::outputs ? outputs : inputs));
    result.columns_.push_back(column);
  }
  require(!result.columns_.empty());
  for (std::size_t i = 0; i < result.columns_.size(); ++i) {
    const auto& knots = archive.get<std::vector<double>>("knots" + std::to_string(i));
    require(knots.size() >= 2 && std::all_of(knots.begin(), knots.end(), [](double knot) { return std::isfinite(knot); }) &&
            std::is_sorted(knots.begin(), knots.end()));
    result.knots_.push_back(knots);
  }
  return result;
}

}  // namespace taut
