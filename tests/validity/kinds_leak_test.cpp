// The cells of calibration rows affect nothing but the calibration: not the kind of a column, not its categories, not the
// treatment of missing cells, not the messages. A realistic table is read from a file; then all its calibration rows are changed.
#include <taut/core/archive.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/model/file.hpp>
#include <taut/plan/row_plan.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/files.hpp>
#include <tests/validity/combinations.hpp>

#include <gtest/gtest.h>

#include <set>

namespace taut {
namespace {

using testing::SplitMode;
using Cells = std::vector<std::string>;

constexpr Index row_count = 90;
enum Place { plain, gappy, colour, y, p, lo, hi, when, money, flag, key, site };

// A number, a number with missing cells, a category with missing cells and rare values, a count to predict, a prediction of it,
// two quantile predictions, a date, an amount, a boolean, an id, and an id that repeats.
std::vector<Cells> realistic_rows() {
  Random random(11);
  std::vector<Cells> rows;
  for (Index i = 0; i < row_count; ++i) {
    const double a = random.normal(), b = random.normal();
    const Index kind = random.below(5), place = random.below(6);
    const double of_place = 12.0 * static_cast<double>(place * 5 % 6);  // far from the order of the places
    const double count = std::max(0.0, std::round(10 + 3 * a + 2 * b + of_place + static_cast<double>(kind) + random.normal()));
    rows.push_back({print_number(a), i % 7 == 0 ? "" : print_number(b),
                    kind == 4 ? (i % 2 == 0 ? "NA" : "once " + std::to_string(i)) : std::string(1, static_cast<char>('q' + kind)),
                    print_number(count), print_number(10 + 3 * a), print_number(8 + 3 * a), print_number(12 + 3 * a),
                    "2021-02-" + std::to_string(10 + i % 18), "$" + std::to_string(i % 11) + ".5", i % 3 == 0 ? "yes" : "no",
                    "K" + std::to_string(1000 + i), std::to_string(100 + place)});
  }
  return rows;
}

struct Change {
  std::string name;
  void (*apply)(Cells& row, Index at);
};

const std::vector<Change> changes = {
    {"text among numbers", [](Cells& row, Index at) { row[plain] = at % 2 == 0 ? "??" : "a few"; }},
    {"text among numbers and gaps", [](Cells& row, Index) { row[gappy] = "n/a"; }},
    {"new categories", [](Cells& row, Index at) { row[colour] = "new " + std::to_string(at % 9); }},
    {"the categories that training has, the other way round",
     [](Cells& row, Index at) { row[colour] = at % 2 == 0 ? "t" : "q"; }},
    {"a category that is a number", [](Cells& row, Index) { row[colour] = "7"; }},
    {"None among numbers", [](Cells& row, Index at) { row[plain] = at % 2 == 0 ? "None" : "."; }},
    {"None among categories", [](Cells& row, Index) { row[colour] = "None"; }},
    {"ranges", [](Cells& row, Index at) { row[colour] = at % 2 == 0 ? "0-4" : "5+"; }},
    {"blanks and capitals", [](Cells& row, Index at) { row[colour] = at % 2 == 0 ? " q" : "ONCE 5", row[flag] = "YES "; }},
    {"minutes and seconds", [](Cells& row, Index) { row[plain] = "3:59.4"; }},
    {"missing cells", [](Cells& row, Index) { row[plain] = row[gappy] = row[colour] = ""; }},
    {"no missing cells", [](Cells& row, Index) { row[gappy] = "0.25", row[colour] = "r"; }},
    {"extreme numbers", [](Cells& row, Index at) { row[plain] = at % 2 == 0 ? "1e300" : "-inf", row[gappy] = "1e-300"; }},
    {"dates with the day in front", [](Cells& row, Index at) { row[when] = std::to_string(13 + at % 9) + "/01/2021"; }},
    {"dates that leave it open", [](Cells& row, Index at) { row[when] = "0" + std::to_string(1 + at % 9) + "/02/2021"; }},
    {"short years and periods", [](Cells& row, Index at) { row[when] = at % 2 == 0 ? "13.5.45" : "1998 Q1"; }},
    {"no dates", [](Cells& row, Index) { row[when] = "soon"; }},
    {"another unit", [](Cells& row, Index at) { row[money] = std::to_string(at % 7) + ".5%"; }},
    {"points between thousands", [](Cells& row, Index at) { row[money] = "1.234.56" + std::to_string(at % 10); }},
    {"a third word", [](Cells& row, Index) { row[flag] = "perhaps"; }},
    {"keys that repeat", [](Cells& row, Index at) { row[key] = at % 2 == 0 ? "K1" : "K2"; }},
    {"other places", [](Cells& row, Index at) { row[site] = std::to_string(at % 4 == 0 ? 7 : 100 + at % 5); }},
    {"places that are no numbers", [](Cells& row, Index at) { row[site] = at % 2 == 0 ? "north" : ""; }},
    {"other targets", [](Cells& row, Index at) { row[y] = at % 2 == 0 ? "-2.5" : "1e6"; }},
    {"other predictions", [](Cells& row, Index) { row[p] = "123.25", row[lo] = "200", row[hi] = "-3"; }},
};

Table read(const std::vector<Cells>& rows) {
  std::string text = "plain,gappy,colour,y,p,lo,hi,when,money,flag,key,site\n";
  for (const Cells& row : rows)
    for (const std::string& cell : row) text += cell + (&cell == &row.back() ? "\n" : ",");
  const Folder folder;
  Table table = read_table(folder.write("t.csv", text), {.numbers = {"y", "p", "lo", "hi"}});
  table.source = "t.csv";
  return table;
}

// Every byte of the model except those of the calibration, and every message; or the reason why there is no model.
std::string all_but_calibration(const Table& table, const FitOptions& options) try {
  std::string messages;
  ExecutionContext context{.threads = 1};
  context.say = [&](std::string_view sentence) { messages += std::string(sentence) + "\n"; };
  const Archive archive = Archive::decode(unframe(Regressor::fit(table, options, context).to_bytes()));
  Archive calibration = archive.scope("calibration");
  for (const auto& name : calibration.names()) calibration.put(name, 0.0);
  return archive.encode() + messages;
} catch (const Error& error) {
  return std::string("refused: ") + error.what();
}

Rows calibration_rows(const FitOptions& options) {
  const bool crosses = localizers().make(options.localizer)->trains_per_fold();
  return plan_rows(row_count, options, crosses, false, "t.csv").calibration;
}

class KindsLeak : public ::testing::TestWithParam<SplitMode> {};

void expect_that_they_decide_nothing(const SplitMode& mode, bool every_pair) {
  const std::vector<Cells> rows = realistic_rows();
  const Table table = read(rows);
  for (const auto& [localizer, predictor] : testing::pairs_of_parts(mode, every_pair)) {
    testing::Combination one{testing::tiny(localizer, "exp"), mode, false, localizer};
    testing::place(one, predictor);
    // Where f is given and nothing is learnt, every row calibrates and none is left for other decisions; with a split some are.
    if (std::ssize(calibration_rows(one.options)) == row_count) one.options.split = "0,0.4,0.1,0.5";
    const std::string before = all_but_calibration(table, one.options);
    EXPECT_NE(before.find("whole numbers"), std::string::npos) << "the hint that must not see calibration rows";
    for (const Change& change : changes) {
      std::vector<Cells> changed = rows;
      for (const Index row : calibration_rows(one.options)) change.apply(changed[static_cast<std::size_t>(row)], row);
      EXPECT_TRUE(all_but_calibration(read(changed), one.options) == before) << one.name << ": " << change.name;
    }
  }
}

TEST_P(KindsLeak, WhatCalibrationRowsHoldDecidesNothing) { expect_that_they_decide_nothing(GetParam(), /*every_pair=*/false); }

TEST_P(KindsLeak, WhatCalibrationRowsHoldDecidesNothingOfAnyPairSlow) {
  if (GetParam().given) GTEST_SKIP() << "predictors play no part";
  expect_that_they_decide_nothing(GetParam(), /*every_pair=*/true);
}

// The changes are noticeable: applied to training rows, each of them changes the model.
TEST_P(KindsLeak, TrainingRowsDoDecide) {
  const std::vector<Cells> rows = realistic_rows();
  testing::Combination one{testing::tiny("boost", "exp"), GetParam(), false, ""};
  testing::place(one, "linear");
  const Rows calibration = calibration_rows(one.options);
  const std::set<Index> calibrates(calibration.begin(), calibration.end());
  const std::string before = all_but_calibration(read(rows), one.options);
  for (const Change& change : changes) {
    if (change.name == "other predictions" && !one.mode.given) continue;
    std::vector<Cells> changed = rows;
    for (Index row = 0; row < row_count; ++row)
      if (!calibrates.contains(row) && row % 3 == 0) change.apply(changed[static_cast<std::size_t>(row)], row);
    EXPECT_FALSE(all_but_calibration(read(changed), one.options) == before) << change.name;
  }
}

std::vector<SplitMode> modes_of_one_table() {
  std::vector<SplitMode> modes = testing::split_modes();
  std::erase_if(modes, [](const SplitMode& mode) { return mode.elsewhere; });
  return modes;
}

INSTANTIATE_TEST_SUITE_P(All, KindsLeak, ::testing::ValuesIn(modes_of_one_table()), [](const auto& tested) {
  std::string name = tested.param.name;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace taut
