// Summaries of shares: means over many rows for each column, and a text with the largest shares of one row.
#pragma once

#include <taut/explain/explainer.hpp>

#include <string>
#include <vector>

namespace taut {

// How much one column drives predictions and widths, over many rows.
struct ColumnInfluence {
  std::string column;
  double prediction = 0;  // mean absolute share in f, in units of the target
  double width = 0;       // mean absolute share in log width
  double narrowest = 0;   // smallest and largest share in log width
  double widest = 0;

  double width_factor() const;  // exp(width): the factor by which it typically widens or narrows an interval
};

// Accumulates shares batch by batch.
class Influence {
 public:
  void add(const Explanation& explanation);

  Index rows() const { return rows_; }
  bool has_prediction() const { return has_prediction_; }
  bool has_width() const { return has_width_; }
  // Columns of the table only, the largest influence first.
  std::vector<ColumnInfluence> by_prediction() const;
  std::vector<ColumnInfluence> by_width() const;
  // The influence of the prediction itself on widths, which the model learns when errors grow with f, for example.
  std::vector<ColumnInfluence> through_prediction() const;

 private:
  std::vector<ColumnInfluence> means(std::size_t begin, std::size_t end) const;

  Index rows_ = 0, inputs_ = 0;
  bool has_prediction_ = false, has_width_ = false;
  std::vector<ColumnInfluence> sums_;
};

// Describes the largest shares of a row:
// "prediction 231.4, usually 180.2: grade +32.1, age -8; width 54.2, 1.3 times the usual: lot size makes it 1.4 times as wide,
// age 0.9 times". At most `top` columns of each. `width` is the interval's width in units of the target, NaN if there is none.
std::string describe_reasons(const Explanation& explanation, Index row, Index top, double width);

// At most `top` columns of a row, ordered by absolute share, the largest first. Columns with share 0 are left out.
std::vector<Index> largest_shares(const Attribution& attribution, Index row, Index top);

}  // namespace taut
