// Groups by an input that is a category: they are the values of the table, not the codes of the model.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

constexpr std::array level = {0.9};

// x, region and y; each region has a different noise level.
Table regions(Index rows, std::vector<std::string> names, std::uint64_t seed) {
  Random random(seed);
  Table table{"rows", {{"x"}, {.name = "region", .kind = ColumnKind::category, .categories = names}, {"y"}}, Matrix(rows, 3), {}};
  for (Index row = 0; row < rows; ++row) {
    const auto region = static_cast<std::size_t>(random.below(std::ssize(names)));
    const double x = random.normal(), spread = std::pow(10.0, names[region][0] - 'C');
    table.values.row(row) << x, static_cast<double>(region), 2 * x + spread * random.normal();
  }
  return table;
}

Regressor fitted() {
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.localizer = "none";
  return Regressor::fit(regions(400, {"A", "B"}, 1), options, ExecutionContext{.threads = 1});
}

TEST(GroupColumns, RowsOneByOneAreThoseOfTheTable) {
  for (const CalibrationOptions& how : {CalibrationOptions{.by = {"region"}}, CalibrationOptions{.overlapping = {"region"}}}) {
    Regressor model = fitted();
    model.calibrate(regions(400, {"D", "A", "C", "B"}, 2), {}, how);
    const auto schema = model.prediction_schema();
    const Column& region = schema.at(1);
    ASSERT_EQ(region.categories.size(), 4u);
    EXPECT_EQ(region.categories[2], "C");  // categories of training rows come first, then the others in alphabetical order
    EXPECT_EQ(region.categories[3], "D");
    const Regressor again = Regressor::from_bytes(model.to_bytes());
    const Table fresh = regions(100, {"E", "D", "C", "B", "A"}, 3);
    const Predicted all = model.predict_interval(fresh, level);
    EXPECT_EQ(again.predict_interval(fresh, level).unseen.rows, all.unseen.rows);
    EXPECT_EQ(all.unseen.names, std::vector<std::string>{"E"});
    const Table coded = match(fresh, schema);
    for (Index row = 0; row < fresh.rows(); ++row) {
      const std::array cells = {coded.values(row, 0), coded.values(row, 1)};
      std::array<Interval, 1> out{};
      EXPECT_EQ(again.predict_row(cells, level, out), all.prediction[static_cast<std::size_t>(row)]);
      EXPECT_EQ(out[0].lower, all.at(row, 0).lower);
      EXPECT_EQ(out[0].upper, all.at(row, 0).upper);
      EXPECT_EQ(std::isinf(out[0].upper), cells[1] == region.other_code());
    }
    std::array<Interval, 1> out{};
    EXPECT_THROW(model.predict_row(std::array{0.0, 5.0}, level, out), Error);
  }
}

TEST(GroupColumns, ATableThatHasLostItsTextsIsRefused) {
  Regressor model = fitted();
  const Table known = match(regions(200, {"A", "B", "C"}, 4), model.evaluation_schema());  // C has become "other"
  const std::string before = model.to_bytes();
  EXPECT_THROW(model.calibrate(known, {}, {.by = {"region"}}), Error);
  EXPECT_EQ(model.to_bytes(), before);
  EXPECT_EQ(model.group_rows(known, {"region"}).names.size(), 3u);  // enough for a report
}

}  // namespace
}  // namespace taut
