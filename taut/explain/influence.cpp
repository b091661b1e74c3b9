#include <taut/explain/influence.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

double ColumnInfluence::width_factor() const { return std::exp(width); }

void Influence::add(const Explanation& explanation) {
  inputs_ = explanation.inputs;
  has_prediction_ = explanation.prediction.has_value();
  has_width_ = explanation.width.has_value();
  const bool first = rows_ == 0;
  rows_ += explanation.rows();
  sums_.resize(explanation.columns.size());
  for (std::size_t c = 0; c < sums_.size(); ++c) {
    ColumnInfluence& sum = sums_[c];
    sum.column = explanation.columns[c];
    const auto at = static_cast<Index>(c);
    if (has_prediction_ && at < inputs_) sum.prediction += explanation.prediction->shares.col(at).cwiseAbs().sum();
    if (!has_width_ || explanation.rows() == 0) continue;
    const auto shares = explanation.width->shares.col(at);
    sum.width += shares.cwiseAbs().sum();
    sum.narrowest = first ? shares.minCoeff() : std::min(sum.narrowest, shares.minCoeff());
    sum.widest = first ? shares.maxCoeff() : std::max(sum.widest, shares.maxCoeff());
  }
}

std::vector<ColumnInfluence> Influence::means(std::size_t begin, std::size_t end) const {
  std::vector<ColumnInfluence> result(sums_.begin() + static_cast<std::ptrdiff_t>(begin),
                                      sums_.begin() + static_cast<std::ptrdiff_t>(end));
  for (ColumnInfluence& one : result) {
    one.prediction /= static_cast<double>(std::max<Index>(1, rows_));
    one.width /= static_cast<double>(std::max<Index>(1, rows_));
  }
  return result;
}

std::vector<ColumnInfluence> Influence::by_prediction() const {
  auto result = means(0, static_cast<std::size_t>(inputs_));
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.prediction > b.prediction; });
  return result;
}

std::vector<ColumnInfluence> Influence::by_width() const {
  auto result = means(0, static_cast<std::size_t>(inputs_));
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.width > b.width; });
  return result;
}

std::vector<ColumnInfluence> Influence::through_prediction() const {
  return has_width_ ? means(static_cast<std::size_t>(inputs_), sums_.size()) : std::vector<ColumnInfluence>{};
}

}  // namespace taut
