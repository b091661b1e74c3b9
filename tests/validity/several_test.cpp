// Joint regions of several targets follow their exact distributions, for every listed region, really trained: the coverage of all
// targets at once, given the model and its n calibration rows, is Beta(k, n + 1 − k). TAUT_VALIDATE=long repeats ten times as
// often.
#include <taut/task/several/joint_region.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <tests/support/joint_rows.hpp>
#include <tests/validity/coverage_distribution.hpp>
#include <tests/validity/validity_run.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

constexpr Index fresh_rows = 4000;  // estimate the coverage given the model; their error is far below its spread

using testing::CoverageDraw;
using testing::CoverageSuite;
using testing::one_thread;
using testing::repeats;

Matrix joint_targets(const Table& table) { return table.values.rightCols(table.values.cols() - 2); }

// For each fresh row whether it is covered: by the box for the region that is one, else by the region itself.
std::vector<bool> covered(const JointRegressor& model, const Table& fresh, double level) {
  std::vector<bool> result;
  const Matrix y = joint_targets(fresh);
  if (model.region() != "box") {
    const ContainedRows found = model.contains(fresh, y, std::vector{level}, one_thread);
    for (Index row = 0; row < y.rows(); ++row) result.push_back(found.contained(row, 0) == 1);
    return result;
  }
  const PredictedBoxes boxes = model.predict_boxes(fresh, std::vector{level}, one_thread);
  for (Index row = 0; row < y.rows(); ++row) {
    bool holds = true;
    for (Index target = 0; target < y.cols(); ++target) holds = holds && boxes.at(row, 0, target).contains(y(row, target));
    result.push_back(holds);
  }
  return result;
}

CoverageDraw draw_of(const JointRegressor& model, const Table& fresh, Index per_mille) {
  const auto hits = covered(model, fresh, static_cast<double>(per_mille) / 1000);
  const auto count = std::count(hits.begin(), hits.end(), true);
  // Half a row less or more than the true coverage of a continuous score.
  return {model.calibration_rows(), per_mille, static_cast<double>(count) / static_cast<double>(hits.size()), hits.front()};
}

// One fit, calibrated anew with fresh rows.
TEST(JointRegions, CoverageOfFreshCalibrationsFollowsItsDistribution) {
  CoverageSuite suite;
  std::uint64_t seed = 0;
  for (const auto& entry : joint_regions().entries()) {
    JointRegressor model =
        JointRegressor::fit(testing::joint_table(500, ++seed, 3), testing::joint_options(3), entry.name, one_thread);
    for (Index again = 0; again < repeats(60, 10); ++again) {
      const Index rows = again % 2 == 0 ? 19 : 49;
      model.calibrate(testing::joint_table(rows, ++seed, 3), one_thread);
      const Table fresh = testing::joint_table(again % 4 < 2 ? fresh_rows / 4 : fresh_rows / 8, ++seed, 3);
      suite.add({entry.name, "all"}, draw_of(model, fresh, 800));
    }
  }
  suite.expect_distribution();
}

// Fits with their own calibration rows, which nothing of the region may have seen.
TEST(JointRegions, CoverageOfFitsFollowsItsDistribution) {
  CoverageSuite suite;
  std::uint64_t seed = 1000;
  for (const auto& entry : joint_regions().entries())
    for (Index again = 0; again < repeats(25, 10); ++again) {
      FitOptions options = testing::joint_options();
      options.transform = "fixed";
      options.seed = again;
      const Table table = testing::joint_table(300, ++seed);
      const JointRegressor model = JointRegressor::fit(table, options, entry.name, one_thread);
      suite.add({entry.name, "all"}, draw_of(model, testing::joint_table(fresh_rows / 4, ++seed), 800));
    }
  suite.expect_distribution();
}

// The coverage of each target alone, by --each.
TEST(JointRegions, IntervalsOfEachTargetFollowTheirDistribution) {
  CoverageSuite suite;
  std::uint64_t seed = 5000;
  JointRegressor model = JointRegressor::fit(testing::joint_table(400, ++seed), testing::joint_options(), "box", one_thread);
  for (Index again = 0; again < repeats(150, 10); ++again) {
    model.calibrate(testing::joint_table(39, ++seed), one_thread);
    const Table fresh = testing::joint_table(1000, ++seed);
    const PredictedBoxes each = model.predict_each(fresh, std::vector{0.8}, one_thread);
    for (const Index target : {0, 1}) {
      Index count = 0;
      for (Index row = 0; row < 1000; ++row) count += each.at(row, 0, target).contains(fresh.values(row, 2 + target)) ? 1 : 0;
      suite.add({target == 0 ? "y1" : "y2"},
                {39, 800, static_cast<double>(count) / 1000, each.at(0, 0, target).contains(fresh.values(0, 2 + target))});
    }
  }
  suite.expect_distribution();
}

}  // namespace
}  // namespace taut
