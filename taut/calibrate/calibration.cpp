#include <taut/calibrate/calibration.hpp>

#include <algorithm>

namespace taut {

Index RowFacts::rows() const {
  return std::max({std::ssize(groups), std::ssize(weights), points.cols() > 0 ? points.rows() : Index{0}});
}

RowFacts RowFacts::of(RowsView rows) const {
  RowFacts result;
  if (points.cols() > 0) result.points.resize(std::ssize(rows), points.cols());
  Index next = 0;
  for (const Index row : rows) {
    if (!groups.empty()) result.groups.push_back(groups[static_cast<std::size_t>(row)]);
    if (!weights.empty()) result.weights.push_back(weights[static_cast<std::size_t>(row)]);
    if (points.cols() > 0) result.points.row(next++) = points.row(row);
  }
  return result;
}

CalibrationRows::CalibrationRows(std::vector<SignedScore> scores, RowFacts facts) {
  if (std::any_of(scores.begin(), scores.end(), [](const SignedScore& t) { return std::isnan(t.score); }))
    throw Error("calibration: a conformity score is not a number; look for missing or infinite predictions or targets");
  Rows order = all_rows(std::ssize(scores));
  const auto before = [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (scores[i] != scores[j]) return scores[i] < scores[j];
    if (!facts.groups.empty() && facts.groups[i] != facts.groups[j]) return facts.groups[i] < facts.groups[j];
    if (!facts.weights.empty() && facts.weights[i] != facts.weights[j]) return facts.weights[i] < facts.weights[j];
    for (Index k = 0; k < facts.points.cols(); ++k)
      if (facts.points(a, k) != facts.points(b, k)) return facts.points(a, k) < facts.points(b, k);
    return false;
  };
  std::stable_sort(order.begin(), order.end(), before);
  for (const Index row : order) scores_.push_back(scores[static_cast<std::size_t>(row)]);
  facts_ = facts.of(order);
}

Law CalibrationRows::law_of(RowsView rows) const {
  std::vector<double> sizes;
  std::vector<SignedScore> own;
  sizes.reserve(rows.size());
  own.reserve(rows.size());
  for (const Index row : rows) {
    own.push_back(scores_[static_cast<std::size_t>(row)]);
    sizes.push_back(own.back().score);
  }
  std::sort(sizes.begin(), sizes.end());
  return Law::sorted(std::move(sizes), std::move(own));
}

Law CalibrationRows::weighted_law(std::vector<double> weights, double own_weight) const {
  std::vector<double> sizes;
  std::vector<Side> sides;
  for (const SignedScore& t : scores_) {
    sizes.push_back(t.score);
    sides.push_back(t.side);
  }
  return Law(std::move(sizes), std::move(sides), std::move(weights), own_weight);
}

double effective_rows(std::span<const double> weights) {
  double largest = 0, sum = 0, squares = 0;
  for (const double weight : weights) largest = std::max(largest, weight);
  if (!(largest > 0)) return 0;
  for (const double weight : weights) {
    sum += weight / largest;
    squares += (weight / largest) * (weight / largest);
  }
  return sum * sum / squares;
}

}  // namespace taut
