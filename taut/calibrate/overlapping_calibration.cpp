#include <taut/calibrate/calibration.hpp>
#include <taut/calibrate/conditional_quantile.hpp>

#include <map>
#include <mutex>

namespace taut {

namespace {

// The regressions of the levels that were asked for, each solved once, by whichever thread asks first.
class LevelRegressions {
 public:
  explicit LevelRegressions(std::shared_ptr<const ScoredRows> rows) : rows_(std::move(rows)) {}

  const ConditionalQuantile& at(double level) const {
    const std::lock_guard lock(mutex_);
    auto& known = known_[level];
    if (!known) known = std::make_unique<ConditionalQuantile>(rows_, level);
    return *known;
  }

 private:
  std::shared_ptr<const ScoredRows> rows_;
  mutable std::mutex mutex_;
  mutable std::map<double, std::unique_ptr<const ConditionalQuantile>> known_;
};

class RowCutOffs final : public CutOffs {
 public:
  RowCutOffs(std::shared_ptr<const LevelRegressions> levels, std::vector<double> functions)
      : levels_(std::move(levels)), functions_(std::move(functions)) {}

  double at(double confidence) const override { return levels_->at(confidence).cut_off(functions_); }
  std::optional<double> drawn(double confidence, double uniform) const override {
    return levels_->at(confidence).smoothed_cut_off(functions_, uniform);
  }

 private:
  std::shared_ptr<const LevelRegressions> levels_;
  std::vector<double> functions_;
};

// Groups that overlap, and linear functions of columns: the promise holds for all of them at once (Gibbs, Cherian and Candès
// 2023). A row's place is its values of the functions.
class OverlappingCalibration final : public Calibration {
 public:
  void calibrate(CalibrationRows rows, const CalibrationSettings&) override {
    std::vector<double> sizes;
    for (const SignedScore& t : rows.scores()) sizes.push_back(t.score);
    levels_ = std::make_shared<LevelRegressions>(std::make_shared<ScoredRows>(rows.facts().points, sizes));
    law_ = rows.law_of(all_rows(rows.size()));
  }
  Law law(const RowFacts& facts, Index row) const override {
    const auto functions = facts.points.row(row);
    return law_.with_cut_offs(std::make_shared<RowCutOffs>(levels_, std::vector<double>(functions.begin(), functions.end())));
  }
  Fact needs() const override { return Fact::point; }

 private:
  std::shared_ptr<const LevelRegressions> levels_;
  Law law_;
};

}  // namespace

Listed<Calibration> overlapping_calibration() {
  return {"overlapping", "groups that overlap, and functions of columns: the guarantee holds for each of them at once",
          [](std::string_view) { return std::make_unique<OverlappingCalibration>(); }};
}

}  // namespace taut
