// An operation that changes a model succeeds or leaves the bytes of the model as they were.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace taut {
namespace {

// Time, input, group, weight, prediction, target.
Table in_time(Index rows, std::uint64_t seed, double first = 0) {
  Random random(seed);
  Table table{
      .source = "rows",
      .columns = {{"t"}, {"x"}, {.name = "g", .kind = ColumnKind::category, .categories = {"a", "b"}}, {"w"}, {"f"}, {"y"}},
      .values = Matrix(rows, 6),
      .lines = {}};
  double last = 0;
  for (Index row = 0; row < rows; ++row) {
    const double x = random.uniform();
    last = 0.5 * last + x + random.uniform();
    table.values.row(row) << first + static_cast<double>(row), x, static_cast<double>(row % 2), 1, x, last;
  }
  return table;
}

FitOptions quick_in_time() {
  FitOptions options;
  options.target = "y";
  options.drop = {"g", "w", "f"};
  options.predictor = "linear";
  options.localizer = "none";
  options.order_by = "t";
  return options;
}

Table with(Table table, Index row, Index column, double value) {
  table.values(row, column) = value;
  return table;
}

Table without(const Table& table, Index column) {
  Table result{.source = table.source, .columns = {}, .values = Matrix(table.rows(), table.values.cols() - 1), .lines = {}};
  for (Index c = 0, to = 0; c < table.values.cols(); ++c)
    if (c != column) {
      result.columns.push_back(table.columns[static_cast<std::size_t>(c)]);
      result.values.col(to++) = table.values.col(c);
    }
  return result;
}

template <class Call>
void expect_unchanged(Regressor& model, const std::string& what, Call call) {
  const std::string before = model.to_bytes();
  EXPECT_THROW(call(), Error) << what;
  EXPECT_TRUE(model.to_bytes() == before) << what;
}

constexpr double levels[] = {0.8, 0.9};
constexpr Index t = 0, x = 1, w = 3, f = 4, y = 5;  // columns
const double infinite = std::numeric_limits<double>::infinity();

TEST(Unchanged, ByACalibrationThatFails) {
  const Table rows = in_time(200, 2, 1000);
  FitOptions past = quick_in_time();
  past.lags = {1, 3};
  past.rolling = {4};
  for (const FitOptions& options : {quick_in_time(), past}) {
    for (const bool streamed : {false, true}) {
      Regressor model = Regressor::fit(in_time(400, 1), options);
      if (streamed) model.stream(in_time(50, 3, 400), levels);
      const auto fails = [&](const std::string& what, const Table& given, const CalibrationOptions& how = {}) {
        expect_unchanged(model, what, [&] { model.calibrate(given, {}, how); });
      };
      fails("a target that is missing, in the last row", with(rows, 199, y, missing));
      fails("a target that is infinite, in the last row", with(rows, 199, y, infinite));
      fails("a time that is missing, in the last row", with(rows, 199, t, missing));
      fails("no column of inputs", without(rows, x));
      fails("no column of times", without(rows, t));
      fails("no target", without(rows, y));
      fails("no rows", Table{.source = "none", .columns = rows.columns, .values = Matrix(0, 6), .lines = {}});
      CalibrationOptions how;
      how.by = {"nobody"};
      fails("no column of groups", rows, how);
      how = {};
      how.weights = "w";
      fails("a weight that is negative, in the last row", with(rows, 199, w, -1), how);
      fails(
          "all weights are 0",
          [&] {
            Table none = rows;
            none.values.col(w).setZero();
            return none;
          }(),
          how);
      how = {};
      how.keep_together = "g";
      fails("an id that is missing, in the last row", with(rows, 199, 2, missing), how);
      how = {};
      how.overlapping = {"g", "nobody"};
      fails("no column of overlapping groups", rows, how);
      how = {};
      how.towards = TableView::owning(without(rows, x));
      fails("rows of another population without an input", rows, how);
    }
  }
}

TEST(Unchanged, ByAStreamThatFails) {
  const Table rows = in_time(60, 2, 1000);
  FitOptions given = quick_in_time();
  given.drop = {"g", "w"};
  given.prediction = "f";
  FitOptions past = quick_in_time();
  past.lags = {1};
  for (const FitOptions& options : {quick_in_time(), past, given}) {
    for (const bool streamed : {false, true}) {
      Regressor model = Regressor::fit(in_time(400, 1), options);
      if (streamed) model.stream(in_time(50, 3, 400), levels);
      const auto fails = [&](const std::string& what, const Table& table, StreamOptions how = {},
                             std::vector<double> asked = {0.5}) {
        expect_unchanged(model, what, [&] { model.stream(table, asked, how); });
        expect_unchanged(model, what + ", update", [&] { model.update(table, how, {}, asked); });
      };
      fails("a target that is infinite, in the last row", with(rows, 59, y, infinite));
      fails("a time before the one of the row before, in the last row", with(rows, 59, t, 1001));
      fails("a time that is missing, in the last row", with(rows, 59, t, missing));
      fails("no column of inputs", without(rows, x));
      fails("a level that is none", rows, {}, {0.7, 1.5});
      fails("a controller that is none", rows, {.controller = "nobody"});
      fails("a window that is none", rows, {.window = -5});
      fails("a delay that is none", rows, {.delay = -1});
      fails("a fit that is none", rows, {.refit_every = 100, .refit_rows = 5});
      if (options.has_given_predictions()) fails("a prediction that is missing, in the last row", with(rows, 59, f, missing));
      if (options.has_past()) fails("targets that are not known yet", rows, {.delay = 5});
      Table unknown = rows;
      unknown.values.col(y).setConstant(missing);
      expect_unchanged(model, "no targets", [&] { model.update(unknown, {}, {}, levels); });
      expect_unchanged(model, "levels that are none", [&] { model.begin_stream(std::vector{0.6, -1.0}, {.window = 2000}); });
      expect_unchanged(model, "history without refits", [&] { model.remember_rows(rows, {.window = 2000}); });
      expect_unchanged(model, "history that does not fit", [&] { model.remember_rows(without(rows, x), {.refit_every = 100}); });
      Table constant = in_time(300, 5, 100);
      constant.values.col(y).setConstant(1);
      expect_unchanged(model, "history with one target", [&] { model.train_on(constant, {.window = 2000}); });
      expect_unchanged(model, "a short history", [&] { model.train_on(rows, {.window = 2000}); });
    }
  }
}

// Cancelled during a fit, the first or a later one.
TEST(Unchanged, ByAStreamThatIsCancelledWhileItTrains) {
  const Table rows = in_time(400, 2, 1000);
  for (const std::vector<Index>& lags : {std::vector<Index>{}, std::vector<Index>{1}}) {
    FitOptions options = quick_in_time();
    options.localizer = "boost";  // its training checks for cancellation
    options.effort = "quick";
    options.epochs = 10;
    options.lags = lags;
    Regressor model = Regressor::fit(in_time(400, 1), options);
    const StreamOptions how{.refit_every = 100, .refit_lag = 0};
    model.stream(in_time(120, 3, 400), levels, how);
    Index questions = 0;
    ExecutionContext counting{.threads = 1, .cancelled = [&] { return ++questions < 0; }};
    const std::string before = model.to_bytes();
    Regressor whole = Regressor::from_bytes(before);
    const Streamed expected = whole.stream(rows, levels, how, counting);
    ASSERT_GT(whole.refits(), model.refits() + 2);
    ASSERT_GT(questions, 20);
    for (const Index last : {Index{1}, questions / 2, questions - 1}) {
      Index asked = 0;
      const ExecutionContext context{.threads = 1, .cancelled = [&] { return ++asked >= last; }};
      EXPECT_THROW(model.stream(rows, levels, how, context), Interrupted);
      EXPECT_TRUE(model.to_bytes() == before) << last;
    }
    // Then it continues as if nothing had happened.
    const Streamed after = model.stream(rows, levels, how);
    EXPECT_EQ(after.prediction, expected.prediction);
    EXPECT_TRUE(model.to_bytes() == whole.to_bytes());
  }
}

}  // namespace
}  // namespace taut
