// Students: what they learn of their teachers, which rows may calibrate them, and what is refused.
#include <taut/core/error.hpp>
#include <taut/model/parts.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/number_task.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

using testing::quick_options;
using testing::rows_of;
using testing::small_table;

constexpr std::array student_levels{0.5, 0.9};

const DistilOptions fast{.learn_from = 0};  // no made rows

FitOptions teacher_options() {
  FitOptions options = quick_options();
  options.predictor = "boost";
  options.effort = "quick";
  return options;
}

Table without(Table table, const std::string& name) {
  const Index gone = table.require(name);
  Matrix values(table.rows(), table.values.cols() - 1);
  values << table.values.leftCols(gone), table.values.rightCols(table.values.cols() - gone - 1);
  table.values = std::move(values);
  table.columns.erase(table.columns.begin() + gone);
  return table;
}

// One teacher for all tests, which do not change it.
struct World {
  Table all = small_table(2800), train = rows_of(all, 0, 600), calibration = rows_of(all, 600, 200),
        rows = without(rows_of(all, 800, 800), "y"), test = rows_of(all, 1600, 1000), spare = rows_of(all, 2600, 200);
  Regressor teacher = Regressor::fit(train, teacher_options(), {}, TableView(calibration));
  Regressor student = teacher.distil(rows, {.teacher = "big.taut", .learn_from = 2000}, {}, TableView(calibration));

  static const World& get() {
    static const World world;
    return world;
  }
};

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

void expect_words(const std::string& found, const std::vector<std::string>& words) {
  for (const std::string& one : words) EXPECT_NE(found.find(one), std::string::npos) << "no '" << one << "' in: " << found;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const Eigen::Map<const Eigen::ArrayXd> x(a.data(), std::ssize(a)), y(b.data(), std::ssize(b));
  const Eigen::ArrayXd u = x - x.mean(), v = y - y.mean();
  return (u * v).sum() / std::sqrt((u * u).sum() * (v * v).sum());
}

TEST(Distil, TheStudentPredictsLikeItsTeacher) {
  const World& world = World::get();
  const Predicted by_teacher = world.teacher.predict_interval(world.test, student_levels);
  const Predicted by_student = world.student.predict_interval(world.test, student_levels);
  EXPECT_GT(correlation(by_teacher.prediction, by_student.prediction), 0.98);
  std::vector<double> widths[2];
  for (Index row = 0; row < world.test.rows(); ++row) {
    widths[0].push_back(std::log(by_teacher.at(row, 1).width()));
    widths[1].push_back(std::log(by_student.at(row, 1).width()));
  }
  EXPECT_GT(correlation(widths[0], widths[1]), 0.9);
  EXPECT_NEAR(world.student.evaluate(world.test, student_levels).levels.back().metric("coverage"), 0.9, 0.05);
}

TEST(Distil, TheStudentIsAnOrdinaryModel) {
  const World& world = World::get();
  const Regressor loaded = Regressor::from_bytes(world.student.to_bytes());
  EXPECT_TRUE(loaded.is_student());
  EXPECT_FALSE(world.teacher.is_student());
  EXPECT_EQ(loaded.calibration_rows(), world.calibration.rows());
  expect_words(loaded.describe_fit(), {"a student of big.taut", "800 rows"});
  const Predicted all = world.student.predict_interval(world.test, student_levels);
  const TableView cells = TableView(world.test).matched(loaded.prediction_schema());
  std::vector<double> row(cells.columns().size());
  std::vector<Interval> out(student_levels.size());
  for (Index i = 0; i < 100; ++i) {
    cells.copy_row(i, row.data());
    EXPECT_EQ(loaded.predict_row(row, student_levels, out), all.prediction[static_cast<std::size_t>(i)]);
    EXPECT_EQ(out[1].lower, all.at(i, 1).lower);
  }
}

TEST(Distil, SameSeedSameBytesForAnyNumberOfThreads) {
  const World& world = World::get();
  const auto bytes = [&](const DistilOptions& how, int threads) {
    return world.teacher.distil(world.rows, how, {.threads = threads}, TableView(world.calibration)).to_bytes();
  };
  EXPECT_EQ(bytes({.teacher = "big.taut", .learn_from = 2000}, 1), world.student.to_bytes());
  EXPECT_EQ(bytes({.teacher = "big.taut", .learn_from = 2000}, 3), world.student.to_bytes());
  EXPECT_NE(bytes({.teacher = "big.taut", .seed = 1, .learn_from = 2000}, 1), world.student.to_bytes());
}

// The student is fixed and the calibration rows are new each time: the mean coverage is rank / (rows + 1).
TEST(Distil, CoverageIsExact) {
  const World& world = World::get();
  constexpr Index rows = 40, tests = 250;
  constexpr int times = 100;
  double covered = 0, square = 0;
  for (int time = 0; time < times; ++time) {
    Regressor student = Regressor::from_bytes(world.student.to_bytes());
    const Table fresh = small_table(rows + tests, 100 + static_cast<std::uint64_t>(time));
    student.calibrate(rows_of(fresh, 0, rows), {}, {.plain = true});
    const double found = student.evaluate(rows_of(fresh, rows, tests), student_levels).levels.back().metric("coverage");
    covered += found / times;
    square += found * found / times;
  }
  const double rank = std::ceil(0.9 * (rows + 1)), error = std::sqrt((square - covered * covered) / times);
  EXPECT_NEAR(covered, rank / (rows + 1), 4 * error);
}

TEST(Distil, AStudentOfAStudentWorks) {
  const World& world = World::get();
  const Regressor again = world.student.distil(world.rows, fast, {}, TableView(world.calibration));
  EXPECT_GT(correlation(again.predict(world.test), world.teacher.predict(world.test)), 0.97);
}

// The scores of the teacher's calibration rows take no part in a student's f and φ: another calibration, the same student.
TEST(Distil, TheCalibrationOfTheTeacherTakesNoPart) {
  const World& world = World::get();
  Regressor other = Regressor::from_bytes(world.teacher.to_bytes());
  other.calibrate(world.spare);
  const TableView none("none", 0);
  const Regressor a = world.teacher.distil(world.rows, {.teacher = "t", .learn_from = 0}, {}, none),
                  b = other.distil(world.rows, {.teacher = "t", .learn_from = 0}, {}, none);
  EXPECT_EQ(a.predict(world.test), b.predict(world.test));
  EXPECT_EQ(a.log_scales(world.test), b.log_scales(world.test));
  EXPECT_TRUE(world.student.alarms_of_fit().empty());  // calibrated with the teacher's calibration rows
}

TEST(Distil, WithoutCalibrationRowsNothingIsPromised) {
  const World& world = World::get();
  const Regressor student = world.teacher.distil(world.rows, fast);
  EXPECT_EQ(student.calibration_rows(), 0);
  const Predicted found = student.predict_interval(world.test, student_levels);
  EXPECT_EQ(found.at(0, 0).upper, infinity);
}

TEST(Distil, RowsWithTargetsCalibrateUnlessTheyTrainedTheTeacher) {
  const World& world = World::get();
  const Table labelled = rows_of(world.all, 1600, 500);
  const Regressor student = world.teacher.distil(labelled, fast);
  EXPECT_EQ(student.calibration_rows(), 100);
  EXPECT_EQ(student.record().predictor_rows, 400);
  EXPECT_TRUE(student.alarms_of_fit().empty());
  std::string told;
  ExecutionContext context;
  context.say = [&](std::string_view sentence) { told += sentence; };
  EXPECT_EQ(world.teacher.distil(world.train, fast, context).calibration_rows(), 0);
  expect_words(told, {"the teacher has seen rows"});
  const auto alarms = world.teacher.distil(world.rows, fast, {}, TableView(world.train)).alarms_of_fit();
  ASSERT_FALSE(alarms.empty());
  EXPECT_EQ(alarms.front().kind, AlarmKind::training_rows);
}

TEST(Distil, CalibrationRowsDoNotTrainTheStudent) {
  const World& world = World::get();
  Table both = world.rows;
  const Table more = without(world.calibration, "y");
  both.values.conservativeResize(world.rows.rows() + more.rows(), Eigen::NoChange);
  both.values.bottomRows(more.rows()) = more.values;
  both.lines.clear();
  const Regressor student = world.teacher.distil(both, fast, {}, TableView(world.calibration));
  EXPECT_EQ(student.record().predictor_rows, world.rows.rows());
}

TEST(Distil, GivenPredictionsAreLearntFromTheInputs) {
  FitOptions options = testing::given_options();
  const World& world = World::get();
  const Table &train = world.train, &calibration = world.calibration, &test = world.test, rows = rows_of(world.all, 800, 800);
  const Regressor teacher = Regressor::fit(train, options, {}, TableView(calibration));
  const Regressor student = teacher.distil(without(rows, "y"), fast, {}, TableView(without(calibration, "f")));
  EXPECT_FALSE(find_column(student.prediction_schema(), "f"));
  EXPECT_GT(correlation(student.predict(without(test, "f")), teacher.predict(test)), 0.98);
}

TEST(Distil, OneWidthEverywhereStaysOneWidth) {
  const World& world = World::get();
  FitOptions options = teacher_options();
  options.transform = "fixed";
  const Regressor teacher = Regressor::fit(world.train, options, {}, TableView(world.calibration));
  const Regressor student = teacher.distil(world.rows, fast, {}, TableView(world.calibration));
  EXPECT_EQ(student.transform_name(), "fixed");
  EXPECT_NEAR(student.evaluate(world.test, student_levels).levels.back().metric("coverage"), 0.9, 0.05);
}

// The scores of `shift` have no known probabilities: those of the calibration rows serve, which may then not calibrate the
// student.
TEST(Distil, OtherTransformationsAreLearntFromCalibrationScores) {
  const World& world = World::get();
  FitOptions options = teacher_options();
  options.transform = "shift";
  const Regressor teacher = Regressor::fit(world.train, options, {}, TableView(world.calibration));
  if (teacher.transform_name() == "fixed") GTEST_SKIP() << "the transformation fell back";
  const Regressor student = teacher.distil(world.rows, fast, {}, TableView(world.spare));
  EXPECT_TRUE(student.alarms_of_fit().empty());
  const auto alarms = teacher.distil(world.rows, fast, {}, TableView(world.calibration)).alarms_of_fit();
  ASSERT_EQ(alarms.size(), 1);
  EXPECT_EQ(alarms.front().kind, AlarmKind::calibration_rows);
  const Regressor uncalibrated = Regressor::fit(world.train, options, {}, TableView("none", 0));
  expect_words(error_of([&] { uncalibrated.distil(world.rows, fast); }), {"calibrate it first"});
}

TEST(Distil, GroupsOfTheTeacherStay) {
  const World& world = World::get();
  FitOptions options = teacher_options();
  options.by = {"x:2"};
  const Regressor teacher = Regressor::fit(world.train, options, {}, TableView(world.calibration));
  const Regressor student = teacher.distil(world.rows, fast, {}, TableView(world.calibration));
  EXPECT_EQ(student.calibration_groups().size(), 2);
  EXPECT_EQ(student.calibration_kind(), "by-group");
}

TEST(Distil, WhatCannotBeDistilledIsRefusedByName) {
  const World& world = World::get();
  expect_words(error_of([&] { world.teacher.distil(without(world.rows, "x")); }), {"'x'"});
  expect_words(error_of([&] { world.teacher.distil(rows_of(world.rows, 0, 0)); }), {"at least 20 rows", "there are 0"});
  expect_words(error_of([&] { world.teacher.distil(without(world.calibration, "y"), fast, {}, TableView(world.calibration)); }),
               {"at least 20 rows", "200 that calibrate it"});
  FitOptions options = teacher_options();
  options.split = "cv+:3";
  expect_words(error_of([&] { Regressor::fit(world.train, options).distil(world.rows, fast); }),
               {"'taut distil' needs", "cv+:3"});
  FitOptions past = teacher_options();
  past.in_order = true;
  past.lags = {1};
  expect_words(error_of([&] { Regressor::fit(world.train, past).distil(world.rows, fast); }), {"--lags"});
  Regressor student = Regressor::from_bytes(world.student.to_bytes());
  StreamOptions refits;
  refits.refit_every = 100;
  expect_words(error_of([&] { student.stream(world.test, student_levels, refits); }), {"--refit-every", "imitates another one"});
  EXPECT_EQ(student.to_bytes(), world.student.to_bytes());
}

}  // namespace
}  // namespace taut
