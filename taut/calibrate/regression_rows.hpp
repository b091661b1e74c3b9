// Calibration rows with their scores and their values of a function class, prepared for quantile regression.
#pragma once

#include <taut/core/types.hpp>

#include <optional>

namespace taut {

// Rows of numbers that are mostly 0 or 1, such as group indicators. Ones are stored separately: they need no multiplication.
class SparseRows {
 public:
  void append(std::span<const double> row);

  std::size_t size() const { return end_of_ones_.size() - 1; }

  double product(std::size_t row, const double* vector) const {
    double sum = 0;
    for (std::size_t i = end_of_ones_[row]; i < end_of_ones_[row + 1]; ++i) sum += vector[ones_[i]];
    for (std::size_t i = end_of_others_[row]; i < end_of_others_[row + 1]; ++i)
      sum += others_[i].value * vector[others_[i].column];
    return sum;
  }
  // vector += factor · row
  void add(std::size_t row, double factor, double* vector) const {
    for (std::size_t i = end_of_ones_[row]; i < end_of_ones_[row + 1]; ++i) vector[ones_[i]] += factor;
    for (std::size_t i = end_of_others_[row]; i < end_of_others_[row + 1]; ++i)
      vector[others_[i].column] += factor * others_[i].value;
  }

 private:
  struct Entry {
    double value;
    std::uint32_t column;
  };
  std::vector<std::uint32_t> ones_;
  std::vector<Entry> others_;
  std::vector<std::size_t> end_of_ones_{0}, end_of_others_{0};
};

inline void SparseRows::append(std::span<const double> row) {
  for (std::uint32_t column = 0; column < row.size(); ++column) {
    if (row[column] == 1)
      ones_.push_back(column);
    else if (row[column] != 0)
      others_.push_back({row[column], column});
  }
  end_of_ones_.push_back(ones_.size());
  end_of_others_.push_back(others_.size());
}

// A set of independent rows of a matrix, and the orthogonal complement of all its rows.

struct RowSpace {
  Rows independent;   // as many rows as the rank, none close to the span of the others
  Matrix complement;  // orthonormal rows, orthogonal to every row of the matrix

  // Whether a row is a linear combination of the rows of the matrix, up to rounding.
  bool contains(const Eigen::Ref<const Eigen::VectorXd>& row) const;
};

// Entries are expected to be of order one. A row is independent if a share of more than 1e-8 lies outside the span of others.
RowSpace row_space(const Matrix& rows);

// The class is spanned by the columns of a matrix and by the constant, which is added here. Columns other than indicators are
// centred and scaled, linearly dependent columns are left out: neither changes the class. Rows are sorted, so their order in a
// file does not change a bit of the result.
class RegressionRows {
 public:
  // One row of `functions` per score, each finite, else an Error. Scores may be infinite, not NaN.
  RegressionRows(const Matrix& functions, std::span<const double> scores);

  std::size_t rows() const { return scores_.size(); }
  std::size_t rank() const { return columns_.size(); }  // the dimension of the class on these rows
  Index functions() const { return std::ssize(scalings_); }

  const SparseRows& values() const { return values_; }
  const std::vector<double>& scores() const { return scores_; }  // ascending
  // The scores in the same order, rescaled: below 2 in size if finite, far larger if infinite. They are moved apart by negligible
  // amounts, so that there are no ties and the simplex method cannot cycle.
  const std::vector<double>& distinct_scores() const { return distinct_; }
  const std::vector<std::size_t>& independent() const { return independent_; }  // as many rows as the rank
  const std::vector<double>& sums() const { return sums_; }                     // of the values over all rows

  // A new row in the coordinates of values(). Returns nothing if it lies outside the span of the calibration rows, for example
  // because its group has none.
  std::optional<std::vector<double>> express(std::span<const double> functions) const;

 private:
  struct Scaling {
    double centre, scale;
  };
  static Scaling scaling(std::vector<double> column);
  Eigen::VectorXd scaled(std::span<const double> functions) const;
  void sort(const Matrix& functions, std::span<const double> scores);
  void separate_scores();

  std::vector<Scaling> scalings_;
  Rows order_;
  std::vector<double> scores_, distinct_;
  RowSpace space_;
  Rows columns_;  // kept columns
  SparseRows values_;
  std::vector<double> sums_;
  std::vector<std::size_t> independent_;
};

}  // namespace taut
