#include <taut/predict/elastic_sums.hpp>

#include <taut/algebra/dense.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

using Vector = Eigen::VectorXd;

}  // namespace

ElasticColumns::ElasticColumns(const MatrixF& x, std::span<const double> y, RowWeights weights, Index maximum) {
  const double n = total_weight(weights, x.rows());
  const auto rows = static_cast<double>(x.rows());
  Vector sum = Vector::Zero(x.cols()), low = Vector::Constant(x.cols(), infinity), high = -low;
  double y_mean = 0;
  for (Index r = 0; r < x.rows(); ++r) {
    const Vector row = x.row(r).cast<double>().transpose();
    sum += weight_of(weights, r) * row;
    low = low.cwiseMin(row);
    high = high.cwiseMax(row);
    y_mean += weight_of(weights, r) * (y[static_cast<std::size_t>(r)] / n);
  }
  const Vector mean = sum / n;
  Vector square = Vector::Zero(x.cols()), product = Vector::Zero(x.cols()), at_ends = Vector::Zero(x.cols());
  for (Index r = 0; r < x.rows(); ++r) {
    const Eigen::ArrayXd row = x.row(r).cast<double>().transpose().array();
    const Eigen::ArrayXd deviation = row - mean.array();
    square.array() += weight_of(weights, r) * deviation.square();
    product.array() += weight_of(weights, r) * deviation * (y[static_cast<std::size_t>(r)] - y_mean);
    at_ends.array() += (row == low.array() || row == high.array()).cast<double>();
  }
  std::vector<double> scales(static_cast<std::size_t>(x.cols()));
  for (Index c = 0; c < x.cols(); ++c) {
    if (!(high[c] > low[c]) || !(square[c] > 0)) continue;
    scales[static_cast<std::size_t>(c)] = at_ends[c] == rows ? (high[c] - low[c]) / 2 : std::sqrt(square[c] / n);
    columns.push_back(c);
  }
  if (size() > maximum) {
    const auto strength = [&](Index c) { return std::abs(product[c]) / scales[static_cast<std::size_t>(c)]; };
    std::stable_sort(columns.begin(), columns.end(), [&](Index a, Index b) { return strength(a) > strength(b); });
    columns.resize(static_cast<std::size_t>(maximum));
    std::sort(columns.begin(), columns.end());
  }
  centre.resize(size());
  scale.resize(size());
  for (Index j = 0; j < size(); ++j) {
    const Index c = columns[static_cast<std::size_t>(j)];
    centre[j] = mean[c];
    scale[j] = scales[static_cast<std::size_t>(c)];
  }
}

Eigen::MatrixXd ElasticColumns::of_rows(const MatrixF& x, RowsView rows) const {
  Eigen::MatrixXd result(std::ssize(rows), size());
  for (Index j = 0; j < size(); ++j) {
    const Index column = columns[static_cast<std::size_t>(j)];
    for (Index r = 0; r < result.rows(); ++r)
      result(r, j) = (static_cast<double>(x(rows[static_cast<std::size_t>(r)], column)) - centre[j]) / scale[j];
  }
  return result;
}

ElasticSums::ElasticSums(const ElasticColumns& columns, const MatrixF& inputs, RowsView chosen, std::span<const double> targets,
                         RowWeights weights)
    : rows(total_weight(pick_weights(weights, chosen), std::ssize(chosen))),
      x(Vector::Zero(columns.size())),
      product(Vector::Zero(columns.size())),
      gram(Eigen::MatrixXd::Zero(columns.size(), columns.size())) {
  constexpr std::size_t block = 1024;
  for (std::size_t begin = 0; begin < chosen.size(); begin += block) {  // in blocks, to keep the copy of the inputs small
    const RowsView some = chosen.subspan(begin, std::min(block, chosen.size() - begin));
    Eigen::MatrixXd part = columns.of_rows(inputs, some);
    Vector values(part.rows());
    for (Index r = 0; r < values.size(); ++r) values[r] = targets[static_cast<std::size_t>(some[static_cast<std::size_t>(r)])];
    if (!weights.empty()) {
      Vector own(part.rows());
      for (Index r = 0; r < own.size(); ++r) own[r] = weight_of(weights, some[static_cast<std::size_t>(r)]);
      x += part.transpose() * own;
      y += own.dot(values);
      part = own.cwiseSqrt().asDiagonal() * part;
      values = own.cwiseSqrt().asDiagonal() * values;
      product.noalias() += part.transpose() * values;
      add_gram(part, Transpose::left, gram);
      y_square += values.squaredNorm();
      continue;
    }
    x += part.colwise().sum().transpose();
    product.noalias() += part.transpose() * values;
    add_gram(part, Transpose::left, gram);
    y += values.sum();
    y_square += values.squaredNorm();
  }
  copy_lower_to_upper(gram);
}

void ElasticSums::add(const ElasticSums& other, double sign) {
  rows += sign * other.rows;
  y += sign * other.y;
  y_square += sign * other.y_square;
  x += sign * other.x;
  product += sign * other.product;
  gram += sign * other.gram;
}

double ElasticSums::square_error(double b, const Vector& w, const std::vector<Index>& used) const {
  double sum = y_square - 2 * b * y + b * b * rows;
  for (const Index j : used) {
    if (w[j] == 0) continue;
    double along = 0;
    for (const Index k : used) along += gram(k, j) * w[k];
    sum += w[j] * (along - 2 * product[j] + 2 * b * x[j]);
  }
  return std::max(0.0, sum);
}

}  // namespace taut
