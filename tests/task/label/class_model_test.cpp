#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/model/file.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/task/label/class_score.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/labelled_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {
namespace {

using testing::given_probabilities;
using testing::label_options;
using testing::labelled_rows;
using testing::without_probabilities;

constexpr std::array levels = {0.5, 0.8, 0.95};
const ExecutionContext one_thread{.threads = 1};

// The classical method: sort the scores of the calibration rows and take the exact rank.
TEST(Classifier, FixedIsTheClassicalMethodToTheLastBit) {
  for (const auto& name : {"lac", "aps", "raps:0.05,2"}) {
    Random random(2);
    const auto train = labelled_rows(200, 4, random), calibration = labelled_rows(59, 4, random),
               fresh = labelled_rows(80, 4, random);
    Classifier model = Classifier::fit(train.table, label_options("fixed"), given_probabilities(name), one_thread);
    model.calibrate(calibration.table, one_thread);
    const auto score = class_scores().make(name);
    const auto scores_at = [&](const Table& table, Index row) {
      std::vector<double> p(4), out(4);
      for (Index k = 0; k < 4; ++k) p[static_cast<std::size_t>(k)] = table.values(row, 3 + k);
      score->scores(p, 0, out);
      return out;
    };
    std::vector<double> sorted;
    for (Index row = 0; row < 59; ++row)
      sorted.push_back(
          scores_at(calibration.table, row)[static_cast<std::size_t>(calibration.labels[static_cast<std::size_t>(row)])]);
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(model.distribution().scores(), sorted);
    const PredictedSets sets = model.predict_sets(fresh.table, levels, one_thread, {.allow_empty = true});
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const double q = sorted[static_cast<std::size_t>(exact_rank(59, levels[level]) - 1)];
      for (Index row = 0; row < 80; ++row) {
        const auto own = scores_at(fresh.table, row);
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(sets.set(row, level)[k] != 0, own[k] <= q);
      }
    }
    for (Index row = 0; row < 80; ++row)
      for (Index k = 0; k < 4; ++k) EXPECT_EQ(sets.probabilities(row, k), fresh.table.values(row, 3 + k));
  }
}

TEST(Classifier, BytesComeBackAndDoNotDependOnThreads) {
  Random random(4);
  const auto rows = labelled_rows(400, 5, random, 0.8), fresh = labelled_rows(50, 5, random, 0.8);
  for (const bool given : {true, false})
    for (const bool by_label : {false, true}) {
      LabelOptions classes = given_probabilities("randomized-aps", by_label);
      if (!given) classes.probabilities.clear();
      const FitOptions options = given ? label_options() : without_probabilities(label_options(), 5);
      const Classifier one = Classifier::fit(rows.table, options, classes, one_thread);
      const Classifier two = Classifier::fit(rows.table, options, classes, ExecutionContext{.threads = 2});
      EXPECT_EQ(one.to_bytes(), two.to_bytes());
      const Classifier back = Classifier::from_bytes(one.to_bytes());
      EXPECT_EQ(back.to_bytes(), one.to_bytes());
      const auto a = one.predict_sets(fresh.table, levels, one_thread);
      const auto b = back.predict_sets(fresh.table, levels, ExecutionContext{.threads = 2});
      EXPECT_EQ(a.members, b.members);
      EXPECT_TRUE(a.probabilities == b.probabilities);
      EXPECT_THROW(Regressor::from_bytes(one.to_bytes()), Error);
    }
}

TEST(Classifier, DamagedFilesAreErrors) {
  Random random(4);
  const auto rows = labelled_rows(150, 3, random);
  const std::string bytes = Classifier::fit(rows.table, label_options(), given_probabilities("", true), one_thread).to_bytes();
  const std::string payload(unframe(bytes));
  Random where(9);
  for (int again = 0; again < 300; ++again) {
    std::string damaged = payload;
    damaged[static_cast<std::size_t>(where.below(std::ssize(damaged)))] = static_cast<char>(where.below(256));
    try {
      const Classifier model = Classifier::from_bytes(frame(damaged));
      (void)model.predict_sets(rows.table, levels, one_thread);
    } catch (const Error&) {
    }
  }
}

// The content of calibration rows changes the score distribution and nothing else.
TEST(Classifier, CalibrationRowsAffectOnlyTheCalibration) {
  for (const bool given : {true, false}) {
    Random random(6);
    auto rows = labelled_rows(300, 3, random, 0.8);
    LabelOptions classes = given_probabilities();
    if (!given) classes.probabilities.clear();
    const FitOptions options = given ? label_options() : without_probabilities(label_options(), 3);
    Classifier before = Classifier::fit(rows.table, options, classes, one_thread);
    FitOptions planned = options;
    if (given) {
      planned.prediction = "given";
      planned.split = "0,0.4,0.1,0.5";
    }
    const RowPlan plan = plan_rows(300, planned, planned.localizer_crosses(), false, "drawn");
    for (const Index row : plan.calibration) {
      for (Index column = 0; column < 3; ++column) rows.table.values(row, column) = 1e6 * random.normal();
      rows.table.values(row, 3 + 3) = static_cast<double>(random.below(3));
    }
    rows.table.columns.back().categories.push_back("never trained");
    rows.table.values(plan.calibration.front(), 6) = 3;
    Classifier after = Classifier::fit(rows.table, options, classes, one_thread);
    EXPECT_EQ(before.labels(), after.labels());
    EXPECT_NE(before.distribution().scores(), after.distribution().scores());
    EXPECT_EQ(after.distribution().scores().back(), infinity);  // no set can hold the label that no training row had
    // After calibration with the same rows nothing differs.
    const auto common = labelled_rows(50, 3, random);
    before.calibrate(common.table, one_thread);
    after.calibrate(common.table, one_thread);
    EXPECT_EQ(before.to_bytes(), after.to_bytes());
  }
}

TEST(Classifier, SetsAreNestedAndEveryRowHasItsSizes) {
  Random random(8);
  const auto rows = labelled_rows(400, 6, random, 0.8), fresh = labelled_rows(100, 6, random, 0.8);
  for (const auto& entry : class_scores().entries()) {
    const Classifier model = Classifier::fit(rows.table, label_options(), given_probabilities(entry.example), one_thread);
    for (const auto& smoothing : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(3)}) {
      const auto sets = model.predict_sets(fresh.table, levels, one_thread, {.smoothing = smoothing});
      for (Index row = 0; row < 100; ++row)
        for (std::size_t level = 0; level + 1 < levels.size(); ++level)
          for (std::size_t k = 0; k < 6; ++k) EXPECT_LE(sets.set(row, level)[k], sets.set(row, level + 1)[k]);
    }
    // Rows are independent of one another: a batch gives the same as all rows at once.
    Table part = fresh.table;
    part.values = fresh.table.values.bottomRows(40);
    const auto all = model.predict_sets(fresh.table, levels, one_thread);
    const auto some = model.predict_sets(part, levels, one_thread, {.first_row = 60});
    EXPECT_TRUE(std::equal(some.members.begin(), some.members.end(), all.members.begin() + 60 * 3 * 6));
  }
}

TEST(Classifier, LabelsWithoutCalibrationRowsAreInEverySetByLabel) {
  Random random(10);
  const auto rows = labelled_rows(300, 3, random), fresh = labelled_rows(40, 3, random);
  auto calibration = labelled_rows(200, 3, random);
  for (Index row = 0; row < 200; ++row)
    if (calibration.table.values(row, 6) == 1) calibration.table.values(row, 6) = 0;
  Classifier model = Classifier::fit(rows.table, label_options("fixed"), given_probabilities("", true), one_thread);
  model.calibrate(calibration.table, one_thread);
  const auto sets = model.predict_sets(fresh.table, levels, one_thread);
  for (Index row = 0; row < 40; ++row)
    for (std::size_t level = 0; level < levels.size(); ++level) EXPECT_EQ(sets.set(row, level)[1], 1);
  ASSERT_EQ(model.calibration_notes().size(), 1);
  EXPECT_NE(model.calibration_notes().front().find("'b'"), std::string::npos);
}

TEST(Classifier, TooFewCalibrationRowsMeanEveryLabel) {
  Random random(12);
  const auto rows = labelled_rows(200, 4, random);
  Classifier model = Classifier::fit(rows.table, label_options("fixed"), given_probabilities(), one_thread);
  model.calibrate(labelled_rows(8, 4, random).table, one_thread);
  const std::array nine = {0.9};
  const auto sets = model.predict_sets(rows.table, nine, one_thread);
  EXPECT_TRUE(std::all_of(sets.members.begin(), sets.members.end(), [](auto in) { return in == 1; }));
}

TEST(Classifier, OneLabelTooManyAndWrongProbabilitiesAreErrors) {
  Random random(14);
  auto rows = labelled_rows(120, 3, random);
  rows.table.values.col(6).setConstant(1);
  LabelOptions trees;
  trees.task = "classification";
  EXPECT_THROW(Classifier::fit(rows.table, without_probabilities(label_options(), 3), trees, one_thread), Error);
  rows = labelled_rows(120, 3, random);
  rows.table.values(5, 4) += 0.5;
  EXPECT_THROW(Classifier::fit(rows.table, label_options("fixed"), given_probabilities(), one_thread), Error);
  rows = labelled_rows(120, 3, random);
  rows.table.values(5, 6) = missing;
  EXPECT_THROW(Classifier::fit(rows.table, label_options("fixed"), given_probabilities(), one_thread), Error);
  FitOptions options = label_options();
  for (auto* wrong : {&options.prediction, &options.predictor, &options.transform, &options.objective}) {
    const std::string right = *wrong;
    *wrong = wrong == &options.predictor   ? "linear"
             : wrong == &options.transform ? "erc"
             : wrong == &options.objective ? "power:0.5"
                                           : "p_a";
    EXPECT_THROW(Classifier::fit(rows.table, options, given_probabilities(), one_thread), UsageError) << *wrong;
    *wrong = right;
  }
}

TEST(Classifier, ManyLabels) {
  Random random(17);
  const auto rows = labelled_rows(1000, 30, random), fresh = labelled_rows(1000, 30, random);
  const Classifier model = Classifier::fit(rows.table, label_options(), given_probabilities(), one_thread);
  EXPECT_GE(model.labels().size(), 20);
  const LabelEvaluation evaluation = model.evaluate(fresh.table, std::array{0.9}, one_thread);
  EXPECT_GT(evaluation.levels.front().metric("coverage"), 0.85);
  EXPECT_LT(evaluation.levels.front().metric("mean_size"), 25);
}

TEST(Classifier, TwoHundredLabelsSlow) {
  Random random(16);
  const auto rows = labelled_rows(3000, 200, random), fresh = labelled_rows(1000, 200, random);
  const Classifier model = Classifier::fit(rows.table, label_options(), given_probabilities(), one_thread);
  EXPECT_GE(model.labels().size(), 100);
  const std::array nine = {0.9};
  const LabelEvaluation evaluation = model.evaluate(fresh.table, nine, one_thread);
  EXPECT_GT(evaluation.levels.front().metric("coverage"), 0.85);
  EXPECT_LT(evaluation.levels.front().metric("mean_size"), 150);
}

// The probabilities are overconfident on one side of x, so there is something to learn. Each of eight samples has the same rows
// for all three models. The differences must be positive by Student's test at the level 0.01.
TEST(Classifier, WhatIsLearnedMakesSetsSmallerAndCoverageMoreEvenSlow) {
  constexpr int draws = 8;
  constexpr double significant = 2.998;  // Student, seven degrees of freedom, one side
  const std::array nine = {0.9};
  std::vector<double> smaller, more_even;
  for (int draw = 0; draw < draws; ++draw) {
    Random random(100 + draw);
    const auto rows = labelled_rows(1500, 4, random, 1.0), fresh = labelled_rows(1500, 4, random, 1.0);
    const auto figures = [&](const std::string& transform, const std::string& objective) {
      FitOptions options = label_options(transform);
      options.objective = objective;
      const Classifier model = Classifier::fit(rows.table, options, given_probabilities(), one_thread);
      const bool learned = model.label_record().trained || model.label_record().corrected;
      EXPECT_FALSE(learned && transform == "fixed");
      const LabelEvaluation evaluation = model.evaluate(fresh.table, nine, one_thread, {}, /*allow_empty=*/true);
      return std::pair(evaluation.levels.front().metric("mean_size"), evaluation.levels.front().metric("ert"));
    };
    const auto fixed = figures("fixed", ""), learned = figures("curve", ""), conditional = figures("curve", "conditional");
    smaller.push_back(fixed.first - learned.first);
    more_even.push_back(fixed.second - conditional.second);
  }
  for (const auto* differences : {&smaller, &more_even}) {
    double mean = 0, square = 0;
    for (const double one : *differences) mean += one / draws;
    for (const double one : *differences) square += (one - mean) * (one - mean) / (draws - 1);
    EXPECT_GT(mean / std::sqrt(square / draws), significant) << (differences == &smaller ? "mean size" : "L1-ERT");
  }
}

// Right probabilities need no correction: the trees would only add noise, so none are kept.
TEST(Classifier, GivenProbabilitiesAreCorrectedOnlyWhereTheyAreWrong) {
  Random random(21);
  const auto right = labelled_rows(2000, 3, random), wrong = labelled_rows(2000, 3, random, 1.0),
             fresh = labelled_rows(4000, 3, random, 1.0);
  const Classifier kept = Classifier::fit(right.table, label_options(), given_probabilities(), one_thread);
  EXPECT_FALSE(kept.label_record().corrected) << kept.label_record().loss_without << " " << kept.label_record().loss_with;
  const Classifier corrected = Classifier::fit(wrong.table, label_options(), given_probabilities(), one_thread);
  const LabelRecord& record = corrected.label_record();
  EXPECT_TRUE(record.corrected);
  EXPECT_LT(record.loss_with, record.loss_without - record.loss_error);
  // On new rows they are better too, by three standard errors of the paired difference.
  const Matrix p = corrected.probabilities(fresh.table, one_thread);
  double mean = 0, square = 0;
  const auto n = static_cast<double>(fresh.labels.size());
  for (std::size_t i = 0; i < fresh.labels.size(); ++i) {
    const Index label = fresh.labels[i];
    const double gain =
        std::log(p(static_cast<Index>(i), label)) - std::log(fresh.table.values(static_cast<Index>(i), 3 + label));
    mean += gain / n;
    square += gain * gain / n;
  }
  EXPECT_GT(mean, 3 * std::sqrt((square - mean * mean) / n));
  // A model from its file gives the same probabilities.
  const Matrix again = Classifier::from_bytes(corrected.to_bytes()).probabilities(fresh.table, one_thread);
  EXPECT_EQ((again - p).cwiseAbs().maxCoeff(), 0);
}

}  // namespace
}  // namespace taut
