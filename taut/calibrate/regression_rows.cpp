#include <taut/calibrate/regression_rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index rows_at_once = 1024;

// A Householder reflection makes `direction` the first coordinate of the complement; this coordinate is then dropped.
void drop_direction(Eigen::VectorXd direction, Matrix& coordinates, Matrix& complement) {
  direction[0] += std::copysign(direction.norm(), direction[0]);
  direction.normalize();
  const Eigen::VectorXd along = coordinates * direction;
  coordinates.noalias() -= 2 * along * direction.transpose();
  const Eigen::RowVectorXd part = direction.transpose() * complement;
  complement.noalias() -= 2 * direction * part;
  coordinates = Matrix(coordinates.rightCols(coordinates.cols() - 1));
  complement = Matrix(complement.bottomRows(complement.rows() - 1));
}

}  // namespace

bool RowSpace::contains(const Eigen::Ref<const Eigen::VectorXd>& row) const {
  return complement.rows() == 0 || (complement * row).norm() <= 1e-6 * std::max(1.0, row.norm());
}

// Clearly independent rows are taken first, so that the basis is well conditioned. Rows are compared only with the complement,
// which is soon small, so a row costs little.
RowSpace row_space(const Matrix& rows) {
  RowSpace space{{}, Matrix::Identity(rows.cols(), rows.cols())};
  for (const double share : {1e-2, 1e-8})
    for (Index from = 0; from < rows.rows() && space.complement.rows() > 0; from += rows_at_once) {
      const Index count = std::min(rows_at_once, rows.rows() - from);
      const Eigen::VectorXd minimum = share * rows.middleRows(from, count).rowwise().norm().cwiseMax(1.0);
      Matrix coordinates = rows.middleRows(from, count) * space.complement.transpose();
      while (space.complement.rows() > 0) {
        Index best = 0;
        const double excess = (coordinates.rowwise().norm() - minimum).maxCoeff(&best);
        if (!(excess > 0)) break;
        space.independent.push_back(from + best);
        drop_direction(coordinates.row(best), coordinates, space.complement);
      }
    }
  return space;
}

namespace {

std::size_t at(Index index) { return static_cast<std::size_t>(index); }

double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void check_functions(std::span<const double> functions) {
  for (std::size_t column = 0; column < functions.size(); ++column)
    if (!std::isfinite(functions[column]))
      throw Error(
          format_text("overlapping groups: the value of column {} of a row is {}; every value must be finite: give missing "
                      "cells a separate group",
                      column + 1, print_number(functions[column])));
}

}  // namespace

RegressionRows::RegressionRows(const Matrix& functions, std::span<const double> scores) {
  if (functions.rows() != std::ssize(scores))
    throw UsageError(format_text("overlapping groups: there must be one row of values for each score, got {} rows for {} scores",
                                 functions.rows(), scores.size()));
  if (std::any_of(scores.begin(), scores.end(), [](double score) { return std::isnan(score); }))
    throw Error("calibration: a conformity score is not a number; look for missing or infinite predictions or targets");
  for (Index row = 0; row < functions.rows(); ++row) check_functions({functions.row(row).data(), at(functions.cols())});
  for (Index column = 0; column < functions.cols(); ++column)
    scalings_.push_back(scaling({functions.col(column).begin(), functions.col(column).end()}));
  sort(functions, scores);
  separate_scores();

  Matrix all(functions.rows(), functions.cols() + 1);
  for (Index row = 0; row < all.rows(); ++row)
    all.row(row) = scaled({functions.row(order_[at(row)]).data(), at(functions.cols())});
  space_ = row_space(all);
  Matrix chosen(std::ssize(space_.independent), all.cols());
  for (Index row = 0; row < chosen.rows(); ++row) chosen.row(row) = all.row(space_.independent[at(row)]);
  columns_ = row_space(chosen.transpose()).independent;
  std::sort(columns_.begin(), columns_.end());
  if (columns_.size() < space_.independent.size())  // rounding found fewer independent columns than rows
    space_.independent = row_space(all(Eigen::all, columns_)).independent;
  for (const Index row : space_.independent) independent_.push_back(at(row));

  sums_.assign(rank(), 0);
  std::vector<double> kept(rank());
  for (Index row = 0; row < all.rows(); ++row) {
    for (std::size_t k = 0; k < rank(); ++k) kept[k] = all(row, columns_[k]);
    values_.append(kept);
    values_.add(at(row), 1, sums_.data());
  }
}

RegressionRows::Scaling RegressionRows::scaling(std::vector<double> column) {
  if (std::all_of(column.begin(), column.end(), [](double value) { return value == 0 || value == 1; })) return {0, 1};
  const double centre = median_of(column);
  double sum = 0;
  for (double& value : column) {
    value = std::abs(value - centre);
    sum += value / static_cast<double>(column.size());
  }
  const double usual = median_of(column);
  const double scale = usual > 0 ? usual : sum;
  return {centre, scale > 0 && std::isfinite(scale) ? scale : std::max(1.0, std::abs(centre))};
}

Eigen::VectorXd RegressionRows::scaled(std::span<const double> functions) const {
  Eigen::VectorXd row(functions.size() + 1);
  row[0] = 1;
  for (std::size_t column = 0; column < functions.size(); ++column)
    row[static_cast<Index>(column) + 1] = (functions[column] - scalings_[column].centre) / scalings_[column].scale;
  return row;
}

void RegressionRows::sort(const Matrix& functions, std::span<const double> scores) {
  order_ = all_rows(functions.rows());
  std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
    if (scores[at(a)] != scores[at(b)]) return scores[at(a)] < scores[at(b)];
    const auto row_a = functions.row(a), row_b = functions.row(b);
    return std::lexicographical_compare(row_a.begin(), row_a.end(), row_b.begin(), row_b.end());
  });
  scores_ = pick(scores, order_);
}

// Each score is moved up by at most 1e-8 of its size, or of the median size if that is larger; later ones move more.
void RegressionRows::separate_scores() {
  std::vector<double> sizes;
  for (const double score : scores_)
    if (std::isfinite(score)) sizes.push_back(std::abs(score));
  const double usual = sizes.empty() ? 0 : median_of(sizes);
  const double largest = sizes.empty() ? 0 : *std::max_element(sizes.begin(), sizes.end());
  const double unit = largest > 0 ? std::exp2(std::floor(std::log2(largest))) : 1;
  constexpr double beyond = 0x1.0p20;
  const auto count = static_cast<double>(scores_.size());
  const double share = std::clamp(count * 2e-14, 1e-10, 1e-8);
  Random random(19);
  for (std::size_t i = 0; i < scores_.size(); ++i) {
    const double place = (static_cast<double>(i) + random.uniform()) / count;
    const double value = std::isfinite(scores_[i]) ? scores_[i] / unit : std::copysign(beyond, scores_[i]);
    const double size = std::max(std::abs(value), usual > 0 ? usual / unit : 1.0);
    distinct_.push_back(value + share * place * size);
  }
}

std::optional<std::vector<double>> RegressionRows::express(std::span<const double> functions) const {
  if (functions.size() != scalings_.size())
    throw UsageError(format_text("overlapping groups: a row must have {} values, got {}", scalings_.size(), functions.size()));
  check_functions(functions);
  const Eigen::VectorXd row = scaled(functions);
  if (!row.allFinite() || !space_.contains(row)) return std::nullopt;
  std::vector<double> result;
  for (const Index column : columns_) result.push_back(row[column]);
  return result;
}

}  // namespace taut
