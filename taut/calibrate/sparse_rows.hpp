// Rows of numbers most of which are 0 or 1, as those of group indicators are.
#pragma once

#include <taut/core/types.hpp>

namespace taut {

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

}  // namespace taut
