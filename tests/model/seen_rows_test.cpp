// Rows that were used for the model are noticed; rows that happen to be equal are not.
#include <taut/guard/seen_rows.hpp>

#include <taut/core/beta.hpp>
#include <taut/core/file.hpp>
#include <taut/data/csv/reader.hpp>
#include <taut/guard/row_hash.hpp>
#include <taut/plan/columns.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include <unistd.h>

namespace taut {
namespace {

using testing::quick_options;
using testing::rows_of;
using testing::small_table;

using Hashes = std::vector<std::uint64_t>;

Hashes hashes_of(const TableView& x, const std::vector<double>& y) { return row_hashes(x, y, all_rows(x), 1); }

std::vector<std::string> kinds_of(const std::vector<Alarm>& alarms) {
  std::vector<std::string> names;
  for (const Alarm& alarm : alarms) names.emplace_back(alarm.name());
  return names;
}

double number_of(const Alarm& alarm, std::string_view name) {
  for (const auto& [own, value] : alarm.numbers)
    if (own == name) return value;
  throw Error("no such number");
}

// Rows sampled from `values` different ones: the fewer there are, the more rows repeat.
Hashes sampled_rows(Index count, Index values, Random& random) {
  Hashes hashes;
  for (Index i = 0; i < count; ++i) hashes.push_back(mixed(static_cast<std::uint64_t>(random.below(values)) + 1));
  return hashes;
}

TEST(RowHash, IsThatOfTheRowWhereverItStands) {
  const std::string path = "/tmp/taut_row_hash_" + std::to_string(::getpid()) + ".csv";
  {
    OutputFile file(path);
    file.write("kind,x,y\nhouse,0.1,3\nflat,-0,4\n,1e300,5\nflat,,6\n");
    file.commit();
  }
  const std::vector<Column> schema = {{"x"}, {"kind", ColumnKind::category, {"flat", "house"}}};
  const Table from_file = read_table(path);
  std::filesystem::remove(path);
  // The same rows from memory: other category codes, another order of columns.
  Table in_memory{"memory", {{"x"}, {"kind", ColumnKind::category, {"castle", "house", "flat"}}}, Matrix(4, 2), {}};
  in_memory.values << 0.1, 1, 0, 2, 1e300, missing, missing, 2;
  const std::vector<double> y = {3, 4, 5, 6};
  const Hashes hashes = hashes_of(TableView(from_file).matched(schema), y);
  EXPECT_EQ(hashes, hashes_of(TableView(in_memory).matched(schema), y));
  EXPECT_EQ(std::set(hashes.begin(), hashes.end()).size(), 4U);
}

TEST(RowHash, DiffersWhereAnyCellOrTheTargetDoes) {
  Table table{"t", {{"a"}, {"b", ColumnKind::category, {"p", "q"}}}, Matrix(1, 2), {}};
  std::set<std::uint64_t> seen;
  for (const double a : {0.0, 1.0, missing})
    for (const double b : {0.0, 1.0, missing})
      for (const double y : {0.0, 1.0}) {
        table.values << a, b;
        seen.insert(hashes_of(table, {y}).front());
      }
  EXPECT_EQ(seen.size(), 18U);
}

TEST(RowSketch, KeepsThreeRowsInFourInTwoBytesEach) {
  Random random(1);
  Hashes hashes;
  for (int i = 0; i < 40'000; ++i) hashes.push_back(random.next());
  const RowSketch sketch(hashes);
  const Found own = sketch.find(hashes), left_out = sketch.left_out();
  EXPECT_EQ(own.rows, 40'000);
  EXPECT_EQ(own.found, 40'000 - left_out.rows + left_out.found);
  const double at_most = binomial_cdf(left_out.rows, 40'000, 0.25);
  EXPECT_TRUE(at_most > 1e-6 && at_most < 1 - 1e-6) << left_out.rows;
  Archive archive;
  sketch.save(archive);
  EXPECT_EQ(std::ssize(archive.get<std::vector<std::uint8_t>>("bits")), 2 * (40'000 - left_out.rows));

  std::reverse(hashes.begin(), hashes.end());
  Archive again, back;
  RowSketch(hashes).save(again);
  EXPECT_EQ(archive.encode(), again.encode());
  RowSketch::load(archive).save(back);
  EXPECT_EQ(archive.encode(), back.encode());
}

// The rate among rows that were not in the sketch, for sketches of any size.
TEST(RowSketch, TakesOneRowInTwoThousandForAnother) {
  Random random(2);
  Found wrong;
  for (int sketches = 0; sketches < 400; ++sketches) {
    Hashes hashes, others;
    for (int i = 0; i < 10 + 2 * sketches; ++i) hashes.push_back(random.next());
    for (int i = 0; i < 500; ++i) others.push_back(random.next());
    const Found found = RowSketch(hashes).find(others);
    wrong = {wrong.rows + found.rows, wrong.found + found.found};
  }
  EXPECT_GT(1 - binomial_cdf(wrong.found - 1, wrong.rows, 0.0005), 1e-6) << wrong.found << " of " << wrong.rows;
}

TEST(RowSketch, OfManyRowsIsASample) {
  Random random(2);
  Hashes hashes;
  for (int i = 0; i < 1'200'000; ++i) hashes.push_back(random.next());
  const RowSketch sketch(hashes);
  Archive archive;
  sketch.save(archive);
  EXPECT_LE(archive.get<std::vector<std::uint8_t>>("bits").size(), std::size_t{1} << 20);
  const Found own = sketch.find(hashes);
  EXPECT_GT(own.rows, 250'000);  // one in four
  EXPECT_LT(own.rows, 350'000);
  EXPECT_GT(own.found, own.rows / 2);
}

TEST(RowSketch, DamagedOnesAreRefused) {
  Archive archive;
  RowSketch(Hashes{1, 2, 3, 4, 5, 6, 7, 8}).save(archive);
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, Archive::Value>>{{"bits", std::vector<std::uint8_t>{}},
                                                           {"zeros", std::int64_t{64}},
                                                           {"zeros", std::int64_t{-1}},
                                                           {"left_out", std::int64_t{-1}},
                                                           {"left_out_found", std::int64_t{1} << 40}}) {
    Archive damaged = Archive::decode(archive.encode());
    damaged.put(name, value);
    EXPECT_THROW(RowSketch::load(damaged), Error) << name;
  }
}

struct Numbers {
  Index trained, calibrated, fresh;
};

// New rows from the same source as the calibration rows, however often rows repeat: a false alarm in at most one file of a
// thousand.
void expect_few_false_alarms(const std::vector<Numbers>& numbers) {
  Random random(3);
  for (const Index values : {3, 50, 400, 5000, 1'000'000})
    for (const auto& [trained, calibrated, fresh] : numbers) {
      constexpr Index files = 2000;
      Index evaluating = 0, calibrating = 0, uncalibrated = 0, streamed = 0;
      for (Index file = 0; file < files; ++file) {
        SeenRows seen;
        seen.train(sampled_rows(trained, values, random));
        const Hashes rows = sampled_rows(fresh, values, random);
        uncalibrated += seen.when_calibrating(rows).empty() ? 0 : 1;
        seen.calibrate(sampled_rows(calibrated, values, random));
        evaluating += seen.when_evaluating(rows).empty() ? 0 : 1;
        calibrating += seen.when_calibrating(rows).empty() ? 0 : 1;
        for (const std::uint64_t hash : sampled_rows(calibrated, values, random)) seen.stream(hash);
        streamed += seen.when_evaluating(rows).empty() ? 0 : 1;
      }
      for (const Index alarms : {evaluating, calibrating, uncalibrated, streamed})
        EXPECT_GT(1 - binomial_cdf(alarms - 1, files, SeenRows::false_alarms), 1e-5)
            << values << " different rows, " << trained << "/" << calibrated << "/" << fresh << ": " << alarms;
    }
}

TEST(SeenRows, RaiseFalseAlarmsNoMoreOftenThanTheySay) { expect_few_false_alarms({{200, 60, 100}}); }

TEST(SeenRows, ManyRaiseFalseAlarmsNoMoreOftenThanTheySaySlow) { expect_few_false_alarms({{500, 25, 400}}); }

// The reported number is a lower bound, for any share of rows that are not new and however often rows repeat.
TEST(SeenRows, NeverReportMoreThanIsTrue) {
  Random random(4);
  for (const Index values : {300, 3000, 1'000'000})
    for (const Index old : {0, 5, 60, 200}) {
      constexpr Index files = 500;
      Index wrong = 0;
      for (Index file = 0; file < files; ++file) {
        const Hashes training = sampled_rows(400, values, random);
        const RowSketch sketch(training);
        Hashes rows = sampled_rows(200 - old, values, random);
        for (Index i = 0; i < old; ++i) rows.push_back(training[static_cast<std::size_t>(random.below(400))]);
        wrong += min_seen(sketch.find(rows), sketch.find(sampled_rows(100, values, random)), 0.01) > old ? 1 : 0;
      }
      EXPECT_GT(1 - binomial_cdf(wrong - 1, files, 0.01), 1e-5) << values << " different rows, " << old << " old: " << wrong;
    }
}

TEST(SeenRows, OfAModelAreNoticedAfterReadingItBack) {
  const Table all = small_table(1200);
  const Table data = rows_of(all, 0, 500), fresh = rows_of(all, 500, 500), calibration = rows_of(all, 1000, 200);
  Regressor model = Regressor::fit(data, quick_options());
  const std::vector<double> levels = {0.9};
  const auto alarms = [&](const Regressor& tested, const Table& rows) { return tested.evaluate(rows, levels).alarms; };
  EXPECT_EQ(kinds_of(alarms(model, fresh)), std::vector<std::string>{});

  const Regressor back = Regressor::from_bytes(model.to_bytes());
  const auto found = alarms(back, data);
  ASSERT_EQ(kinds_of(found).front(), "training_rows");
  EXPECT_EQ(number_of(found[0], "rows"), 500);
  EXPECT_GT(number_of(found[0], "at_least"), 200);  // of 400, of which the sketch keeps three in four
  EXPECT_LE(number_of(found[0], "at_least"), 400);

  // Calibrating with training rows is a mistake. Calibrating with the same calibration rows again is not, but evaluating with
  // them is.
  EXPECT_EQ(kinds_of(Regressor::from_bytes(model.to_bytes()).calibrate(data)), std::vector<std::string>{"training_rows"});
  EXPECT_EQ(kinds_of(model.calibrate(calibration)), std::vector<std::string>{});
  EXPECT_EQ(kinds_of(model.calibrate(calibration)), std::vector<std::string>{});
  const auto calibrated = alarms(model, calibration);
  ASSERT_EQ(kinds_of(calibrated), std::vector<std::string>{"calibration_rows"});
  EXPECT_GT(number_of(calibrated[0], "at_least"), 100);
  EXPECT_LE(number_of(calibrated[0], "at_least"), 200);
}

TEST(SeenRows, CalibratingElsewhereWithTrainingRowsIsReported) {
  const Table all = small_table(400);
  const Table data = rows_of(all, 0, 200), fresh = rows_of(all, 200, 200);
  for (const Table* calibration : {&data, &fresh}) {
    const Regressor model = Regressor::fit(data, quick_options(), {}, calibration);
    const std::vector<std::string> training_rows = {"training_rows"};
    EXPECT_EQ(kinds_of(model.alarms_of_fit()), calibration == &data ? training_rows : std::vector<std::string>{});
  }
}

}  // namespace
}  // namespace taut
