// Columns and sums that the elastic net is computed from.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/core/types.hpp>

#include <span>
#include <vector>

namespace taut {

// The inputs that take part, each less its centre and over its scale. A scale is the standard deviation; but where a column has
// two values it is half their distance. Then a category with few rows keeps a small variance and is shrunk toward the mean more
// than one with many, as it should; with variance 1 all would be shrunk alike.
struct ElasticColumns {
  std::vector<Index> columns;
  Eigen::VectorXd centre, scale;  // of each of them

  // At most `most`: those whose products with y are largest. Constant columns never.
  ElasticColumns(const MatrixF& x, std::span<const double> y, Index most);

  Index size() const { return std::ssize(columns); }
  Eigen::MatrixXd of_rows(const MatrixF& x, RowsView rows) const;
};

// Sums over rows, from which those of other rows can be subtracted.
struct ElasticSums {
  double rows = 0, y = 0, y_square = 0;
  Eigen::VectorXd x, product;  // Σ x, Σ x y
  Eigen::MatrixXd gram;        // Σ x xᵀ

  ElasticSums(const ElasticColumns& columns, const MatrixF& inputs, RowsView rows, std::span<const double> targets);
  void add(const ElasticSums& other, double sign);

  // The same sums of deviations from the means of these rows.
  Eigen::MatrixXd centred_gram() const { return gram - x * x.transpose() / rows; }
  Eigen::VectorXd centred_product() const { return product - x * (y / rows); }
  double centred_square() const { return y_square - y * y / rows; }
  // Σ (y − b − w·x)², w zero except for the columns `used`.
  double square_error(double b, const Eigen::VectorXd& w, const std::vector<Index>& used) const;
};

}  // namespace taut
