// What Model does for every task, tested with a task that is not in the library.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/model/parts.hpp>
#include <tests/support/toy_task.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut::testing {

namespace {

const Asking at_90{.levels = {"0.9"}};
const ExecutionContext one_thread{.threads = 1};

// y has mostly the sign of x0, and spreads more where x1 is 1.
Table rows_of(Index rows, std::uint64_t seed) {
  Random random(seed);
  Table table;
  table.source = "toy rows";
  table.columns = {{"x0"}, {"x1"}, {"y"}};
  table.values.resize(rows, 3);
  for (Index row = 0; row < rows; ++row) {
    const double x0 = 2 * random.uniform() - 1, x1 = random.uniform() < 0.5 ? 0 : 1;
    const double sign = (random.uniform() < 0.9) == (x0 > 0) ? 1 : -1;
    table.values.row(row) << x0, x1, sign * (1 + 4 * x1) * random.uniform();
  }
  return table;
}

Model fitted(const FitOptions& more = {}) {
  if (std::none_of(tasks().begin(), tasks().end(), [](const TaskEntry& one) { return one.name == "toy"; }))
    tasks().insert(tasks().begin(), toy_entry());
  FitOptions options = more;
  options.target = "y";
  return Model::fit(rows_of(1000, 1), options, {.name = "toy"}, one_thread);
}

double coverage(const Model& model, const Table& fresh, double x1 = -1) {
  const auto answers = model.answering(at_90);
  const auto cells = answers->answer(fresh, one_thread);
  Index covered = 0, all = 0;
  for (Index row = 0; row < fresh.values.rows(); ++row) {
    if (x1 >= 0 && fresh.values(row, 1) != x1) continue;
    const auto at = static_cast<std::size_t>(row);
    const double y = fresh.values(row, 2);
    ++all;
    covered += cells[1].numbers[at] <= y && y <= cells[2].numbers[at] ? 1 : 0;
  }
  return static_cast<double>(covered) / static_cast<double>(all);
}

}  // namespace

TEST(ToyTask, FitsCalibratesAndAnswersAsPromised) {
  Model model = fitted();
  const Table fresh = rows_of(4000, 2);
  EXPECT_EQ(model.task().name(), "toy");
  EXPECT_EQ(model.answering(at_90)->columns().size(), 3u);
  EXPECT_NEAR(coverage(model, fresh), 0.9, 0.035);
  model.calibrate(rows_of(2000, 3), one_thread);
  EXPECT_EQ(model.distribution().rows(), 2000);
  EXPECT_NEAR(coverage(model, fresh), 0.9, 0.02);
}

TEST(ToyTask, HasEveryKindOfCalibration) {
  Model model = fitted();
  const Table fresh = rows_of(4000, 2), others = rows_of(2000, 3);
  CalibrationOptions how;
  how.by = {"x1:0.5/2"};
  EXPECT_GT(std::abs(coverage(model, fresh, 0) - 0.9), 0.05);  // one threshold for all rows covers these too often
  model.calibrate(others, one_thread, how);
  EXPECT_EQ(model.calibration_kind(), "by-group");
  EXPECT_NEAR(coverage(model, fresh, 0), 0.9, 0.03);
  EXPECT_NEAR(coverage(model, fresh, 1), 0.9, 0.03);
  how = {};
  how.towards = TableView(fresh);
  model.calibrate(others, one_thread, how);
  EXPECT_NEAR(coverage(model, fresh), 0.9, 0.03);
  how = {};
  how.local = 0;
  model.calibrate(others, one_thread, how);
  EXPECT_NEAR(coverage(model, fresh), 0.9, 0.03);
  how = {};
  how.by_label = true;  // its targets are not labels
  EXPECT_THROW(model.calibrate(others, one_thread, how), UsageError);
}

TEST(ToyTask, IsKeptInTheFile) {
  const Model model = fitted();
  const Model back = Model::from_bytes(model.to_bytes());
  EXPECT_EQ(back.task().name(), "toy");
  EXPECT_EQ(back.to_bytes(), model.to_bytes());
  const Table fresh = rows_of(300, 2);
  EXPECT_EQ(back.answering(at_90)->answer(fresh, one_thread)[2].numbers,
            model.answering(at_90)->answer(fresh, one_thread)[2].numbers);
}

TEST(ToyTask, StreamsUpdatesAndKnowsItsRows) {
  FitOptions options;
  options.in_order = true;
  Model model = fitted(options);
  const std::vector<double> levels = {0.9};
  const auto streamed = model.stream(rows_of(2000, 4), levels, {}, one_thread);
  Index covered = 0;
  for (Index row = 0; row < streamed->rows(); ++row)
    covered += streamed->at(row, 0).contains(streamed->y[static_cast<std::size_t>(row)]) ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(covered) / 2000, 0.9, 0.02);
  EXPECT_EQ(model.task().stream_cells(*streamed).size(), model.task().stream_columns({"0.9"}).size());
  model.end_stream();
  EXPECT_FALSE(model.alarms_of_rows(rows_of(2000, 4), one_thread).empty());  // these rows were used for calibration
  EXPECT_TRUE(model.alarms_of_rows(rows_of(2000, 5), one_thread).empty());
}

TEST(ToyTask, IsEvaluatedByItsCoverage) {
  const Model model = fitted();
  const std::vector<double> levels = {0.8, 0.9};
  const auto fair = model.evaluate(rows_of(4000, 7), levels, one_thread, {"x1:0.5/2"});
  ASSERT_EQ(fair->levels.size(), 2u);
  EXPECT_NEAR(fair->levels[1].metric("coverage"), coverage(model, rows_of(4000, 7)), 1e-12);
  EXPECT_GE(fair->levels[1].delivered, 0.9);
  EXPECT_TRUE(fair->alarms.empty());
  // With one threshold for all rows, those with more spread are covered too rarely.
  ASSERT_EQ(fair->groups.size(), 2u);
  EXPECT_EQ(fair->groups[1].lines.size(), 2u);
  EXPECT_EQ(fair->groups[1].below.size(), 1u);
  EXPECT_NE(fair->describe().find("By group at confidence 0.9"), std::string::npos);

  Table moved = rows_of(4000, 7);
  moved.values.col(2) *= 3;
  const auto unlike = model.evaluate(moved, levels, one_thread);
  ASSERT_EQ(unlike->alarms.size(), 2u);
  EXPECT_EQ(unlike->alarms[0].kind, AlarmKind::coverage);
}

TEST(ToyTask, NoticesRowsThatDiffer) {
  const Model model = fitted();
  for (const double moved : {0.0, 5.0}) {
    Table fresh = rows_of(1000, 6);
    fresh.values.col(0).array() += moved;
    DriftCheck check = model.begin_drift_check();
    model.add_rows(check, fresh, one_thread);
    EXPECT_EQ(alarms_of(check).empty(), moved == 0);
  }
}

}  // namespace taut::testing
