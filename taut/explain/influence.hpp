// Shares in brief: those of many rows for each column, and the largest ones of a row in words.
#pragma once

#include <taut/explain/explainer.hpp>

#include <string>
#include <vector>

namespace taut {

// Shares of many rows in a few numbers for each column: which columns drive predictions, and which drive widths.

struct ColumnInfluence {
  std::string column;
  double prediction = 0;  // mean size of its share in f, in units of the target
  double width = 0;       // mean size of its share in log width
  double narrowest = 0;   // least and largest share in log width
  double widest = 0;

  double width_factor() const;  // exp of the mean size: how many times wider or narrower it usually makes an interval
};

// Rows are added batch by batch.
class Influence {
 public:
  void add(const Explanation& explanation);

  Index rows() const { return rows_; }
  bool has_prediction() const { return has_prediction_; }
  bool has_width() const { return has_width_; }
  // The largest first; columns of the table only.
  std::vector<ColumnInfluence> by_prediction() const;
  std::vector<ColumnInfluence> by_width() const;
  // What widths owe to the prediction itself: the model has learned that some predictions are less sure than others.
  std::vector<ColumnInfluence> through_prediction() const;

 private:
  std::vector<ColumnInfluence> means(std::size_t begin, std::size_t end) const;

  Index rows_ = 0, inputs_ = 0;
  bool has_prediction_ = false, has_width_ = false;
  std::vector<ColumnInfluence> sums_;
};

// The largest shares of a row, in words.

// "prediction 231.4, usually 180.2: rooms +32.1, age -8; width 54.2, 1.3 times the usual: lot size makes it 1.4 times as wide,
// age 0.9 times". At most `top` columns of each; `width`: the interval's, in units of the target, NaN where it has none.
std::string reasons_in_words(const Explanation& explanation, Index row, Index top, double width);

// The columns of a row with the largest shares, the largest first. Those without a share are left out.
std::vector<Index> largest_shares(const Attribution& attribution, Index row, Index top);

}  // namespace taut
