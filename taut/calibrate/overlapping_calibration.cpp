#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/conditional_quantile.hpp>

#include <Eigen/Cholesky>

#include <algorithm>
#include <map>
#include <mutex>

namespace taut {

namespace {

// One quantile regression for each requested level. The first thread that needs it solves it.
class LevelRegressions {
 public:
  explicit LevelRegressions(std::shared_ptr<const RegressionRows> rows) : rows_(std::move(rows)) {}

  const ConditionalQuantile& at(double level) const {
    const std::lock_guard lock(mutex_);
    auto& known = known_[level];
    if (!known) known = std::make_unique<ConditionalQuantile>(rows_, level);
    return *known;
  }

 private:
  std::shared_ptr<const RegressionRows> rows_;
  mutable std::mutex mutex_;
  mutable std::map<double, std::unique_ptr<const ConditionalQuantile>> known_;
};

// The leverage vᵀ (ΣΦᵀΦ)⁻¹ v of a row, as in least squares: one over its effective number of calibration rows. For disjoint
// groups it is one over the size of the row's group.
class Leverage {
 public:
  explicit Leverage(std::shared_ptr<const RegressionRows> rows) : rows_(std::move(rows)) {}

  // Returns nothing for a row outside the span of the calibration rows.
  std::optional<double> operator()(std::span<const double> functions) const {
    const auto row = rows_->express(functions);
    if (!row) return std::nullopt;
    std::call_once(once_, [this] { solver_.compute(gram()); });
    const Eigen::Map<const Eigen::VectorXd> v(row->data(), std::ssize(*row));
    return std::clamp(v.dot(solver_.solve(v)), 0.0, 1.0);
  }

 private:
  Matrix gram() const {
    const auto rank = static_cast<Index>(rows_->rank());
    Matrix sum = Matrix::Zero(rank, rank);
    std::vector<double> row(rows_->rank());
    std::vector<Index> present;
    for (std::size_t i = 0; i < rows_->rows(); ++i) {
      rows_->values().add(i, 1, row.data());
      present.clear();
      for (Index k = 0; k < rank; ++k)
        if (row[static_cast<std::size_t>(k)] != 0) present.push_back(k);
      for (const Index a : present)
        for (const Index b : present) sum(a, b) += row[static_cast<std::size_t>(a)] * row[static_cast<std::size_t>(b)];
      for (const Index k : present) row[static_cast<std::size_t>(k)] = 0;
    }
    return sum;
  }

  std::shared_ptr<const RegressionRows> rows_;
  mutable std::once_flag once_;
  mutable Eigen::LDLT<Eigen::MatrixXd> solver_;
};

class RowCutOffs final : public CutOffs {
 public:
  RowCutOffs(std::shared_ptr<const LevelRegressions> levels, std::vector<double> functions)
      : levels_(std::move(levels)), functions_(std::move(functions)) {}

  double at(double confidence) const override { return levels_->at(confidence).cut_off(functions_); }
  std::optional<double> smoothed(double confidence, double uniform) const override {
    return levels_->at(confidence).smoothed_cut_off(functions_, uniform);
  }

 private:
  std::shared_ptr<const LevelRegressions> levels_;
  std::vector<double> functions_;
};

// Conditional conformal prediction (Gibbs, Cherian and Candès 2023): the guarantee holds at once for overlapping groups and for
// linear functions of columns. The point of a row is its values of the functions.
class OverlappingCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings&) override {
    std::vector<double> sizes;
    for (const SignedScore& t : rows.scores()) sizes.push_back(t.score);
    const auto scored = std::make_shared<RegressionRows>(rows.facts().points, sizes);
    levels_ = std::make_shared<LevelRegressions>(scored);
    leverage_ = std::make_unique<Leverage>(scored);
    distribution_ = rows.distribution_of(all_rows(rows.size()));
  }
  ScoreDistribution distribution(const RowFacts& facts, Index row) const override {
    const auto functions = facts.points.row(row);
    return distribution_.with_cut_offs(
        std::make_shared<RowCutOffs>(levels_, std::vector<double>(functions.begin(), functions.end())));
  }
  // The mean leverage gives the effective number of calibration rows. In the worst case rows that share calibration rows are
  // covered together. There is no upper end: a regression may cover as many rows beyond the level as it has functions, and ties
  // may add more.
  std::vector<CoverageStratum> strata(const RowFacts& facts, RowsView rows, double confidence) const override {
    double sum = 0;
    Index known = 0;
    for (const Index row : thinned_rows(rows)) {
      const auto functions = facts.points.row(row);
      const auto leverage = (*leverage_)({functions.data(), static_cast<std::size_t>(functions.size())});
      if (!leverage) continue;
      sum += *leverage;
      ++known;
    }
    if (known == 0) return {{std::ssize(rows), 1, 0, 1, 0}};
    const double effective = sum > 0 ? static_cast<double>(known) / sum : static_cast<double>(distribution_.rows());
    return {effective_stratum(std::ssize(rows), std::min(effective, static_cast<double>(distribution_.rows())), confidence, 1)};
  }
  Fact needs() const override { return Fact::point; }

 private:
  std::shared_ptr<const LevelRegressions> levels_;
  std::unique_ptr<Leverage> leverage_;
  ScoreDistribution distribution_;
};

}  // namespace

Listed<Calibration> overlapping_calibration() {
  return {"overlapping", "groups that overlap, and functions of columns: the guarantee holds for each of them at once",
          [](std::string_view) { return std::make_unique<OverlappingCalibration>(); }};
}

}  // namespace taut
