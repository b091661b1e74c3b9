// Calibration rows with their scores and their values of a class of functions, made ready for quantile regression.
#pragma once

#include <taut/core/types.hpp>

#include <optional>

namespace taut {

// Rows of numbers most of which are 0 or 1, as those of group indicators are.

// Ones and other numbers are kept apart: a one costs an addition.
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

// Which rows of a matrix are independent, and which directions none of them has.

struct RowSpace {
  Rows independent;   // as many rows as the rank, none close to what the others span
  Matrix complement;  // orthonormal rows: what every row of the matrix is orthogonal to

  // Whether a row is a combination of those of the matrix, up to rounding.
  bool contains(const Eigen::Ref<const Eigen::VectorXd>& row) const;
};

// Entries are expected to be of order one. A row counts as independent where a hundred-millionth of it or more is new.
RowSpace row_space(const Matrix& rows);

// The class is spanned by the columns of a matrix and by the constant, which is added here. Columns other than indicators are
// centred and scaled, columns that depend on others are left out: neither changes the class. Rows are brought into an order of
// their own, so their order in a file changes no bit of what follows.
class ScoredRows {
 public:
  // One row of `functions` per score, each finite, else an Error. Scores may be infinite, not NaN.
  ScoredRows(const Matrix& functions, std::span<const double> scores);

  std::size_t rows() const { return scores_.size(); }
  std::size_t rank() const { return columns_.size(); }  // the dimension of the class on these rows
  Index functions() const { return std::ssize(scalings_); }

  const SparseRows& values() const { return values_; }
  const std::vector<double>& scores() const { return scores_; }  // ascending
  // The scores in the same order, below two in size if finite, far beyond it if not, and moved apart by so little that it means
  // nothing but leaves no ties: a simplex method on them does not go round in circles.
  const std::vector<double>& distinct_scores() const { return distinct_; }
  const std::vector<std::size_t>& independent() const { return independent_; }  // as many rows as the rank
  const std::vector<double>& sums() const { return sums_; }                     // of the values over all rows

  // A new row in the coordinates of values(). Nothing where it is no combination of the calibration rows: of a group, say, that
  // they do not have.
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
  Rows columns_;  // that are kept
  SparseRows values_;
  std::vector<double> sums_;
  std::vector<std::size_t> independent_;
};

}  // namespace taut
