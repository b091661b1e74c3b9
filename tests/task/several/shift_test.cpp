// Checks of rows against the calibration rows of several targets.
#include <taut/guard/drift/drift_check.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <tests/support/joint_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

const ExecutionContext single_thread{.threads = 1};

// Inputs, then the predictions of all targets and their scales.
TEST(SeveralShift, IsFoundInPredictionsByTheirNames) {
  for (const std::string region : {"box", "density"}) {
    const JointRegressor model =
        JointRegressor::fit(testing::joint_table(900, 1, 3), testing::joint_options(3), region, single_thread);
    Table far = testing::joint_table(300, 2, 3);
    far.values.leftCols(2).array() += 0.7;
    DriftCheck check = model.begin_drift_check();
    model.add_rows(check, far, single_thread);
    std::vector<std::string> names;
    for (const DriftFinding& found : check.findings()) names.push_back(found.column);
    for (const std::string name : {"x", "v", "the prediction of 'y1'", "the prediction of 'y2'"})
      EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << region << ": " << name;
    EXPECT_EQ(std::ssize(model.task().output_names()), model.task().n_outputs());
  }
}

TEST(SeveralShift, RowsWithoutOverlapAreAnAlarm) {
  JointRegressor model = JointRegressor::fit(testing::joint_table(900, 1, 3), testing::joint_options(3), "box", single_thread);
  Table far = testing::joint_table(300, 2, 3);
  far.values.leftCols(2).array() += 10;
  CalibrationOptions how;
  how.towards = TableView(far);
  const auto alarms = model.calibrate(testing::joint_table(300, 3, 3), single_thread, how);
  const auto found =
      std::find_if(alarms.begin(), alarms.end(), [](const Alarm& alarm) { return alarm.kind == AlarmKind::no_overlap; });
  ASSERT_NE(found, alarms.end());
  EXPECT_NE(std::find(found->names.begin(), found->names.end(), "the prediction of 'y1'"), found->names.end()) << found->words;
}

}  // namespace
}  // namespace taut
