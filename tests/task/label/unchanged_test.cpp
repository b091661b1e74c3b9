// Models of labels: calibration respects the time order of rows, and an operation that fails leaves the model as it was.
#include <taut/core/error.hpp>
#include <taut/task/label/classifier.hpp>
#include <tests/support/labelled_rows.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

using testing::given_probabilities;
using testing::label_options;
using testing::labelled_rows;

constexpr double asked_levels[] = {0.8, 0.9};
const ExecutionContext by_one{.threads = 1};

// x0, x1, x2, p_a, p_b, p_c, label, t, g.
Table labelled_in_time(Index rows, std::uint64_t seed, double first = 0) {
  Random random(seed);
  Table table = labelled_rows(rows, 3, random, 0.5).table;
  table.columns.push_back({"t"});
  table.columns.push_back({.name = "g", .kind = ColumnKind::category, .categories = {"u", "v"}});
  table.values.conservativeResize(Eigen::NoChange, table.values.cols() + 2);
  for (Index row = 0; row < rows; ++row) {
    table.values(row, 7) = first + static_cast<double>(row);
    table.values(row, 8) = static_cast<double>(row % 2);
  }
  return table;
}

Table reversed(const Table& table) {
  Table result = table;
  result.values = table.values.colwise().reverse().eval();
  return result;
}

Table changed(Table table, Index row, Index column, double value) {
  table.values(row, column) = value;
  return table;
}

Classifier fitted_in_time(bool by_label = false, bool ordered = true) {
  FitOptions options = label_options("fixed");
  options.drop = {"t", "g"};
  if (ordered) options.order_by = "t";
  return Classifier::fit(labelled_in_time(400, 1), options, given_probabilities("", by_label), by_one);
}

TEST(ClassesInTime, CalibrationRowsAreTakenInTheOrderOfTheirTimes) {
  const Table rows = labelled_in_time(300, 2, 1000);
  Classifier sorted = fitted_in_time(), backwards = fitted_in_time();
  sorted.calibrate(rows, by_one);
  backwards.calibrate(reversed(rows), by_one);
  ASSERT_NE(backwards.stream_state(), nullptr);
  const auto a = sorted.stream_state()->scores(), b = backwards.stream_state()->scores();
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_EQ(a[i].score, b[i].score) << i;
}

TEST(ClassesInTime, CalibrationRowsAreTheLatestThatTheModelKnows) {
  Classifier model = fitted_in_time();
  EXPECT_EQ(model.latest_time(), 399);
  const auto schema = model.calibration_schema();
  EXPECT_TRUE(find_column(schema, "t").has_value());
  model.calibrate(labelled_in_time(300, 2, 1000), by_one);
  EXPECT_EQ(model.latest_time(), 1299);
  EXPECT_THROW(model.update(labelled_in_time(50, 3, 1200), {}, by_one), Error);  // between rows that it has seen
  EXPECT_NO_THROW(model.update(labelled_in_time(50, 3, 1300), {}, by_one));
  model.calibrate(labelled_in_time(300, 4, 500), by_one);  // older rows do not change its latest time
  EXPECT_EQ(model.latest_time(), 1349);
}

template <class Call>
void expect_same(Classifier& model, const std::string& what, Call call) {
  const std::string before = model.to_bytes();
  EXPECT_THROW(call(), Error) << what;
  EXPECT_TRUE(model.to_bytes() == before) << what;
}

TEST(ClassesUnchanged, ByACalibrationThatFails) {
  const Table rows = labelled_in_time(200, 2, 1000);
  for (const bool by_label : {false, true}) {
    Classifier model = fitted_in_time(by_label);
    if (!by_label) model.stream(labelled_in_time(50, 3, 400), asked_levels, {}, by_one);
    const auto fails = [&](const std::string& what, const Table& given, CalibrationOptions how = {},
                           std::optional<bool> labels = {}) {
      how.by_label = labels;
      expect_same(model, what, [&] { model.calibrate(given, by_one, how); });
    };
    for (const std::optional<bool> labels : {std::optional<bool>(), std::optional(true), std::optional(false)}) {
      fails("a label that is missing, in the last row", changed(rows, 199, 6, missing), {}, labels);
      fails("a probability that is none, in the last row", changed(rows, 199, 3, 7), {}, labels);
      fails("a time that is missing, in the last row", changed(rows, 199, 7, missing), {}, labels);
    }
    CalibrationOptions how;
    how.by = {"nobody"};
    fails("no column of groups", rows, how);
    how = {};
    how.keep_together = "g";
    fails("an id that is missing, in the last row", changed(rows, 199, 8, missing), how);
    how = {};
    how.weights = "x0";
    fails("weights that are negative", rows, how);
  }
}

TEST(ClassesUnchanged, ByAStreamThatFails) {
  const Table rows = labelled_in_time(60, 2, 1000);
  for (const bool streamed : {false, true}) {
    Classifier model = fitted_in_time();
    if (streamed) model.stream(labelled_in_time(50, 3, 400), asked_levels, {}, by_one);
    const auto fails = [&](const std::string& what, const Table& given, const StreamOptions& how = {},
                           const std::vector<double>& levels = {0.5}) {
      expect_same(model, what, [&] { model.stream(given, levels, how, by_one); });
      expect_same(model, what + ", update", [&] { model.update(given, how, by_one, levels); });
    };
    fails("a probability that is none, in the last row", changed(rows, 59, 3, 7));
    fails("a time before the one of the row before, in the last row", changed(rows, 59, 7, 1001));
    fails("a level that is none", rows, {}, {0.7, 1.5});
    fails("a controller that is none", rows, {.controller = "nobody"});
    fails("a window that is none", rows, {.window = -5});
    fails("intervals that move", rows, {.recentre = true});
    Table unknown = rows;
    unknown.values.col(6).setConstant(missing);
    expect_same(model, "no labels", [&] { model.update(unknown, {}, by_one, asked_levels); });
  }
}

// Rows that trees can always tell from the calibration rows.
TEST(ClassesTowards, RowsUnlikeAllCalibrationRowsAreAnAlarm) {
  Classifier model = fitted_in_time(false, false);
  Table far = labelled_in_time(300, 6);
  far.values.col(0).array() += 100;
  CalibrationOptions how;
  const auto kinds = [&] {
    std::vector<std::string> names;
    for (const Alarm& alarm : model.calibrate(labelled_in_time(300, 5), by_one, how)) names.emplace_back(alarm.name());
    return names;
  };
  how.towards = TableView::owning(far);
  EXPECT_EQ(kinds(), std::vector<std::string>({"no_overlap"}));
  how.towards = TableView::owning(labelled_in_time(300, 7));
  EXPECT_EQ(kinds(), std::vector<std::string>());
}

}  // namespace
}  // namespace taut
