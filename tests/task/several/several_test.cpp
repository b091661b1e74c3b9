// Models of several targets, really trained.
#include <taut/core/error.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/task/several/joint_region.hpp>
#include <taut/task/several/joint_regressor.hpp>
#include <tests/support/joint_rows.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

const ExecutionContext single{.threads = 1};
const std::vector<double> levels = {0.8, 0.9};

std::string message_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

Matrix targets_of(const Table& table, Index first, Index count) { return table.values.middleCols(first, count); }

TEST(Several, OneTargetIsTheModelOfOneTargetToTheLastBit) {
  const Table table = testing::small_table(400), fresh = testing::small_table(100, 2);
  FitOptions options = testing::quick_options();
  const Regressor alone = Regressor::fit(table, options, single);
  const JointRegressor joint = JointRegressor::fit(table, options, "box", single);
  const Predicted expected = alone.predict_interval(fresh, levels, single);
  const PredictedBoxes found = joint.predict_boxes(fresh, levels, single);
  for (Index row = 0; row < 100; ++row) {
    EXPECT_EQ(found.prediction(row, 0), expected.prediction[static_cast<std::size_t>(row)]);
    for (std::size_t level = 0; level < levels.size(); ++level) {
      EXPECT_EQ(found.at(row, level, 0).lower, expected.at(row, level).lower);
      EXPECT_EQ(found.at(row, level, 0).upper, expected.at(row, level).upper);
    }
  }
}

TEST(Several, TargetsKeepTheirOwnFits) {
  const Table table = testing::joint_table(400, 1), fresh = testing::joint_table(50, 2);
  const JointRegressor joint = JointRegressor::fit(table, testing::joint_options(), "box", single);
  for (const Index target : {0, 1}) {
    FitOptions alone = testing::joint_options();
    alone.target = target == 0 ? "y1" : "y2";
    alone.drop = {target == 0 ? "y2" : "y1"};
    const auto expected = Regressor::fit(table, alone, single).predict(fresh, single);
    const Matrix found = joint.predict(fresh, single);
    for (Index row = 0; row < 50; ++row) EXPECT_EQ(found(row, target), expected[static_cast<std::size_t>(row)]);
  }
}

TEST(Several, BoxesMissEachSideOfEachTargetAboutEquallyOftenSlow) {
  const JointRegressor model = JointRegressor::fit(testing::joint_table(3000, 1, 3), testing::joint_options(3), "box", single);
  const Table fresh = testing::joint_table(8000, 2, 3);
  const PredictedBoxes boxes = model.predict_boxes(fresh, std::vector{0.8}, single);
  std::vector<double> misses;
  for (Index target = 0; target < 3; ++target) {
    double below = 0, above = 0;
    for (Index row = 0; row < 8000; ++row) {
      const double y = fresh.values(row, 2 + target);
      below += y < boxes.at(row, 0, target).lower ? 1 : 0;
      above += y > boxes.at(row, 0, target).upper ? 1 : 0;
    }
    misses.insert(misses.end(), {below / 8000, above / 8000});
  }
  const double mean = std::accumulate(misses.begin(), misses.end(), 0.0) / 6;
  for (const double one : misses) EXPECT_NEAR(one, mean, 0.4 * mean);
}

TEST(Several, EveryRegionSavesAndLoadsTheSameAnswers) {
  const Table table = testing::joint_table(500, 1), fresh = testing::joint_table(60, 2);
  for (const auto& entry : joint_regions().entries()) {
    const JointRegressor model = JointRegressor::fit(table, testing::joint_options(), entry.name, single);
    const JointRegressor loaded = JointRegressor::from_bytes(model.to_bytes());
    EXPECT_EQ(loaded.region(), entry.name);
    EXPECT_EQ(loaded.to_bytes(), model.to_bytes());
    const PredictedBoxes expected = model.predict_boxes(fresh, levels, single),
                         found = loaded.predict_boxes(fresh, levels, single);
    EXPECT_EQ(found.volumes, expected.volumes);
    EXPECT_EQ(loaded.sample(fresh, 3, 7, single), model.sample(fresh, 3, 7, single));
    const Matrix y = targets_of(fresh, 2, 2);
    EXPECT_EQ(loaded.contains(fresh, y, levels, single).p_value, model.contains(fresh, y, levels, single).p_value);
  }
}

TEST(Several, RegionsAreNestedAndPValuesAgreeWithThem) {
  const Table table = testing::joint_table(500, 1), fresh = testing::joint_table(200, 2);
  const std::vector<double> many = {0.5, 0.7, 0.8, 0.9, 0.95};
  for (const auto& entry : joint_regions().entries()) {
    const JointRegressor model = JointRegressor::fit(table, testing::joint_options(), entry.name, single);
    const ContainedRows found = model.contains(fresh, targets_of(fresh, 2, 2), many, single);
    const PredictedBoxes boxes = model.predict_boxes(fresh, many, single);
    for (Index row = 0; row < 200; ++row)
      for (std::size_t level = 0; level < many.size(); ++level) {
        const auto at = static_cast<Index>(level);
        EXPECT_EQ(found.contained(row, at) == 1, found.p_value[static_cast<std::size_t>(row)] > 1 - many[level] - 1e-12)
            << entry.name << " " << row << " " << many[level];
        if (level > 0) {
          EXPECT_LE(found.contained(row, at - 1), found.contained(row, at));
        }
        if (level > 0) {
          EXPECT_LE(boxes.volumes(row, at - 1), boxes.volumes(row, at));
        }
        const bool in_box =
            boxes.at(row, level, 0).contains(fresh.values(row, 2)) && boxes.at(row, level, 1).contains(fresh.values(row, 3));
        if (entry.name == "box") {
          EXPECT_EQ(found.contained(row, at) == 1, in_box);
        }
        if (entry.name == "ellipsoid") {
          EXPECT_LE(found.contained(row, at), in_box ? 1 : 0);
        }
      }
  }
}

// The volume by counting random points of the box around the region.
TEST(Several, VolumesAreThoseOfTheRegions) {
  const Table table = testing::joint_table(500, 1);
  for (const auto& entry : joint_regions().entries()) {
    const JointRegressor model = JointRegressor::fit(table, testing::joint_options(), entry.name, single);
    const Table one = testing::joint_table(1, 9);
    const PredictedBoxes boxes = model.predict_boxes(one, std::vector{0.8}, single);
    constexpr Index count = 20'000;
    Table points = one;
    points.values = one.values.replicate(count, 1);
    Random random(3);
    double around = 1;
    for (const Index target : {0, 1}) {
      const Interval side = boxes.at(0, 0, target);
      const double middle = (side.lower + side.upper) / 2, half = 1.5 * side.width() / 2;
      around *= 2 * half;
      for (Index i = 0; i < count; ++i) points.values(i, 2 + target) = random.uniform(middle - half, middle + half);
    }
    const ContainedRows found = model.contains(points, targets_of(points, 2, 2), std::vector{0.8}, single);
    const double share = found.contained.col(0).mean(), error = std::sqrt(share * (1 - share) / count);
    const double allowed = entry.name == "density" ? 0.2 * boxes.volumes(0, 0) : 0;  // its own standard error is about 5 %
    EXPECT_NEAR(boxes.volumes(0, 0), share * around, 5 * error * around + allowed) << entry.name;
  }
}

TEST(Several, ARegionThatFollowsTheCorrelationIsSmallerSlow) {
  const Table table = testing::joint_table(3000, 1), fresh = testing::joint_table(500, 2);
  std::map<std::string, double> sides;
  for (const auto& entry : joint_regions().entries())
    sides[entry.name] = JointRegressor::fit(table, testing::joint_options(), entry.name, single)
                            .predict_boxes(fresh, std::vector{0.9}, single)
                            .volumes.array()
                            .sqrt()
                            .mean();
  EXPECT_LT(sides["ellipsoid"], 0.9 * sides["box"]);
  EXPECT_LT(sides["density"], 0.9 * sides["box"]);
  const JointRegressor chosen = JointRegressor::fit(table, testing::joint_options(), "auto", single);
  EXPECT_NE(chosen.region(), "box");
}

TEST(Several, ASumIsReadOffTheJointDistributionSlow) {
  // Errors of y1 and y2 / 100 cancel where x > 0: their sum spreads less than if they were independent.
  const Table table = testing::joint_table(3000, 1), fresh = testing::joint_table(4000, 2);
  const JointRegressor model = JointRegressor::fit(table, testing::joint_options(), "ellipsoid", single);
  const Matrix ends = model.quantiles_of_sum(fresh, "y1 + 0.01*y2", std::vector{0.1, 0.9}, single);
  double covered = 0, width_right = 0, width_left = 0;
  for (Index row = 0; row < 4000; ++row) {
    const double sum = fresh.values(row, 2) + 0.01 * fresh.values(row, 3);
    covered += ends(row, 0) <= sum && sum <= ends(row, 1) ? 1 : 0;
    (fresh.values(row, 0) > 0 ? width_right : width_left) += ends(row, 1) - ends(row, 0);
  }
  EXPECT_NEAR(covered / 4000, 0.8, 0.06);
  EXPECT_LT(width_right, 0.7 * width_left);
}

TEST(Several, IntervalsOfEachTargetCoverAtTheirOwnLevelSlow) {
  const JointRegressor model = JointRegressor::fit(testing::joint_table(3000, 1), testing::joint_options(), "box", single);
  const Table fresh = testing::joint_table(5000, 2);
  const PredictedBoxes each = model.predict_each(fresh, std::vector{0.9}, single);
  const PredictedBoxes joint = model.predict_boxes(fresh, std::vector{0.9}, single);
  for (const Index target : {0, 1}) {
    double covered = 0;
    for (Index row = 0; row < 5000; ++row) {
      covered += each.at(row, 0, target).contains(fresh.values(row, 2 + target)) ? 1 : 0;
      EXPECT_LT(each.at(row, 0, target).width(), joint.at(row, 0, target).width());
    }
    EXPECT_NEAR(covered / 5000, 0.9, 0.04);
  }
}

TEST(Several, RowsThatLackATargetTrainTheOthers) {
  Table table = testing::joint_table(800, 1);
  for (Index row = 0; row < 300; ++row) table.values(row, row % 2 == 0 ? 2 : 3) = missing;
  std::vector<std::string> said;
  ExecutionContext context = single;
  context.say = [&](std::string_view words) { said.emplace_back(words); };
  EXPECT_NE(message_of([&] {
              (void)JointRegressor::fit(table, testing::joint_options(), "ellipsoid", context);
            }).find("row 1, column 'y1': the target must be a finite number, found a missing value"),
            std::string::npos);
  FitOptions options = testing::joint_options();
  options.skip_missing_target = true;
  JointRegressor model = JointRegressor::fit(table, options, "ellipsoid", context);
  EXPECT_TRUE(
      std::any_of(said.begin(), said.end(), [](const auto& words) { return words.find("lack a target") != std::string::npos; }));
  const Table whole = testing::joint_table(800, 1);
  EXPECT_LT(model.calibration_rows(), JointRegressor::fit(whole, testing::joint_options(), "box", single).calibration_rows());
  const Table fresh = testing::joint_table(200, 2);
  EXPECT_GT(model.evaluate(fresh, levels, single).levels[1].metric("coverage"), 0.75);
  Table broken = fresh;
  broken.values(3, 3) = missing;
  EXPECT_EQ(model.evaluate(broken, levels, single).rows, 199);
  model.set_skip_missing_target(false);
  EXPECT_NE(message_of([&] { model.calibrate(broken, single); }).find("y2"), std::string::npos);
  EXPECT_NE(message_of([&] { (void)model.evaluate(broken, levels, single); }).find("y2"), std::string::npos);
}

TEST(Several, NamesMayHaveCommas) {
  Table table = testing::joint_table(200, 1);
  table.columns[2].name = "strength (MPa, megapascals)";
  FitOptions options = testing::joint_options();
  options.target = "y2, strength (MPa, megapascals)";
  const JointRegressor model = JointRegressor::fit(table, options, "box", single);
  EXPECT_EQ(model.target_names(), (std::vector<std::string>{"y2", "strength (MPa, megapascals)"}));
  EXPECT_EQ(JointRegressor::from_bytes(model.to_bytes()).target_names(), model.target_names());
  // A column whose whole name is the text is the only target.
  options.target = "strength (MPa, megapascals)";
  EXPECT_EQ(Model::fit(table, options, {}, single).task().name(), "regression");
  options.target = "strngth,yy2";
  const std::string words = message_of([&] { (void)Model::fit(table, options, {}, single); });
  EXPECT_NE(words.find("'strngth'"), std::string::npos) << words;
  EXPECT_NE(words.find("'yy2'"), std::string::npos) << words;
}

TEST(Several, RefusesByName) {
  const Table table = testing::joint_table(200, 1);
  const auto refused = [&](auto change, const std::string& says) {
    FitOptions options = testing::joint_options();
    change(options);
    const std::string words = message_of([&] { (void)JointRegressor::fit(table, options, "box", single); });
    EXPECT_NE(words.find(says), std::string::npos) << words;
  };
  refused([](FitOptions& o) { o.split = "cv+"; }, "--split cv+");
  refused([](FitOptions& o) { o.focus = 0.9; }, "--focus");
  refused(
      [](FitOptions& o) {
        o.lags = {1};
        o.in_order = true;
      },
      "--lags");
  refused(
      [](FitOptions& o) {
        o.prediction = "v";
        o.predictor = "stack";
      },
      "--prediction");
  refused([](FitOptions& o) { o.target = "y1,y1"; }, "twice");
  refused([](FitOptions& o) { o.drop = {"y2"}; }, "y2");
  refused([](FitOptions& o) { o.by = {"y2"}; }, "y2");
  EXPECT_NE(message_of([&] { (void)Model::fit(table, testing::joint_options(), {"regression"}, single); }).find("names 2"),
            std::string::npos);
  EXPECT_THROW((void)JointRegressor::fit(table, testing::joint_options(), "bx", single), UsageError);
  const JointRegressor model = JointRegressor::fit(table, testing::joint_options(), "box", single);
  EXPECT_THROW((void)model.answering({.questions = {"below:3"}}), UsageError);
  EXPECT_THROW((void)model.answering({.levels = {"0.9"}, .smoothing = 1}), UsageError);
  const Regressor alone = Regressor::fit(testing::small_table(200), testing::quick_options(), single);
  EXPECT_THROW((void)alone.answering({.levels = {"0.9"}, .each = true}), UsageError);
}

TEST(Several, OddTargetsHaveClearWords) {
  Table table = testing::joint_table(300, 1);
  Table constant = table;
  constant.values.col(3).setConstant(5);
  EXPECT_NE(message_of([&] { (void)JointRegressor::fit(constant, testing::joint_options(), "box", single); }).find("'y2' is 5"),
            std::string::npos);
  Table collinear = table;
  collinear.values.col(3) = 3 * table.values.col(2).array() + 1;
  for (const auto& entry : joint_regions().entries()) {
    const JointRegressor model = JointRegressor::fit(collinear, testing::joint_options(), entry.name, single);
    EXPECT_TRUE(model.predict_boxes(table, levels, single).volumes.allFinite()) << entry.name;
  }
  FitOptions options = testing::joint_options();
  EXPECT_NE(message_of([&] { (void)JointRegressor::fit(testing::joint_table(3, 1), options, "box", single); }), "no error");
}

TEST(Several, GroupsWeightsAndShiftWorkAsForOneTarget) {
  Table table = testing::joint_table(1500, 1);
  FitOptions options = testing::joint_options();
  options.by = {"v:2"};
  JointRegressor model = JointRegressor::fit(table, options, "ellipsoid", single);
  EXPECT_EQ(model.calibration_kind(), "by-group");
  const Table fresh = testing::joint_table(2000, 2);
  EXPECT_NEAR(model.evaluate(fresh, levels, single).levels[1].metric("coverage"), 0.9, 0.05);
  (void)model.predict_each(fresh, levels, single);
  CalibrationOptions how;
  how.towards = TableView(fresh);
  model.calibrate(testing::joint_table(800, 4), single, how);
  EXPECT_EQ(model.calibration_kind(), "towards");
  EXPECT_NEAR(model.evaluate(fresh, levels, single).levels[1].metric("coverage"), 0.9, 0.05);
  const auto loaded = JointRegressor::from_bytes(model.to_bytes());
  EXPECT_EQ(loaded.predict_boxes(fresh, levels, single).volumes, model.predict_boxes(fresh, levels, single).volumes);
}

TEST(Several, AStreamAdaptsAndGoesOnAfterLoading) {
  FitOptions options = testing::joint_options();
  options.in_order = true;
  for (const auto& entry : joint_regions().entries()) {
    JointRegressor model = JointRegressor::fit(testing::joint_table(600, 1), options, entry.name, single);
    Table shifted = testing::joint_table(600, 2);
    shifted.values.col(3) *= 1.5;
    const auto streamed = model.stream(shifted, std::vector{0.9}, {}, single);
    double covered = 0;
    for (Index row = 0; row < 600; ++row) covered += streamed->at(row, 0).contains(0.5) ? 1 : 0;
    EXPECT_NEAR(covered / 600, 0.9, 0.04) << entry.name;
    const auto cells = model.task().stream_cells(*streamed);
    EXPECT_EQ(cells.size(), model.task().stream_columns({"0.9"}).size());
    EXPECT_EQ(cells.back().numbers.size(), 600u);
    EXPECT_EQ(JointRegressor::from_bytes(model.to_bytes()).to_bytes(), model.to_bytes());
    EXPECT_THROW((void)model.stream(shifted, std::vector{0.9}, {.refit_every = 100}, single), UsageError);
  }
}

TEST(Several, ThreadsDoNotChangeAnything) {
  const Table table = testing::joint_table(500, 1, 3);
  for (const std::string predictor : {"linear", "boost"}) {
    FitOptions options = testing::joint_options(3);
    options.predictor = predictor;
    std::vector<std::string> bytes;
    std::vector<std::vector<std::string>> said;
    for (const int threads : {1, 3}) {
      said.emplace_back();
      ExecutionContext context{.threads = threads};
      context.say = context.details = [&](std::string_view words) { said.back().emplace_back(words); };
      double last = 0;
      context.progress = [&](std::string_view, double done) {
        EXPECT_TRUE(done >= 0 && done <= 1) << done;
        last = done;
      };
      bytes.push_back(JointRegressor::fit(table, options, predictor == "linear" ? "auto" : "box", context).to_bytes());
      EXPECT_EQ(bytes.back(), bytes.front()) << predictor << " " << threads;
      EXPECT_EQ(said.back(), said.front());
      EXPECT_GT(last, 0);
    }
  }
}

// What is said about targets comes in their order, each sentence once.
TEST(Several, TargetsSpeakInTheirOrder) {
  Table table = testing::joint_table(400, 1, 3);
  table.columns.push_back({"school_id"});
  table.values.conservativeResize(400, 6);
  for (Index row = 0; row < 400; ++row) {
    table.values(row, 5) = static_cast<double>(100 + row * 7 % 10);
    for (const Index target : {2, 3, 4})
      table.values(row, target) = std::abs(table.values(row, target)) + 5 * static_cast<double>(row * 7 % 3);
  }
  std::vector<std::string> said;
  ExecutionContext context{.threads = 3};
  context.say = [&](std::string_view words) { said.emplace_back(words); };
  FitOptions options = testing::joint_options(3);
  options.predictor = "boost";
  (void)JointRegressor::fit(table, options, "box", context);
  std::string targets;
  for (const auto& words : said)
    if (words.starts_with("y")) targets += words.substr(1, 1);
  EXPECT_TRUE(targets.starts_with("1")) << targets;
  EXPECT_TRUE(std::is_sorted(targets.begin(), targets.end())) << targets;
  std::sort(said.begin(), said.end());
  EXPECT_EQ(std::adjacent_find(said.begin(), said.end()), said.end());
}

// Of several faults the first in the order of the targets is thrown.
TEST(Several, TheFirstFaultIsThrown) {
  Table table = testing::joint_table(300, 1, 3);
  for (const Index target : {3, 4}) table.values.col(target).setConstant(5);
  for (const int threads : {1, 3}) {
    const std::string words = message_of(
        [&] { (void)JointRegressor::fit(table, testing::joint_options(3), "box", ExecutionContext{.threads = threads}); });
    EXPECT_NE(words.find("'y2' is 5"), std::string::npos) << words;
  }
}

}  // namespace
}  // namespace taut
