#include <taut/calibrate/calibration.hpp>

#include <taut/calibrate/score_distribution.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

CoverageStratum exact_stratum(const ScoreDistribution& distribution, Index units, double confidence) {
  const Index k = distribution.rank(confidence), last = std::max(k, distribution.last_rank(confidence));
  if (k > distribution.rows()) return {units, 1, 0, 1, 0};
  const auto ranks = static_cast<double>(distribution.rows() + 1);
  return {units, static_cast<double>(k), ranks - static_cast<double>(k), static_cast<double>(last),
          ranks - static_cast<double>(last)};
}

CoverageStratum effective_stratum(Index units, double effective_rows, double at_least, double at_most) {
  const double ranks = std::max(effective_rows, 0.0) + 1;
  return {units, at_least * ranks, (1 - at_least) * ranks, at_most * ranks, std::max(0.0, 1 - at_most) * ranks};
}

double effective_rows_at_worst(std::span<const double> weights, double confidence) {
  if (weights.empty() || !(weights.front() > 0)) return 0;
  // In the worst case the rarer outcome, covered or missed, belongs to the rows with the largest weights.
  const double rare = std::min(confidence, 1 - confidence);
  double sum = 0, squares = 0;
  for (const double weight : weights) {
    const double share = weight / weights.front();
    sum += share;
    squares += share * share;
  }
  double left = rare * sum, of_rare = 0;
  for (const double weight : weights) {
    const double share = weight / weights.front(), taken = std::min(left, share);
    if (!(taken > 0)) break;
    of_rare += taken * share;
    left -= taken;
  }
  const double common = 1 - rare;
  return rare * common * sum * sum / (common * common * of_rare + rare * rare * (squares - of_rare));
}

double share_with_ties(const ScoreDistribution& distribution, double confidence) {
  const double quantile = distribution.quantile(confidence);
  if (quantile == infinity) return 1;
  const ScoreDistribution::Weights weights = distribution.weights_above(quantile);
  return std::clamp((weights.all - weights.own - weights.beyond) / weights.all, confidence, 1.0);
}

Rows thinned_rows(RowsView rows, std::size_t maximum) {
  const std::size_t count = std::min(maximum, rows.size());
  Rows result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(rows[i * rows.size() / count]);
  return result;
}

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

Rows order_of_calibration(const std::vector<SignedScore>& scores, const RowFacts& facts, Rows rows) {
  const auto before = [&](Index a, Index b) {
    const auto i = static_cast<std::size_t>(a), j = static_cast<std::size_t>(b);
    if (scores[i] != scores[j]) return scores[i] < scores[j];
    if (!facts.groups.empty() && facts.groups[i] != facts.groups[j]) return facts.groups[i] < facts.groups[j];
    if (!facts.weights.empty() && facts.weights[i] != facts.weights[j]) return facts.weights[i] < facts.weights[j];
    for (Index k = 0; k < facts.points.cols(); ++k)
      if (facts.points(a, k) != facts.points(b, k)) return facts.points(a, k) < facts.points(b, k);
    return false;
  };
  std::stable_sort(rows.begin(), rows.end(), before);
  return rows;
}

CalibrationRows::CalibrationRows(std::vector<SignedScore> scores, RowFacts facts) {
  if (std::any_of(scores.begin(), scores.end(), [](const SignedScore& t) { return std::isnan(t.score); }))
    throw Error("calibration: a conformity score is not a number; look for missing or infinite predictions or targets");
  const Rows order = order_of_calibration(scores, facts, all_rows(std::ssize(scores)));
  for (const Index row : order) scores_.push_back(scores[static_cast<std::size_t>(row)]);
  facts_ = facts.of(order);
}

ScoreDistribution CalibrationRows::distribution_of(RowsView rows) const {
  std::vector<double> sizes;
  std::vector<SignedScore> own;
  sizes.reserve(rows.size());
  own.reserve(rows.size());
  for (const Index row : rows) {
    own.push_back(scores_[static_cast<std::size_t>(row)]);
    sizes.push_back(own.back().score);
  }
  std::sort(sizes.begin(), sizes.end());
  return ScoreDistribution::sorted(std::move(sizes), std::move(own));
}

ScoreDistribution CalibrationRows::weighted_distribution(std::vector<double> weights, double own_weight) const {
  std::vector<double> sizes;
  std::vector<Side> sides;
  for (const SignedScore& t : scores_) {
    sizes.push_back(t.score);
    sides.push_back(t.side);
  }
  return ScoreDistribution(std::move(sizes), std::move(sides), std::move(weights), own_weight);
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
