// A box of several targets is exported as one target after another; ends of intervals are two scores of the target's common
// scale.
#include <taut/core/error.hpp>
#include <taut/export/exported.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <taut/task/several/several_task.hpp>
#include <tests/support/joint_rows.hpp>

#include <gtest/gtest.h>

namespace taut::testing {

namespace {

const std::vector<double> levels_of_box = {0.1, 0.9};

JointRegressor model_of(Index targets, const std::string& region = "box") {
  return JointRegressor::fit(joint_table(600, 1, targets), joint_options(targets), region, {.threads = 1});
}

Exported exported_box(const JointRegressor& model) { return exported(model, levels_of_box, {"0.1", "0.9"}); }

}  // namespace

TEST(ExportOfSeveralTargets, EndsAreScoresOfEachTarget) {
  const JointRegressor model = model_of(3);
  const Exported found = exported_box(model);
  ASSERT_EQ(found.targets.size(), 3U);
  const JointTargets& joint = several_task(model.parts()).joint;
  for (std::size_t j = 0; j < 3; ++j) {
    const ExportedTarget& target = found.targets[j];
    EXPECT_EQ(target.name, joint.names[j]);
    EXPECT_TRUE(target.is_side_of_box());
    ASSERT_EQ(target.ends.size(), levels_of_box.size());
    for (std::size_t i = 0; i < levels_of_box.size(); ++i) {
      const double q = model.distribution().quantile(levels_of_box[i]);
      const auto& [low, high] = target.ends[i];
      EXPECT_LT(low, high);
      EXPECT_GE(joint.scales[j](low), -q);
      EXPECT_LE(joint.scales[j](high), q);
    }
    EXPECT_LT(target.ends[0].high, target.ends[1].high);
    EXPECT_LT(target.ends[1].low, target.ends[0].low);
  }
}

TEST(ExportOfSeveralTargets, ScalesOfTheScoreHaveTheirOwnFunctions) {
  const JointRegressor model = model_of(2);
  Exported two = exported_box(model);
  const std::vector<double> y = {1, 2, 3, 5, 8, 13};
  two.targets[0].score_scale = ScoreScale("log", y);
  two.targets[1].score_scale = ScoreScale("root", y);
  const std::string source = c_source(two, "predict");
  for (const char* const words : {"double taut_value_0(double z) { return exp(z); }", "double taut_value_1(double z)",
                                  "taut_outward_0(taut_", "taut_outward_1(taut_", "static void taut_target_1("})
    EXPECT_NE(source.find(words), std::string::npos) << words;
  EXPECT_EQ(source.find("taut_value("), std::string::npos);
}

TEST(ExportOfSeveralTargets, NamesCannotEndTheComment) {
  const JointRegressor model = model_of(2);
  Exported two = exported_box(model);
  const std::string plain = c_source(two, "predict");
  const auto comments_of = [](const std::string& source) {
    std::size_t count = 0;
    for (std::size_t at = source.find("*/"); at != std::string::npos; at = source.find("*/", at + 1)) ++count;
    return count;
  };
  two.targets[1].name = "*/ int x;";
  EXPECT_EQ(comments_of(c_source(two, "predict")), comments_of(plain));
}

TEST(ExportOfSeveralTargets, OtherRegionsAreRefused) {
  const JointRegressor model = model_of(2, "ellipsoid");
  EXPECT_THROW(exported_box(model), Error);
}

}  // namespace taut::testing
