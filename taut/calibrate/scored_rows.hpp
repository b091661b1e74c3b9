// Calibration rows with their scores and their values of a class of functions, made ready for quantile regression.
#pragma once

#include <taut/calibrate/row_space.hpp>
#include <taut/calibrate/sparse_rows.hpp>

#include <optional>

namespace taut {

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
