#include <taut/train/quantile_lines.hpp>

#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/trees/quantile_boosting.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace taut {

namespace {

using Vector = Eigen::VectorXd;

// Penalties on half the squared slopes, with target and slopes in units of the target's spread. They are tried from the strongest
// on, and each fit starts from the previous one.
constexpr std::array penalties{0.3, 0.1, 0.03, 0.01, 0.003, 0.001};
constexpr int steps_of_penalty = 12;
constexpr double corner = 0.01;  // half-width of the smoothed kink of the pinball loss, in units of the spread

constexpr Index max_rows = 5000, max_columns = 100, min_rows_of_slope = 5;
constexpr double tail_share = 0.01;  // share of the cells on each side that are clamped

// Iteratively reweighted least squares: each step minimises the parabola that touches the smoothed loss from above. The last
// column of `inputs` is 1 everywhere; its coefficient, the intercept, has no penalty.
void approach(const Matrix& inputs, const Vector& target, const Vector& of_rows, double p, double penalty, Vector& coefficients) {
  Vector pull = (p - 0.5) * inputs.colwise().sum().transpose();
  if (of_rows.size() > 0) pull = (p - 0.5) * (inputs.transpose() * of_rows);
  const double rows = of_rows.size() > 0 ? of_rows.sum() : static_cast<double>(inputs.rows());
  for (int step = 0; step < steps_of_penalty; ++step) {
    Vector weight = 0.5 / ((target - inputs * coefficients).array().abs() + corner);
    if (of_rows.size() > 0) weight.array() *= of_rows.array();
    const Matrix weighted = weight.asDiagonal() * inputs;
    Eigen::MatrixXd gram = multiply(inputs.transpose(), weighted.transpose(), Transpose::right);
    gram.diagonal().head(gram.cols() - 1).array() += penalty * rows;
    const Vector next = solve_semidefinite(gram, weighted.transpose() * target + pull);
    if (!next.allFinite()) return;
    coefficients = next;
  }
}

double mean_loss(const Matrix& inputs, const Vector& target, const Vector& of_rows, const Matrix& coefficients,
                 std::span<const double> probabilities) {
  const Matrix quantiles = inputs * coefficients;
  double sum = 0;
  for (Index i = 0; i < target.size(); ++i)
    for (std::size_t k = 0; k < probabilities.size(); ++k)
      sum += (of_rows.size() > 0 ? of_rows[i] : 1.0) *
             scaled_pinball_loss(target[i] - quantiles(i, static_cast<Index>(k)), probabilities[k]);
  return sum / (of_rows.size() > 0 ? of_rows.sum() : static_cast<double>(std::max<Index>(1, target.size())));
}

Vector picked(std::span<const double> values, RowsView rows, double unit) {
  Vector result(std::ssize(rows));
  for (Index i = 0; i < result.size(); ++i)
    result[i] = values[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])] / unit;
  return result;
}

}  // namespace

bool QuantileLines::suit(Index rows, Index columns) {
  return rows <= max_rows && columns <= max_columns && rows >= min_rows_of_slope * columns;
}

QuantileLines::Column QuantileLines::column_of(std::vector<double> cells, RowWeights weights) {
  Column column;
  if (cells.empty()) return column;
  column.minimum = interpolated_quantile(cells, weights, tail_share);
  column.maximum = interpolated_quantile(cells, weights, 1 - tail_share);
  const double all = total_weight(weights, std::ssize(cells));
  double squares = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    cells[i] = std::clamp(cells[i], column.minimum, column.maximum);
    column.centre += weight_of(weights, static_cast<Index>(i)) * (cells[i] / all);
  }
  for (std::size_t i = 0; i < cells.size(); ++i)
    squares += weight_of(weights, static_cast<Index>(i)) * ((cells[i] - column.centre) * (cells[i] - column.centre));
  const double unit = std::sqrt(squares / all);
  const bool varies = unit > 1e-6 * std::max(std::abs(column.minimum), std::abs(column.maximum)) && std::isfinite(unit);
  return varies ? Column{column.minimum, column.maximum, column.centre, unit} : Column{};
}

double QuantileLines::standard(std::size_t column, float cell) const {
  const Column& own = columns_[column];
  if (own.unit == 0 || cell != cell) return 0;
  return (std::clamp(static_cast<double>(cell), own.minimum, own.maximum) - own.centre) / own.unit;
}

QuantileLines QuantileLines::fit(const Inputs& x, RowsView train, RowsView validation, std::span<const double> target,
                                 std::span<const double> probabilities, RowWeights weights, const InputDirections& directions) {
  QuantileLines lines;
  for (Index column = 0; column < x.cols(); ++column) {
    std::vector<double> cells, of_cells;
    const bool is_used = directions.empty() || directions[static_cast<std::size_t>(column)] != Direction::unused;
    for (const Index row : train)
      if (const float cell = x(row, column); is_used && std::isfinite(cell)) {
        cells.push_back(static_cast<double>(cell));
        if (!weights.empty()) of_cells.push_back(weight_of(weights, row));
      }
    lines.columns_.push_back(column_of(std::move(cells), of_cells));
  }
  const auto standard_rows = [&](RowsView rows) {
    Matrix inputs = Matrix::Ones(std::ssize(rows), x.cols() + 1);
    for (Index i = 0; i < inputs.rows(); ++i)
      for (Index k = 0; k < x.cols(); ++k)
        inputs(i, k) = lines.standard(static_cast<std::size_t>(k), x(rows[static_cast<std::size_t>(i)], k));
    return inputs;
  };
  const Matrix inputs = standard_rows(train), held_out = standard_rows(validation);
  std::vector<double> all;
  for (const Index row : train) all.push_back(target[static_cast<std::size_t>(row)]);
  const std::vector<double> of_train = pick_weights(weights, train), of_validation = pick_weights(weights, validation);
  const Vector w = Eigen::Map<const Vector>(of_train.data(), std::ssize(of_train));
  const Vector w_held_out = Eigen::Map<const Vector>(of_validation.data(), std::ssize(of_validation));
  const double half_spread = (interpolated_quantile(all, of_train, 0.75) - interpolated_quantile(all, of_train, 0.25)) / 2;
  const double unit = half_spread > 0 ? half_spread : 1;
  const Vector y = picked(target, train, unit), y_held_out = picked(target, validation, unit);

  Matrix coefficients = Matrix::Zero(x.cols() + 1, std::ssize(probabilities));
  for (Index k = 0; k < coefficients.cols(); ++k)
    coefficients(x.cols(), k) = interpolated_quantile(all, of_train, probabilities[static_cast<std::size_t>(k)]) / unit;
  Matrix best = coefficients;
  double minimum = mean_loss(held_out, y_held_out, w_held_out, coefficients, probabilities);
  bool has_slopes = false;
  for (const double penalty : penalties) {
    for (Index k = 0; k < coefficients.cols(); ++k) {
      Vector own = coefficients.col(k);
      approach(inputs, y, w, probabilities[static_cast<std::size_t>(k)], penalty, own);
      coefficients.col(k) = own;
    }
    const double loss = mean_loss(held_out, y_held_out, w_held_out, coefficients, probabilities);
    if (!(loss < minimum)) break;  // weaker penalties would be worse still
    minimum = loss;
    best = coefficients;
    has_slopes = true;
  }
  best *= unit;
  for (Index k = 0; k < best.cols(); ++k) lines.intercepts_.push_back(best(x.cols(), k));
  if (has_slopes) lines.slopes_ = best.topRows(x.cols());
  return lines;
}

void QuantileLines::add_slopes(const Inputs& x, Eigen::Ref<Matrix> out) const {
  if (!has_slopes()) return;
  for (Index row = 0; row < x.rows(); ++row)
    for (Index k = 0; k < x.cols(); ++k)
      if (const double cell = standard(static_cast<std::size_t>(k), x(row, k)); cell != 0) out.row(row) += cell * slopes_.row(k);
}

std::optional<DescribedQuantiles::Lines> QuantileLines::describe() const {
  if (!has_slopes()) return {};
  DescribedQuantiles::Lines lines;
  for (const Column& column : columns_) {
    lines.minimum.push_back(column.minimum);
    lines.maximum.push_back(column.maximum);
    lines.centre.push_back(column.centre);
    lines.unit.push_back(column.unit);
  }
  lines.slopes.assign(slopes_.data(), slopes_.data() + slopes_.size());
  return lines;
}

void QuantileLines::save(Archive archive) const {
  const auto lines = describe().value_or(DescribedQuantiles::Lines{});
  archive.put("least", lines.minimum);
  archive.put("most", lines.maximum);
  archive.put("centre", lines.centre);
  archive.put("unit", lines.unit);
  archive.put("slopes", lines.slopes);
}

QuantileLines QuantileLines::load(const Archive& archive, Index inputs, Index outputs) {
  const auto numbers = [&](const char* name, Index count) {
    auto values = archive.get<std::vector<double>>(name);
    if (std::ssize(values) != count || !std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); }))
      throw Error(format_text("the lines of the model file's curve are damaged: '{}' is not {} finite numbers", name, count));
    return values;
  };
  QuantileLines lines;
  const auto minimum = numbers("least", inputs), maximum = numbers("most", inputs), centre = numbers("centre", inputs),
             unit = numbers("unit", inputs), slopes = numbers("slopes", inputs * outputs);
  for (std::size_t k = 0; k < unit.size(); ++k) {
    if (!(unit[k] >= 0) || !(minimum[k] <= maximum[k]))
      throw Error("the lines of the model file's curve are damaged: an input has no range");
    lines.columns_.push_back({minimum[k], maximum[k], centre[k], unit[k]});
  }
  lines.slopes_ = Eigen::Map<const Matrix>(slopes.data(), inputs, outputs);
  return lines;
}

}  // namespace taut
