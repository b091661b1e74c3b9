#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/guard/limits.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

TEST(EnoughRows, FewRowsAreAllUsed) {
  EXPECT_EQ(sampled_rows({4, 7, 9}, 3, 0), (Rows{4, 7, 9}));
  EXPECT_EQ(sampled_rows({}, 3, 0), Rows{});
}

TEST(EnoughRows, AsManyAsAskedForInTheirOrder) {
  const Rows drawn = sampled_rows(all_rows(10'000), 777, 5);
  EXPECT_EQ(drawn.size(), 777U);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
  EXPECT_EQ(drawn, sampled_rows(all_rows(10'000), 777, 5));
  EXPECT_NE(drawn, sampled_rows(all_rows(10'000), 777, 6));
}

// Each of the ten pairs of five rows is equally likely: χ² with 9 degrees of freedom is below 27.9 in 999 of 1,000 cases.
TEST(EnoughRows, EveryChoiceIsAsLikely) {
  constexpr int draws = 20'000;
  std::vector<double> count(25);
  for (int seed = 0; seed < draws; ++seed) {
    const Rows pair = sampled_rows({0, 1, 2, 3, 4}, 2, static_cast<std::uint64_t>(seed));
    count[static_cast<std::size_t>(5 * pair[0] + pair[1])] += 1;
  }
  double square = 0;
  for (std::size_t a = 0; a < 5; ++a)
    for (std::size_t b = a + 1; b < 5; ++b) square += std::pow(count[5 * a + b] - draws / 10.0, 2) / (draws / 10.0);
  EXPECT_LT(square, 27.9);
}

Table table_of(Index rows) {
  Table table;
  table.columns = {{"x"}, {"side"}, {"y"}};
  table.values.resize(rows, 3);
  Random random(1);
  for (Index i = 0; i < rows; ++i) {
    const double x = random.uniform();
    table.values.row(i) << x, static_cast<double>(i % 2), x + random.uniform();
  }
  return table;
}

FitOptions plain_options() {
  FitOptions options;
  options.target = "y";
  options.predictor = "linear";
  options.transform = "fixed";
  return options;
}

Index used(const Regressor& model) { return model.record().predictor_rows + model.calibration_rows(); }

// The message says how many rows are used.
TEST(EnoughRows, AsManyAsTheUserSays) {
  const Table table = table_of(900);
  FitOptions options = plain_options();
  std::string messages;
  ExecutionContext context;
  context.say = [&](std::string_view words) { messages += words; };
  EXPECT_EQ(used(Regressor::fit(table, options, context)), 900);
  EXPECT_EQ(messages.find("are used"), std::string::npos) << messages;
  options.max_rows = 300;
  const Regressor some = Regressor::fit(table, options, context);
  EXPECT_EQ(used(some), 300);
  EXPECT_EQ(some.record().skipped_rows, 0);
  EXPECT_NE(messages.find("300 of 900 rows are used, drawn at random"), std::string::npos) << messages;
  options.by = {"side"};
  EXPECT_EQ(used(Regressor::fit(table, options)), 300);
  options.by.clear();
  options.keep_together = "side";
  EXPECT_THROW(Regressor::fit(table, options), UsageError);
}

// Of rows in time order the latest are used. Here the early ones have very different targets.
TEST(EnoughRows, OfRowsInOrderTheLatest) {
  Table table = table_of(900);
  for (Index i = 0; i < 600; ++i) table.values(i, 2) += 1000;
  FitOptions options = plain_options();
  options.in_order = true;
  options.max_rows = 300;
  const Regressor model = Regressor::fit(table, options);
  EXPECT_EQ(used(model), 300);
  const auto predicted = model.predict(table);
  EXPECT_LT(*std::max_element(predicted.begin(), predicted.end()), 10);
}

}  // namespace
}  // namespace taut
