#include <taut/core/random.hpp>
#include <taut/data/encoding.hpp>

#include <tests/support/files.hpp>

#include <cmath>

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
  ASSERT_EQ(encoder.columns(), 5);  // x, x is missing, a, b, the category is missing
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
  // Where training rows had no missing cell no input says that a cell is missing; it is encoded as the mean.
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
  constexpr Index most = Encoder::most_category_inputs;
  Table table{"t.csv", {{"id", ColumnKind::category, {}}}, Matrix(most + 2, 1), {}};
  for (Index i = 0; i < most + 2; ++i) {
    table.columns[0].categories.push_back(std::to_string(i));
    table.values(i, 0) = static_cast<double>(i);
  }
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  ASSERT_EQ(encoder.columns(), most);
  const MatrixF x = encoder.encode(table);
  EXPECT_NE(x.row(most - 1), x.row(most));
  EXPECT_EQ(x.row(most), x.row(most + 1));
  EXPECT_EQ(Encoder(Encoding::raw, table, all_rows(table)).encode(table)(most + 1, 0), static_cast<float>(most + 1));
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

// Before there were inputs for missing cells.
TEST(Encoder, ReadsOlderFiles) {
  const Table table = example(20);
  const Encoder encoder(Encoding::standardised, table, all_rows(table));
  Archive now, before;
  encoder.save(now);
  before.put("encoding", now.text("encoding"));
  for (const char* name : {"levels", "codes"}) before.put(name, now.get<std::vector<std::int64_t>>(name));
  for (const char* name : {"centre", "scale"}) before.put(name, now.get<std::vector<double>>(name));
  EXPECT_EQ(Encoder::load(before, table.columns).encode(table), encoder.encode(table));
}

TEST(Encoder, RefusesATableOfOtherColumns) {
  const Table table = example(5);
  const Encoder encoder(Encoding::raw, table, all_rows(table));
  Table other = table;
  other.columns[1].categories.pop_back();
  EXPECT_THROW(encoder.encode(other), Error);
}

// Calibration rows must be treated like new rows: what only they contain, even the order of categories, changes nothing.
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

}  // namespace
}  // namespace taut
