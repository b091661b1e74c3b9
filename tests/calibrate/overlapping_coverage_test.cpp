// Coverage in groups that overlap, by simulation. Each repetition has a new calibration set and one new row, so that the number
// of covered rows of a group is binomial with exactly the promised probability.
#include <taut/calibrate/conditional_quantile.hpp>

#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace taut {
namespace {

constexpr Index simulated_rows = 60;
constexpr std::array<double, 5> group_shares{.5, .4, .3, .25, .04};  // a row is in each group with this probability, or in none
constexpr Index group_count = std::ssize(group_shares), function_count = group_count + 1;
constexpr double simulated_level = .9;
constexpr int repetitions = 8000;

struct SimulatedRow {
  std::array<double, function_count> functions{};
  double score = 0;
};

// Spread and location of the score depend on groups, which are among the functions, and on a number, of which only the linear
// term is.
SimulatedRow simulated_row(Random& random, bool ties) {
  SimulatedRow row;
  const double number = random.normal();
  double spread = .3 + number * number;
  for (std::size_t group = 0; group < group_shares.size(); ++group) {
    row.functions[group] = random.uniform() < group_shares[group] ? 1 : 0;
    spread += row.functions[group] * (group % 2 == 0 ? 2 : -.05);
  }
  row.functions.back() = number;
  row.score = spread * std::abs(random.normal());
  if (ties) row.score = std::floor(row.score);
  return row;
}

using Covers = std::function<bool(const ConditionalQuantile&, const SimulatedRow&, double uniform)>;

// How many standard errors the mean of f(x) (1{covered} − level) lies above 0, for each group, all rows, and the linear function.
std::vector<double> excesses(const Covers& covers, bool ties = false) {
  std::vector<double> sums(function_count + 1, 0.0), squares(function_count + 1, 0.0);
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    Random random = Random(11).fork(static_cast<std::uint64_t>(repetition));
    Matrix functions(simulated_rows, function_count);
    std::vector<double> scores;
    for (Index row = 0; row < simulated_rows; ++row) {
      const SimulatedRow drawn = simulated_row(random, ties);
      std::copy(drawn.functions.begin(), drawn.functions.end(), functions.row(row).data());
      scores.push_back(drawn.score);
    }
    const SimulatedRow fresh = simulated_row(random, ties);
    const ConditionalQuantile quantile(std::make_shared<const RegressionRows>(functions, scores), simulated_level);
    const double gain = (covers(quantile, fresh, random.uniform()) ? 1 : 0) - simulated_level;
    for (std::size_t f = 0; f <= fresh.functions.size(); ++f) {
      const double value = (f < fresh.functions.size() ? fresh.functions[f] : 1) * gain;
      sums[f] += value;
      squares[f] += value * value;
    }
  }
  for (std::size_t f = 0; f < sums.size(); ++f) sums[f] /= std::sqrt(squares[f]);
  return sums;
}

bool covers_smoothed(const ConditionalQuantile& quantile, const SimulatedRow& row, double uniform) {
  const auto cut = quantile.smoothed_cut_off(row.functions, uniform);
  return cut && row.score <= *cut;
}

bool covers_plain(const ConditionalQuantile& quantile, const SimulatedRow& row, double) {
  return row.score <= quantile.cut_off(row.functions);
}

// The mistake to be noticed: quantile regression on the calibration rows alone, without the new row. This is the cut-off where
// the new row's η is 0.
bool covers_without_the_new_row(const ConditionalQuantile& quantile, const SimulatedRow& row, double) {
  return covers_smoothed(quantile, row, 1 - quantile.level());
}

// With 4.5 standard errors, one of all these numbers raises a false alarm in fewer than 1 of 5,000 seeds.
constexpr double alarm = 4.5;

TEST(OverlappingGroups, AreAllCoveredExactlyWhenSmoothed) {
  const auto found = excesses(covers_smoothed);
  for (std::size_t f = 0; f < found.size(); ++f) EXPECT_LT(std::abs(found[f]), alarm) << f;
}

// The linear function takes both signs. Where coverage exceeds the level, nothing is promised for it.
void expect_enough(std::vector<double> found) {
  found.erase(found.begin() + group_count);
  for (std::size_t f = 0; f < found.size(); ++f) EXPECT_GT(found[f], -alarm) << f;
}

TEST(OverlappingGroups, AreAllCoveredAtLeastWithoutSmoothing) { expect_enough(excesses(covers_plain)); }

TEST(OverlappingGroups, TiesCostNoCoverageSlow) {
  for (const Covers& covers : {Covers(covers_smoothed), Covers(covers_plain)}) expect_enough(excesses(covers, true));
}

TEST(OverlappingGroups, AreMissedWhereTheNewRowIsLeftOut) {
  const auto found = excesses(covers_without_the_new_row);
  for (std::size_t group = 0; group < group_shares.size(); ++group) EXPECT_LT(found[group], -alarm) << group;
  EXPECT_LT(found.back(), -alarm);
}

}  // namespace
}  // namespace taut
