#include <taut/core/random.hpp>
#include <taut/data/inputs/encoding.hpp>

#include <tests/support/files.hpp>

#include <cmath>
#include <limits>
#include <utility>

namespace taut {
namespace {

Table example(Index rows) {
  Table table{"t.csv", {{"x"}, {"kind", ColumnKind::category, {"a", "b", "c"}}, {"same"}}, Matrix(rows, 3), {}};
  Random random(4);
  for (Index row = 0; row < rows; ++row) table.values.row(row) << 1e6 + random.normal(), static_cast<double>(row % 2), 0.1;
  return table;
}

Rows all_rows(const Table& table) { return taut::all_rows(table.rows()); }

TEST(Encoder, RawKeepsNumbersCodesAndMissingCells) {
  Table table{"t.csv", {{"x"}, {"kind", ColumnKind::category, {"a", "b"}}}, Matrix(4, 2), {}};
  table.values << 1e300, 0, -infinity, 1, 0.1, missing, missing, 2;
  const Encoder encoder(Encoding::raw, table, all_rows(table));
  const MatrixF x = encoder.encode(table);
  ASSERT_EQ(encoder.columns(), 2);
  EXPECT_EQ(x(0, 0), std::numeric_limits<float>::max());
  EXPECT_EQ(x(1, 0), std::numeric_limits<float>::lowest());
  EXPECT_EQ(x(2, 0), 0.1F);
  EXPECT_TRUE(std::isnan(x(3, 0)));
  EXPECT_EQ(x(0, 1), 0);
  EXPECT_EQ(x(1, 1), 1);
  EXPECT_TRUE(std::isnan(x(2, 1)));
  EXPECT_TRUE(std::isnan(x(3, 1)));  // other
}

TEST(Encoder, StandardisedHasMeanZeroAndDeviationOne) {
  const Table table = example(5000);
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  const MatrixF x = encoder.encode(table);
  ASSERT_EQ(x.cols(), 5);
  for (const Index c : {0, 1, 2}) {
    const Eigen::VectorXd column = x.col(c).cast<double>();
    EXPECT_NEAR(column.mean(), 0, 1e-6) << c;
    EXPECT_NEAR(column.squaredNorm() / 5000, 1, 1e-6) << c;
  }
  EXPECT_TRUE((x.col(3).array() == 0).all());  // category c is in no training row
  EXPECT_TRUE((x.col(4).array() == 0).all());  // constant, though 0.1 is no binary fraction
  EXPECT_EQ(encoder.encode(table, 2), x);
  EXPECT_EQ(encoder.encode(table, Rows{3, 1, 3}).row(1), x.row(1));
}

TEST(Encoder, StatisticsComeFromTheTrainingRowsOnly) {
  Table table = example(10);
  const Rows rows = {0, 1, 2, 3};
  const MatrixF before = Encoder(Encoding::standardised, table, rows).encode(table, rows);
  table.values(7, 0) = 1e12;
  table.values(8, 0) = missing;
  EXPECT_EQ(Encoder(Encoding::standardised, table, rows).encode(table, rows), before);
}

// Scales at both ends of the range of doubles: the result must not depend on the unit.
TEST(Encoder, HugeAndTinyUnits) {
  for (const double unit : {1.0, 1e-300, 1e280}) {
    Table table{"t.csv", {{"x"}}, Matrix(4, 1), {}};
    table.values << 1 * unit, 2 * unit, 3 * unit, 6 * unit;
    const MatrixF x = Encoder(Encoding::standardised, table, all_rows(table)).encode(table);
    EXPECT_FLOAT_EQ(x(0, 0), static_cast<float>(-2 / std::sqrt(3.5))) << unit;
    EXPECT_FLOAT_EQ(x(3, 0), static_cast<float>(3 / std::sqrt(3.5))) << unit;
  }
  Table table{"t.csv", {{"x"}}, Matrix(3, 1), {}};
  table.values << 1.7e308, -1.7e308, 0;
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  EXPECT_TRUE(encoder.encode(table).allFinite());
  const Encoder narrow(Encoding::standardised, table, Rows{2, 2});
  EXPECT_TRUE(narrow.encode(table).allFinite());
}

// x: 1, 3, missing, infinite; the category: a, b, missing, other. Means and deviations by hand.
TEST(Encoder, StandardisedTakesEveryCell) {
  Table table{"t.csv", {{"x"}, {"kind", ColumnKind::category, {"a", "b"}}}, Matrix(4, 2), {}};
  table.values << 1, 0, 3, 1, missing, missing, infinity, 2;
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  ASSERT_EQ(encoder.columns(), 5);  // x, x is missing, a, b, category is missing
  const MatrixF x = encoder.encode(table);
  EXPECT_EQ(x.col(0), (Eigen::Vector4f(-1, 1, 0, 0)));
  EXPECT_EQ(x.col(1), (Eigen::Vector4f(-1, -1, 1, 1)));
  const auto zero = static_cast<float>(-(1.0 / 3) / std::sqrt(2.0 / 9)), one = static_cast<float>((2.0 / 3) / std::sqrt(2.0 / 9));
  const auto there = static_cast<float>(-0.25 / std::sqrt(0.1875)), gone = static_cast<float>(0.75 / std::sqrt(0.1875));
  for (Index row = 0; row < 4; ++row) {
    EXPECT_FLOAT_EQ(x(row, 2), row == 2 ? 0 : row == 0 ? one : zero) << row;
    EXPECT_FLOAT_EQ(x(row, 3), row == 2 ? 0 : row == 1 ? one : zero) << row;
    EXPECT_FLOAT_EQ(x(row, 4), row == 2 ? gone : there) << row;
  }
  // If no training row had a missing cell, there is no indicator of missing cells; a missing cell is encoded as the mean.
  const Encoder narrow(Encoding::standardised, table, Rows{0, 1});
  ASSERT_EQ(narrow.columns(), 3);
  EXPECT_EQ(narrow.encode(table).row(2), (Eigen::RowVector3f(0, 0, 0)));
  EXPECT_EQ(narrow.encode(table).row(3), (Eigen::RowVector3f(0, -1, -1)));
}

TEST(Encoder, AColumnWithoutAnyValueSaysNothing) {
  Table table{"t.csv", {{"x"}, {"kind", ColumnKind::category, {"a"}}}, Matrix(3, 2), {}};
  table.values << missing, missing, missing, missing, 5, 0;
  const Encoder encoder(Encoding::standardised, table, Rows{0, 1});
  EXPECT_TRUE((encoder.encode(table).array() == 0).all());
}

TEST(Encoder, TheRarestOfTooManyCategoriesShareTheirInputs) {
  constexpr Index maximum = Encoder::max_category_inputs;
  Table table{"t.csv", {{"id", ColumnKind::category, {}}}, Matrix(maximum + 2, 1), {}};
  for (Index i = 0; i < maximum + 2; ++i) {
    table.columns[0].categories.push_back(std::to_string(i));
    table.values(i, 0) = static_cast<double>(i);
  }
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  ASSERT_EQ(encoder.columns(), maximum);
  const MatrixF x = encoder.encode(table);
  EXPECT_NE(x.row(maximum - 1), x.row(maximum));
  EXPECT_EQ(x.row(maximum), x.row(maximum + 1));
  EXPECT_EQ(Encoder(Encoding::raw, table, all_rows(table)).encode(table)(maximum + 1, 0), static_cast<float>(maximum + 1));
}

TEST(Encoder, ComesBackFromAnArchiveAndChecksIt) {
  const Table table = example(20);
  for (const Encoding encoding : {Encoding::raw, Encoding::standardised}) {
    const Encoder encoder(encoding, table, all_rows(table));
    const auto saved = [&] {
      Archive archive;
      encoder.save(archive);
      return archive;
    };
    const Encoder back = Encoder::load(Archive::decode(saved().encode()), table.columns);
    EXPECT_EQ(back.encode(table), encoder.encode(table));

    const auto expect_refused = [&](std::string_view name, Archive::Value value) {
      Archive archive = saved();
      archive.put(name, std::move(value));
      EXPECT_THROW(Encoder::load(archive, table.columns), Error) << name;
    };
    expect_refused("encoding", std::string("other"));
    expect_refused("encoding", 1.0);
    expect_refused("levels", std::vector<std::int64_t>{0, 3});
    expect_refused("levels", std::vector<std::int64_t>{0, 4, 0});
    expect_refused("centre", std::vector<double>(4, 0.0));
    expect_refused("scale", std::vector<double>(6, 1.0));
    if (encoding == Encoding::raw) continue;
    expect_refused("missing_inputs", std::vector<std::uint8_t>{0, 0});
    expect_refused("missing_inputs", std::vector<std::uint8_t>{0, 1, 0});
    expect_refused("missing_inputs", std::vector<std::uint8_t>{0, 2, 0});
    expect_refused("scale", std::vector<double>(5, infinity));
    expect_refused("scale", std::vector<double>(5, -1.0));
    expect_refused("centre", std::vector<double>(5, missing));
    EXPECT_THROW(Encoder::load(saved(), {{"x"}}), Error);
  }
}

// An infinite cell of a monotone column is at or beyond every number; a missing one is apart. It survives the archive.
TEST(Encoder, OrdersInfiniteCellsOfMonotoneColumns) {
  Table table{"t.csv", {{"up"}, {"other"}}, Matrix(6, 2), {}};
  table.values << 1, 1, 2, 2, 3, missing, missing, 4, infinity, infinity, -infinity, -infinity;
  Encoder encoder(Encoding::standardised, table, Rows{0, 1, 2, 3});
  const MatrixF before = encoder.encode(table);
  EXPECT_EQ(before(4, 0), 0);
  encoder.order_infinite({Direction::increasing, Direction::any});
  Archive archive;
  encoder.save(archive);
  const Encoder back = Encoder::load(Archive::decode(archive.encode()), table.columns);
  for (const Encoder* one : {&std::as_const(encoder), &back}) {
    const MatrixF x = one->encode(table);
    EXPECT_EQ(x.topRows(4), before.topRows(4));
    EXPECT_EQ(x(4, 0), 1e9F);
    EXPECT_EQ(x(5, 0), -1e9F);
    EXPECT_EQ(x(4, 1), x(0, 1)) << "known: the input that marks missing cells";
    EXPECT_EQ(x.rightCols(2), before.rightCols(2));
  }
  archive.put("ordered_infinite", std::vector<std::uint8_t>{2, 0});
  EXPECT_THROW(Encoder::load(archive, table.columns), Error);
}

TEST(Encoder, RefusesATableOfOtherColumns) {
  const Table table = example(5);
  const Encoder encoder(Encoding::raw, table, all_rows(table));
  Table other = table;
  other.columns[1].categories.pop_back();
  EXPECT_THROW(encoder.encode(other), Error);
}

// Calibration rows must be treated like new rows: values that only they have, and their order of categories, have no effect.
TEST(Encoder, OnlyTrainingRowsNumberTheCategories) {
  Table table;
  table.columns = {{"colour", ColumnKind::category, {"red", "green", "blue", "grey"}}};
  table.values.resize(5, 1);
  table.values << 3, 2, 0, 2, 1;  // grey, blue, red, blue, green
  const Encoder encoder(Encoding::raw, table, Rows{1, 2, 3});
  const MatrixF encoded = encoder.encode(table);
  EXPECT_TRUE(std::isnan(encoded(0, 0)));  // grey is not among the training rows
  EXPECT_EQ(encoded(1, 0), 0);
  EXPECT_EQ(encoded(2, 0), 1);
  EXPECT_EQ(encoded(3, 0), 0);
  EXPECT_TRUE(std::isnan(encoded(4, 0)));
}

// 2024-02-29 18:45, a Thursday; the same day at noon; a year and a day later, which is the 60th day of its year too. Only parts
// that differ become inputs.
TEST(Encoder, DatesBecomeThePartsThatDiffer) {
  constexpr double leap = 1'709'232'300;
  Table table{"t.csv", {{"when", ColumnKind::date}}, Matrix(5, 1), {}};
  table.values << leap, leap - 24'300, leap + 366 * 86'400, missing, infinity;
  const Encoder one_day(Encoding::raw, table, Rows{0, 1});
  ASSERT_EQ(one_day.columns(), 2);  // hour, days since the first date
  EXPECT_EQ(one_day.encode(table).topRows(3), (MatrixF(3, 2) << 18.75, 0.28125, 12, 0, 18.75, 366.28125).finished());

  const Encoder encoder(Encoding::raw, table, all_rows(table));
  ASSERT_EQ(encoder.columns(), 6);  // year, month, day, day of the week, hour, days since the first date
  const MatrixF x = encoder.encode(table);
  MatrixF expected(3, 6);
  expected << 2024, 2, 29, 3, 18.75, 0.28125, 2024, 2, 29, 3, 12, 0, 2025, 3, 1, 5, 18.75, 366.28125;
  EXPECT_EQ(x.topRows(3), expected);
  EXPECT_TRUE(x.bottomRows(2).array().isNaN().all());

  const Encoder never(Encoding::raw, table, Rows{3});  // no date is known: there is still an input
  EXPECT_EQ(never.columns(), 1);
}

TEST(Encoder, StandardisedDatesHaveMeansAndSayWhereTheyAreMissing) {
  Table table{"t.csv", {{"when", ColumnKind::date}}, Matrix(3, 1), {}};
  table.values << 0, 86'400.0 * 2, missing;
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  ASSERT_EQ(encoder.columns(), 5);  // day, day of the week, day of the year, elapsed; missing
  const MatrixF x = encoder.encode(table);
  EXPECT_EQ(x.row(0).head(4), Eigen::RowVector4f::Constant(-1));
  EXPECT_EQ(x.row(1).head(4), Eigen::RowVector4f::Constant(1));
  EXPECT_EQ(x.row(2).head(4), Eigen::RowVector4f::Zero());
  EXPECT_FLOAT_EQ(x(2, 4), static_cast<float>(std::sqrt(2.0)));
}

TEST(Encoder, OrderedCategoriesAreTheirRanks) {
  Table table{"t.csv", {{"size", ColumnKind::ordered, {"S", "M", "L"}}}, Matrix(5, 1), {}};
  table.values << 2, 0, 1, 3, missing;  // the fourth is not among the categories
  for (const Rows& rows : {Rows{0, 1, 2}, Rows{1, 2, 0, 3}}) {
    const MatrixF x = Encoder(Encoding::raw, table, rows).encode(table);
    EXPECT_EQ(x.topRows(3), (Eigen::Vector3f(2, 0, 1)));
    EXPECT_TRUE(x.bottomRows(2).array().isNaN().all());
  }
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  ASSERT_EQ(encoder.columns(), 2);
  const MatrixF x = encoder.encode(table);
  EXPECT_FLOAT_EQ(x(0, 0), static_cast<float>(std::sqrt(1.5)));
  EXPECT_EQ(x(2, 0), 0);
  EXPECT_EQ(x.row(3), x.row(4));
}

// Numbers that are equal as floats are centred so that they differ; the same numbers around another centre give the same inputs.
TEST(Encoder, RawTellsLargeNumbersApart) {
  Table near{"t.csv", {{"x"}}, Matrix(200, 1), {}};
  for (Index row = 0; row < 200; ++row) near.values(row, 0) = static_cast<double>(row * 7 % 200 - 100) / 1024;
  near.values(3, 0) = missing;
  near.values(4, 0) = infinity;
  for (const double far : {1e6, 1e9, -1e9, 1e12}) {
    Table table = near;
    table.values.array() += far;
    const Encoder encoder(Encoding::raw, table, all_rows(table));
    Archive archive;
    encoder.save(archive);
    const MatrixF x = encoder.encode(table), same = Encoder(Encoding::raw, near, all_rows(near)).encode(near);
    EXPECT_EQ(Encoder::load(archive, table.columns).encode(table).topRows(3), x.topRows(3));
    EXPECT_TRUE(std::isnan(x(3, 0)));
    EXPECT_EQ(x(4, 0), std::numeric_limits<float>::max());
    for (Index row = 5; row < 200; ++row) EXPECT_EQ(x(row, 0) - x(5, 0), same(row, 0) - same(5, 0)) << far << " " << row;
  }
}

// A table of one category that determines the values: those of code c are about −c.
struct Effects {
  Table table;
  std::vector<double> values;
};

Effects effects(const std::vector<Index>& counts) {
  Effects result{{"t.csv", {{"kind", ColumnKind::category, {}}}, {}, {}}, {}};
  std::vector<double> codes;
  for (std::size_t category = 0; category < counts.size(); ++category) {
    result.table.columns[0].categories.push_back(std::to_string(category));
    for (Index i = 0; i < counts[category]; ++i) {
      codes.push_back(static_cast<double>(category));
      result.values.push_back(-codes.back() + (i % 2 == 0 ? 0.1 : -0.1));
    }
  }
  result.table.values = Eigen::Map<Matrix>(codes.data(), std::ssize(codes), 1);
  return result;
}

ColumnMeans means_of(const Effects& data) {
  const RowBlocks one{std::vector<std::uint8_t>(data.values.size()), 1};
  return CategorySums(data.table, all_rows(data.table), data.values, one).means();
}

TEST(Encoder, FewCategoriesHaveCodesInTheOrderOfTheirMeans) {
  Effects data = effects({4, 2, 6});
  const Encoder encoder(Encoding::raw, data.table, all_rows(data.table), means_of(data), true);
  ASSERT_EQ(encoder.columns(), 1);
  EXPECT_FALSE(encoder.uses_means());
  const MatrixF x = encoder.encode(data.table);
  EXPECT_EQ(x(0, 0), 2);
  EXPECT_EQ(x(4, 0), 1);
  EXPECT_EQ(x(6, 0), 0);
  data.table.values(0, 0) = 3;  // not among the categories
  EXPECT_TRUE(std::isnan(encoder.encode(data.table)(0, 0)));
}

// With many categories only those with enough rows have codes. The others are encoded by their means and counts, new ones by the
// mean of all rows and a count of 0.
TEST(Encoder, ManyCategoriesHaveMeansAndCounts) {
  std::vector<Index> counts(30, 3);
  counts[4] = 200;
  counts[9] = CategoryInputs::rows_of_coded;
  Effects data = effects(counts);
  const ColumnMeans means = means_of(data);
  for (const bool with_counts : {false, true}) {
    const Encoder encoder(Encoding::raw, data.table, all_rows(data.table), means, with_counts);
    ASSERT_EQ(encoder.columns(), with_counts ? 3 : 2);
    EXPECT_TRUE(encoder.uses_means());
    Table asked = data.table;
    asked.values.resize(5, 1);
    asked.values << 4, 9, 0, 30, missing;
    Archive archive;
    encoder.save(archive);
    for (const Encoder& each : {encoder, Encoder::load(Archive::decode(archive.encode()), asked.columns)}) {
      const MatrixF x = each.encode(asked);
      EXPECT_EQ(x(0, 0), 1);
      EXPECT_EQ(x(1, 0), 0);
      for (Index row = 2; row < 5; ++row) EXPECT_TRUE(std::isnan(x(row, 0)));
      for (const Index row : {0, 1, 2})
        EXPECT_EQ(x(row, 1), static_cast<float>(means[0].means[static_cast<std::size_t>(asked.values(row, 0))]));
      EXPECT_EQ(x(3, 1), static_cast<float>(means[0].mean));
      EXPECT_TRUE(std::isnan(x(4, 1)));
      if (!with_counts) continue;
      EXPECT_EQ(x.col(2).head(4), Eigen::Vector4f(static_cast<float>(CategoryInputs::max_counted), 20, 3, 0));
      EXPECT_TRUE(std::isnan(x(4, 2)));
    }
  }
}

TEST(Encoder, StandardisedTakesMeansWhereCategoriesAreTooMany) {
  const Index many = Encoder::max_category_inputs + 1;
  const Effects data = effects(std::vector<Index>(static_cast<std::size_t>(many), 2));
  const Encoder encoder(Encoding::standardised, data.table, all_rows(data.table), means_of(data), true);
  ASSERT_EQ(encoder.columns(), 2);
  const MatrixF x = encoder.encode(data.table);
  EXPECT_NEAR(x.col(0).cast<double>().mean(), 0, 1e-6);
  EXPECT_NEAR(x.col(0).cast<double>().squaredNorm() / static_cast<double>(x.rows()), 1, 1e-6);
  EXPECT_GT(x(0, 0), x(x.rows() - 1, 0));
  EXPECT_TRUE((x.col(1).array() == 0).all());  // all have two rows
  Archive archive;
  encoder.save(archive);
  EXPECT_EQ(Encoder::load(archive, data.table.columns).encode(data.table), x);
}

TEST(Encoder, ChecksWhatItReadsOfDatesMeansAndOffsets) {
  Effects data = effects(std::vector<Index>(30, 3));
  data.table.columns.push_back({"when", ColumnKind::date});
  data.table.columns.push_back({"x"});
  data.table.values.conservativeResize(Eigen::NoChange, 3);
  for (Index row = 0; row < data.table.rows(); ++row) {
    data.table.values(row, 1) = 86'400.0 * static_cast<double>(row);
    data.table.values(row, 2) = 1e12 + static_cast<double>(row);
  }
  const Encoder encoder(Encoding::raw, data.table, all_rows(data.table), means_of(data), true);
  const auto expect_refused = [&](std::string_view name, Archive::Value value) {
    Archive archive;
    encoder.save(archive);
    ASSERT_TRUE(archive.has(name)) << name;
    EXPECT_EQ(Encoder::load(archive, data.table.columns).columns(), encoder.columns());
    archive.put(name, std::move(value));
    EXPECT_THROW(Encoder::load(archive, data.table.columns), Error) << name;
  };
  expect_refused("date_parts", std::vector<std::uint8_t>{0});
  expect_refused("date_parts", std::vector<std::uint8_t>{128});
  expect_refused("date_parts", std::vector<std::uint8_t>{1, 1});
  expect_refused("date_origins", std::vector<double>{missing});
  expect_refused("offsets", std::vector<double>{0, 0});
  expect_refused("offsets", std::vector<double>{0, 0, infinity});
  expect_refused("offsets", std::vector<double>{1, 0, 0});
  expect_refused("category_inputs", std::vector<std::uint8_t>{7, 0});
  expect_refused("category_inputs", std::vector<std::uint8_t>{8, 0, 0});
  expect_refused("category_inputs", std::vector<std::uint8_t>{5, 0, 0});
  expect_refused("category_inputs", std::vector<std::uint8_t>{1, 0, 0});
  expect_refused("category_inputs", std::vector<std::uint8_t>{7, 0, 7});
  expect_refused("category_mean", std::vector<double>{0, 0});
  expect_refused("category_means", std::vector<double>(29, 0.0));
  expect_refused("category_means", std::vector<double>(30, missing));
  expect_refused("category_counts", std::vector<std::int64_t>(29, 1));
  expect_refused("category_counts", std::vector<std::int64_t>(30, -1));
}

}  // namespace
}  // namespace taut
