// Calibration rows leave no trace in f, in φ or in what validation rows compared: every row in turn is changed beyond
// recognition, and the model file shows what depends on it.
#include <taut/core/archive.hpp>
#include <taut/model/file.hpp>
#include <tests/validity/combinations.hpp>
#include <tests/validity/population.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

using testing::Population;
using testing::SplitMode;

Table with_another_row(Table table, Index row) {
  table.values(row, 0) = 0.77 - 0.5 * table.values(row, 0);
  table.values(row, 2) += 4;
  for (const Index prediction : {3, 4, 5}) table.values(row, prediction) -= 1;
  return table;
}

// Everything in a fitted model except what it stores about the calibration rows.
std::string all_but_calibration(const Regressor& model) {
  const std::string bytes = model.to_bytes();
  const Archive archive = Archive::decode(unframe(bytes));
  Archive calibration = archive.scope("calibration");
  for (const auto& name : calibration.names()) calibration.put(name, 0.0);
  return archive.encode();
}

// The number of rows of `table` that calibrate and do nothing else, and of those that do both.
struct Jobs {
  Index only_calibrate = 0, both = 0;
};

Jobs jobs_of(const Table& table, const FitOptions& options, bool in_other_table, const Table& other) {
  const auto fit = [&](const Table& first, const Table& second) {
    return Regressor::fit(first, options, ExecutionContext{.threads = 1}, in_other_table ? &second : nullptr);
  };
  const Regressor before = fit(table, other);
  const std::string bytes = all_but_calibration(before);
  Jobs jobs;
  const Table& changed = in_other_table ? other : table;
  for (Index row = 0; row < changed.rows(); ++row) {
    const Table another = with_another_row(changed, row);
    const Regressor after = in_other_table ? fit(table, another) : fit(another, other);
    const bool trains = all_but_calibration(after) != bytes;
    const bool calibrates = after.distribution().scores() != before.distribution().scores();
    jobs.only_calibrate += calibrates && !trains ? 1 : 0;
  }
  jobs.both = before.distribution().rows() - jobs.only_calibrate;
  return jobs;
}

void expect_no_leak(const FitOptions& options, const SplitMode& mode, const std::string& what, bool positive = false) {
  Random random(7);
  const Population population("cos", positive);
  const Table table = population.rows(50, random), other = population.rows(10, random);
  const Jobs jobs = jobs_of(table, options, mode.elsewhere, other);
  EXPECT_EQ(jobs.both, 0) << what;
  EXPECT_GE(jobs.only_calibrate, 10) << what;
}

class Leak : public ::testing::TestWithParam<SplitMode> {};

void expect_no_leak(const SplitMode& mode, bool every_pair) {
  for (const auto& [localizer, predictor] : testing::pairs_of_parts(mode, every_pair)) {
    testing::Combination one{testing::tiny(localizer, "exp"), mode, false, localizer};
    testing::place(one, predictor);
    expect_no_leak(one.options, one.mode, one.name);
  }
}

// A row that trains or validates changes the file. If a calibration row did either, the count would be too small.
TEST_P(Leak, CalibrationRowsDoNothingElse) {
  expect_no_leak(GetParam(), /*every_pair=*/false);
  for (const auto& one : testing::chosen_by_validation()) {
    if (one.mode.name != GetParam().name || one.options.localizer != "boost") continue;
    if (one.options.transform == "auto" && one.mode.name != "given") continue;  // slow, and the row plan is the same
    if (!one.refused) expect_no_leak(one.options, one.mode, one.name, one.positive);
  }
}

TEST_P(Leak, CalibrationRowsOfNoPairDoAnythingElseSlow) {
  if (GetParam().given) GTEST_SKIP() << "predictors play no part";
  expect_no_leak(GetParam(), /*every_pair=*/true);
}

INSTANTIATE_TEST_SUITE_P(All, Leak, ::testing::ValuesIn(testing::split_modes()), [](const auto& tested) {
  std::string name = tested.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace taut
