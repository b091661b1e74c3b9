// Calibration with weights: likelihood ratios for covariate shift, and neighbours for localized calibration.
#include <taut/calibrate/calibration.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/random.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>

namespace taut {

namespace {

// Covariate shift weights (Tibshirani et al. 2019). With the likelihood ratio w of new rows to calibration rows, score i has a
// probability proportional to w(x_i), and the new row's own score one proportional to w(x).
class WeightedCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings&) override {
    distribution_ = rows.weighted_distribution(rows.facts().weights, 1);
    weights_ = rows.facts().weights;
    std::sort(weights_.begin(), weights_.end(), std::greater<>());
  }
  ScoreDistribution distribution(const RowFacts& facts, Index row) const override {
    return distribution_.with_own_weight(fault("own-weight-forgotten") ? 0 : facts.weights.at(static_cast<std::size_t>(row)));
  }
  // The coverage at a cut-off is a mean over the new population. A weighted mean over calibration rows estimates it as precisely
  // as their effective number of rows would. Rows with a large own weight are covered more often than the level; the upper end
  // allows for that.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    double at_most = 0;
    const Rows some = thinned_rows(rows);
    for (const Index row : some)
      at_most += share_with_ties(distribution(facts, row), confidence) / static_cast<double>(some.size());
    return {effective_stratum(std::ssize(rows), effective_rows_at_worst(weights_, confidence), confidence, at_most)};
  }
  Fact needs() const override { return Fact::weight; }

 private:
  ScoreDistribution distribution_;
  std::vector<double> weights_;  // descending
};

}  // namespace

Listed<Calibration> weighted_calibration() {
  return {"weighted", "given covariate shift weights: the guarantee holds for the population that they describe",
          [](std::string_view) { return std::make_unique<WeightedCalibration>(); }};
}

Listed<Calibration> towards_calibration() {
  return {"towards", "learnt covariate shift weights: the guarantee holds for another population as far as the weights are right",
          [](std::string_view) { return std::make_unique<WeightedCalibration>(); }};
}

namespace {

// A set of ranks as bits. They are visited in ascending order, so neighbours need not be sorted.
class Ranks {
 public:
  explicit Ranks(Index count) : words_(static_cast<std::size_t>(count + 63) / 64) {}
  void add(Index rank) { words_[static_cast<std::size_t>(rank) / 64] |= std::uint64_t{1} << (rank % 64); }
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1)
        visit(i * 64 + static_cast<std::size_t>(std::countr_zero(word)));
  }

 private:
  std::vector<std::uint64_t> words_;
};

std::uint64_t mixed(std::uint64_t hash, double value) {
  hash ^= std::bit_cast<std::uint64_t>(value + 0.0);  // −0 and 0 are the same coordinate
  hash *= 0x9E3779B97F4A7C15ULL;
  return hash ^ (hash >> 29);
}

// Randomly localized conformal prediction (Hore and Barber 2023) with a box kernel: an anchor is drawn uniformly from the box
// around the new row, and the calibration rows in the box around the anchor have equal weights. Given the anchor, they and the
// new row are exchangeable, so ranks are exact.
class LocalCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings& settings) override {
    rows_ = std::move(rows);
    reaches_ = settings.reaches;
    seed_ = settings.seed;
    const Matrix& points = rows_.facts().points;
    if (points.rows() != rows_.size() || points.cols() != std::ssize(reaches_) || reaches_.empty())
      throw Error("calibration: localized calibration needs the same number of coordinates for every row");
    by_size_ = all_rows(rows_.size());
    std::stable_sort(by_size_.begin(), by_size_.end(), [&](Index a, Index b) { return size_of(a) < size_of(b); });
    rank_of_size_.resize(by_size_.size());
    for (std::size_t rank = 0; rank < by_size_.size(); ++rank)
      rank_of_size_[static_cast<std::size_t>(by_size_[rank])] = static_cast<Index>(rank);
    by_first_ = all_rows(rows_.size());
    std::stable_sort(by_first_.begin(), by_first_.end(), [&](Index a, Index b) { return points(a, 0) < points(b, 0); });
    for (const Index row : by_first_) first_coordinate_.push_back(points(row, 0));
    others_.resize(rows_.size(), points.cols() - 1);
    for (std::size_t i = 0; i < by_first_.size(); ++i)
      others_.row(static_cast<Index>(i)) = points.row(by_first_[i]).tail(points.cols() - 1);
  }

  ScoreDistribution distribution(const RowFacts& facts, Index row) const override {
    const auto anchor = anchor_of(facts.points.row(row),
                                  facts.keys.empty() ? std::nullopt : std::optional(facts.keys[static_cast<std::size_t>(row)]));
    const auto begin = std::lower_bound(first_coordinate_.begin(), first_coordinate_.end(), anchor[0] - reaches_[0]);
    const auto end = std::upper_bound(begin, first_coordinate_.end(), anchor[0] + reaches_[0]);
    Ranks by_t(rows_.size()), by_size(rows_.size());
    std::size_t count = 0;
    for (Index i = begin - first_coordinate_.begin(); i < end - first_coordinate_.begin(); ++i) {
      bool is_near = true;
      for (Index k = 0; k < others_.cols(); ++k)
        is_near &= std::abs(others_(i, k) - anchor[static_cast<std::size_t>(k) + 1]) <= reaches_[static_cast<std::size_t>(k) + 1];
      if (!is_near) continue;
      const Index found = by_first_[static_cast<std::size_t>(i)];
      by_t.add(found);
      by_size.add(rank_of_size_[static_cast<std::size_t>(found)]);
      ++count;
    }
    std::vector<SignedScore> in_order_of_t;
    std::vector<double> sizes;
    in_order_of_t.reserve(count);
    sizes.reserve(count);
    by_t.for_each([&](std::size_t at) { in_order_of_t.push_back(rows_.scores()[at]); });
    by_size.for_each([&](std::size_t rank) { sizes.push_back(size_of(by_size_[rank])); });
    return ScoreDistribution::sorted(std::move(sizes), std::move(in_order_of_t));
  }
  // Each row has an exact rank, but rows share calibration rows. The mean of dependent coverages varies most if they
  // are perfectly correlated: its standard deviation is then the mean of theirs.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    const Rows some = thinned_rows(rows);
    double deviations = 0, at_most = 0;
    Index finite = 0;
    for (const Index row : some) {
      const ScoreDistribution own = distribution(facts, row);
      const Index k = own.rank(confidence);
      const double count = static_cast<double>(own.rows()) + 1;
      at_most += k > own.rows() ? 1 : static_cast<double>(own.last_rank(confidence)) / count;
      if (k > own.rows()) continue;
      deviations += 1 / std::sqrt(count + 1);
      ++finite;
    }
    if (finite == 0) return {{std::ssize(rows), 1, 0, 1, 0}};
    const double mean = deviations / static_cast<double>(finite);
    return {effective_stratum(std::ssize(rows), 1 / (mean * mean) - 2, confidence, at_most / static_cast<double>(some.size()))};
  }
  Fact needs() const override { return Fact::point; }

 private:
  double size_of(Index row) const { return rows_.scores()[static_cast<std::size_t>(row)].score; }

  // The anchor depends on the seed and the row's key: equal rows have equal anchors, wherever they are in a table. Different rows
  // have different anchors even at the same coordinates, so that their errors average out. Without a key the anchor depends on
  // the seed and the coordinates.
  std::vector<double> anchor_of(const Eigen::Ref<const Eigen::RowVectorXd>& point, std::optional<std::uint64_t> key) const {
    std::uint64_t hash = seed_ ^ 0x5851F42D4C957F2DULL;
    if (!key)
      for (const double value : point) hash = mixed(hash, value);
    Random random = key ? Random(hash).fork(*key) : Random(hash);
    std::vector<double> anchor;
    for (Index k = 0; k < point.size(); ++k) {
      const double reach = fault("anchor-not-drawn") ? 0 : reaches_[static_cast<std::size_t>(k)];
      anchor.push_back(std::isinf(reach) ? point[k] : point[k] + reach * (2 * random.uniform() - 1));
    }
    return anchor;
  }

  CalibrationRows rows_;
  std::vector<double> reaches_;
  std::uint64_t seed_ = 0;
  Rows by_size_;                          // rows sorted by |t|
  Rows rank_of_size_;                     // the position of each row in by_size_
  Rows by_first_;                         // rows sorted by their first coordinate
  std::vector<double> first_coordinate_;  // the first coordinates in that order
  Matrix others_;                         // the other coordinates in that order
};

}  // namespace

Listed<Calibration> local_calibration() {
  return {"local", "localized: only calibration rows near the row count, so coverage is closer to the level for each row",
          [](std::string_view) { return std::make_unique<LocalCalibration>(); }};
}

}  // namespace taut
