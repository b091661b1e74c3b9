#include <taut/core/random.hpp>
#include <taut/model/enough_rows.hpp>
#include <taut/model/model.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

TEST(EnoughRows, FewRowsAreAllUsed) {
  EXPECT_EQ(drawn_rows({4, 7, 9}, 3, 0), (Rows{4, 7, 9}));
  EXPECT_EQ(drawn_rows({}, 3, 0), Rows{});
}

TEST(EnoughRows, AsManyAsAskedForInTheirOrder) {
  const Rows drawn = drawn_rows(all_rows(10'000), 777, 5);
  EXPECT_EQ(drawn.size(), 777U);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
  EXPECT_EQ(drawn, drawn_rows(all_rows(10'000), 777, 5));
  EXPECT_NE(drawn, drawn_rows(all_rows(10'000), 777, 6));
}

// Each of the ten pairs of five rows comes about as often as any other: χ² of 9 degrees of freedom is below 27.9 in 999 of 1,000
// cases.
TEST(EnoughRows, EveryChoiceIsAsLikely) {
  constexpr int draws = 20'000;
  std::vector<double> count(25);
  for (int seed = 0; seed < draws; ++seed) {
    const Rows pair = drawn_rows({0, 1, 2, 3, 4}, 2, static_cast<std::uint64_t>(seed));
    count[static_cast<std::size_t>(5 * pair[0] + pair[1])] += 1;
  }
  double square = 0;
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = a + 1; b < 5; ++b) square += std::pow(count[5 * a + b] - draws / 10.0, 2) / (draws / 10.0);
  EXPECT_LT(square, 27.9);
}

// What is left out is said. Groups may be rare: then every row counts.
TEST(EnoughRows, AFitOfMoreUsesSome) {
  constexpr Index rows = most_rows_of_fit + 1000;
  Table table;
  table.columns = {{"x"}, {"side"}, {"y"}};
  table.values.resize(rows, 3);
  Random random(1);
  for (Index i = 0; i < rows; ++i) {
    const double x = random.uniform();
    table.values.row(i) << x, static_cast<double>(i % 2), x + random.uniform();
  }
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.transform = "fixed";
  std::string told;
  ExecutionContext context;
  context.say = [&](std::string_view words) { told += words; };
  const Model some = Model::fit(table, options, context);
  EXPECT_EQ(some.record().predictor_rows + some.calibration_rows(), most_rows_of_fit);
  EXPECT_EQ(some.record().skipped_rows, 0);
  EXPECT_NE(told.find("3,000,000 of 3,001,000 rows are used"), std::string::npos) << told;
  options.by = {"side"};
  const Model all = Model::fit(table, options, context);
  EXPECT_EQ(all.record().predictor_rows + all.calibration_rows(), rows);
}

}  // namespace
}  // namespace taut
