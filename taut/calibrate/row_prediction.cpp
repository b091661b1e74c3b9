#include <taut/calibrate/row_prediction.hpp>

#include <cmath>
#include <utility>

namespace taut {

RowPrediction::RowPrediction(double from, double to) : f((from + to) / 2), lower(from), upper(to) {
  if (std::isinf(f)) f = from / 2 + to / 2;  // the sum of two large numbers is too large
}

RowPredictions::RowPredictions(std::vector<double> lower, std::vector<double> upper)
    : lower_(std::move(lower)), upper_(std::move(upper)) {
  f_.reserve(lower_.size());
  for (std::size_t i = 0; i < lower_.size(); ++i) {
    if (lower_[i] > upper_[i]) {
      std::swap(lower_[i], upper_[i]);
      ++crossed_;
    }
    f_.push_back((*this)[i].f);
  }
}

}  // namespace taut
