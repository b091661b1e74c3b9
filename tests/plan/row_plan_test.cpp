// Row plans: calibration rows must have no other use, and no row may be wasted.
#include <taut/plan/row_plan.hpp>

#include <taut/core/error.hpp>
#include <taut/localize/localizer.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace taut {
namespace {

FitOptions options_with(const std::string& split, const std::string& prediction = "") {
  FitOptions options;
  options.target = "y";
  options.split = split;
  options.prediction = prediction;
  return options;
}

// A calibration row must not train, validate or score anything; together with the others they are all rows.
void expect_sound(const RowPlan& plan, Index rows) {
  std::set<Index> others(plan.predictor.begin(), plan.predictor.end());
  others.insert(plan.transform.begin(), plan.transform.end());
  for (const Index row : plan.calibration) EXPECT_FALSE(others.contains(row));
  EXPECT_EQ(static_cast<Index>(others.size() + plan.calibration.size()), rows);
  for (const auto& part : plan.parts) {
    const Rows train = part.train(), validation = part.validation();
    EXPECT_EQ(std::ssize(validation), part.validation_rows());
    std::set<Index> seen(train.begin(), train.end());
    for (const Index row : validation) EXPECT_TRUE(seen.insert(row).second);
    EXPECT_EQ(seen.size(), plan.transform.size());
    EXPECT_EQ(*seen.rbegin() + 1, std::ssize(plan.transform));
  }
}

TEST(RowPlan, InOrderPartsFollowOneAnother) {
  for (const char* split : {"cross", "0.4,0.3,0.1,0.2"})
    for (const Index gap : {0, 7}) {
      FitOptions options = options_with(split);
      options.in_order = true;
      options.gap = gap;
      const RowPlan plan = plan_rows(400, options, true, false, "t");
      EXPECT_TRUE(std::is_sorted(plan.predictor.begin(), plan.predictor.end()));
      EXPECT_TRUE(std::is_sorted(plan.transform.begin(), plan.transform.end()));
      EXPECT_EQ(plan.calibration.back(), 399);
      EXPECT_EQ(plan.calibration.front() - plan.transform.back(), 1 + gap);
      EXPECT_EQ(std::ssize(plan.calibration), plan.calibration.back() - plan.calibration.front() + 1);
      if (plan.folds.empty()) {
        EXPECT_EQ(plan.transform.front() - plan.predictor.back(), 1 + gap);
      }
      for (const auto* parts : {&plan.parts, &plan.folds})
        for (const TrainingPart& part : *parts) {
          const Rows train = part.train(), validation = part.validation();
          EXPECT_EQ(validation.back() - validation.front() + 1, std::ssize(validation));  // a block
          for (const Index row : train) {
            EXPECT_TRUE(plan.folds.empty() || row < validation.front() - gap || row > validation.back() + gap);
            EXPECT_TRUE(row < validation.front() || row > validation.back());
          }
        }
    }
}

// With f given and one width everywhere nothing is learnt from rows, so all of them calibrate.
TEST(RowPlan, WhereNothingIsLearntEveryRowCalibrates) {
  const auto plan_with = [](auto change) {
    FitOptions options = options_with("", "p");
    options.transform = "fixed";
    change(options);
    return plan_rows(500, options, options.localizer_crosses(), false, "t");
  };
  const auto calibrating = [&](auto change) { return std::ssize(plan_with(change).calibration); };
  EXPECT_EQ(calibrating([](FitOptions&) {}), 500);
  EXPECT_TRUE(plan_with([](FitOptions&) {}).selection_rows().empty());
  EXPECT_EQ(std::ssize(plan_with([](FitOptions&) {}).describing()), 500);
  EXPECT_EQ(calibrating([](FitOptions& options) { options.in_order = true; }), 500);
  EXPECT_EQ(calibrating([](FitOptions& options) { options.by = {"region"}; }), 500);
  EXPECT_EQ(calibrating([](FitOptions& options) { options.by = {"age:18/40"}; }), 500);
  EXPECT_EQ(calibrating([](FitOptions& options) {
              options.transform = "curve";
              options.localizer = "none";
            }),
            500);
  EXPECT_EQ(calibrating([](FitOptions& options) {
              options.prediction.clear();
              options.predictor = "imported";
            }),
            500);
  EXPECT_EQ(calibrating([](FitOptions& options) { options.split = "cross"; }), 100) << "as asked";
  EXPECT_EQ(calibrating([](FitOptions& options) { options.split = "0,0.3,0.2,0.5"; }), 250) << "as asked";
  EXPECT_EQ(calibrating([](FitOptions& options) { options.by = {"age:5"}; }), 100) << "other rows define the age bins";
  EXPECT_EQ(calibrating([](FitOptions& options) { options.transform = "exp"; }), 100);
  EXPECT_EQ(calibrating([](FitOptions& options) { options.prediction.clear(); }), 100);
  FitOptions options = options_with("", "p");
  options.transform = "fixed";
  EXPECT_EQ(count_calibration_rows(500, options), 500);
  const RowPlan groups = plan_groups(std::vector<Index>{0, 1, 1, 2, 0}, options, false, false, "t");
  EXPECT_EQ(std::ssize(groups.calibration), 5);
  EXPECT_EQ(std::ssize(plan_rows(500, options, false, true, "t").transform), 500) << "calibration rows are elsewhere";
}

TEST(RowPlan, InOrderTooFewRowsAreReported) {
  FitOptions options = options_with("cross");
  options.in_order = true;
  options.gap = 100;
  EXPECT_THROW(plan_rows(300, options, true, false, "t"), Error);
}

// Groups of 1 to 7 rows in random order: no group is in two parts or in two folds.
TEST(RowPlan, GroupsStayTogether) {
  std::vector<Index> groups;
  for (Index group = 0; group < 40; ++group)
    for (Index i = 0; i <= group % 7; ++i) groups.push_back((group * 17) % 40);
  for (const char* split : {"cross", "0.4,0.3,0.1,0.2"}) {
    const RowPlan plan = plan_groups(groups, options_with(split), true, false, "t");
    expect_sound(plan, std::ssize(groups));
    std::vector<std::set<Index>> parts(1);
    for (const Index row : plan.calibration) parts.back().insert(groups[static_cast<std::size_t>(row)]);
    for (const auto& fold : plan.folds) {
      parts.emplace_back();
      for (Index i = fold.begin; i < fold.end; ++i)
        parts.back().insert(groups[static_cast<std::size_t>(plan.predictor[static_cast<std::size_t>(i)])]);
    }
    if (plan.folds.empty()) {
      parts.emplace_back();
      for (const Index row : plan.predictor) parts.back().insert(groups[static_cast<std::size_t>(row)]);
      for (const auto& rows : {plan.parts.front().train(), plan.parts.front().validation()}) {
        parts.emplace_back();
        for (const Index i : rows)
          parts.back().insert(groups[static_cast<std::size_t>(plan.transform[static_cast<std::size_t>(i)])]);
      }
    }
    std::set<Index> all;
    std::size_t count = 0;
    for (const auto& part : parts) {
      all.insert(part.begin(), part.end());
      count += part.size();
    }
    EXPECT_EQ(all.size(), 40U) << split;
    EXPECT_EQ(count, 40U) << split;
  }
  EXPECT_THROW(plan_groups(std::vector<Index>{0, 1, 2, 2, 1, 0}, options_with("cross"), true, false, "t"), Error);
}

TEST(RowPlan, CrossUsesEveryRowOnce) {
  const RowPlan plan = plan_rows(1003, options_with(""), true, false, "t");
  expect_sound(plan, 1003);
  EXPECT_EQ(plan.folds.size(), 5U);
  EXPECT_EQ(plan.parts.size(), 5U);
  EXPECT_NEAR(static_cast<double>(plan.calibration.size()), 200.6, 1);
  EXPECT_EQ(plan.validation_rows(), std::ssize(plan.transform));
  // A member's validation rows are the fold that its predictor did not see.
  EXPECT_EQ(plan.predictor, plan.transform);
  Index first = 0;
  for (std::size_t fold = 0; fold < 5; ++fold) {
    EXPECT_EQ(plan.parts[fold].begin, first);
    EXPECT_EQ(plan.folds[fold].begin, first);
    first = plan.folds[fold].end;
    EXPECT_EQ(plan.parts[fold].end, first);
  }
}

// Few rows make small parts, not an error: every predictor still has at least two rows, and at least one row calibrates.
TEST(RowPlan, SmallTablesHaveSmallParts) {
  for (const bool elsewhere : {false, true}) {
    const Index minimum = elsewhere ? 3 : 4;
    EXPECT_THROW(plan_rows(minimum - 1, options_with("cross"), true, elsewhere, "t"), Error);
    for (Index rows = minimum; rows < 40; ++rows) {
      const RowPlan plan = plan_rows(rows, options_with("cross"), true, elsewhere, "t");
      expect_sound(plan, rows);
      const Index calibrating = elsewhere ? 0 : std::max<Index>(1, std::min({Index{19}, rows / 2, rows - 3}));
      const Index training = rows - calibrating;
      EXPECT_EQ(std::ssize(plan.predictor), training);
      EXPECT_EQ(std::ssize(plan.folds), std::min<Index>(5, training)) << rows;
      for (const auto& fold : plan.folds) {
        EXPECT_GE(fold.validation_rows(), 1);
        EXPECT_GE(std::ssize(fold.train()), 2);
      }
    }
  }
}

// 0.95 needs 19 calibration rows, 0.9 needs 9. If rows are few, enough of them calibrate to avoid the whole line.
TEST(RowPlan, FewRowsLeaveEnoughToCalibrate) {
  const auto calibrating = [](Index rows) { return std::ssize(plan_rows(rows, options_with(""), true, false, "t").calibration); };
  EXPECT_EQ(calibrating(18), 9);
  EXPECT_EQ(calibrating(38), 19);
  EXPECT_EQ(calibrating(60), 19);
  EXPECT_EQ(calibrating(94), 19);
  EXPECT_EQ(calibrating(95), 19);
  EXPECT_EQ(calibrating(200), 40);
}

TEST(RowPlan, ANetworkKeepsOneFifthForValidation) {
  const RowPlan plan = plan_rows(1000, options_with("cross"), false, false, "t");
  expect_sound(plan, 1000);
  EXPECT_EQ(plan.parts.size(), 1U);
  EXPECT_EQ(plan.validation_rows(), 160);
  EXPECT_EQ(plan.transform_training_rows(), 640);
}

TEST(RowPlan, GivenPredictionsLeaveAllOtherRowsToTheTransformation) {
  const RowPlan plan = plan_rows(1000, options_with("", "f"), true, false, "t");
  expect_sound(plan, 1000);
  EXPECT_TRUE(plan.predictor.empty());
  EXPECT_EQ(plan.parts.size(), 5U);
  EXPECT_EQ(plan.transform_training_rows(), 800);
  EXPECT_EQ(plan.validation_rows(), 800);
  EXPECT_EQ(std::ssize(plan.calibration), 200);
}

TEST(RowPlan, ThreeSharesSufficeForGivenPredictions) {
  const RowPlan plan = plan_rows(1000, options_with("0.6,0.15,0.25", "f"), true, false, "t");
  expect_sound(plan, 1000);
  EXPECT_TRUE(plan.predictor.empty());
  EXPECT_EQ(plan.transform_training_rows(), 600);
  EXPECT_EQ(plan.validation_rows(), 150);
  EXPECT_EQ(std::ssize(plan.calibration), 250);
}

TEST(RowPlan, ExplicitSharesAreKept) {
  const RowPlan plan = plan_rows(1000, options_with("0.4,0.3,0.1,0.2"), true, false, "t");
  expect_sound(plan, 1000);
  EXPECT_EQ(std::ssize(plan.predictor), 400);
  EXPECT_EQ(plan.transform_training_rows(), 300);
  EXPECT_EQ(plan.validation_rows(), 100);
  EXPECT_EQ(std::ssize(plan.calibration), 200);
}

TEST(RowPlan, CalibrationElsewhereLeavesEveryRowToTraining) {
  for (const char* split : {"cross", "0.4,0.3,0.1,0.2"}) {
    const RowPlan plan = plan_rows(500, options_with(split), true, true, "t");
    expect_sound(plan, 500);
    EXPECT_TRUE(plan.calibration.empty());
  }
}

// A localizer that does not adapt needs no training rows, however that was specified.
TEST(RowPlan, OneWidthEverywhereNeedsNoRowsForTraining) {
  for (const auto& entry : localizers().entries()) {
    if (localizers().make(entry.name)->adapts()) continue;
    FitOptions options = options_with("0,0,0,1", "f");
    options.localizer = entry.name;
    const RowPlan plan = plan_rows(30, options, false, false, "t");
    EXPECT_EQ(plan.calibration.size(), 30U) << entry.name;
    EXPECT_TRUE(plan.transform.empty()) << entry.name;
  }
  FitOptions options = options_with("0,0,0,1", "f");
  options.transform = "fixed";
  EXPECT_EQ(plan_rows(30, options, false, false, "t").calibration.size(), 30U);
  options.transform = "exp";
  EXPECT_THROW(plan_rows(30, options, false, false, "t"), UsageError);
}

TEST(RowPlan, NonsenseIsRefusedWithTheNumberThatServes) {
  const auto words = [](Index rows, const FitOptions& options) -> std::string {
    try {
      plan_rows(rows, options, true, false, "t.csv");
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(words(3, options_with("cross")).find("--split cross needs at least 4, there are 3"), std::string::npos);
  EXPECT_EQ(words(4, options_with("cross")), "");
  EXPECT_NE(words(30, options_with("0.4,0.2,0.2,0.2")).find("at least 50"), std::string::npos);
  EXPECT_EQ(words(50, options_with("0.4,0.2,0.2,0.2")), "");
  EXPECT_THROW(plan_rows(100, options_with("0.5,0.5,0.5,0.5"), true, false, "t"), UsageError);
  EXPECT_THROW(plan_rows(100, options_with("0.5,0.5"), true, false, "t"), UsageError);
  EXPECT_THROW(plan_rows(100, options_with("half"), true, false, "t"), UsageError);
  EXPECT_THROW(plan_rows(100, options_with("0.5,0.3,0.2,0"), true, false, "t"), UsageError);
}

}  // namespace
}  // namespace taut
