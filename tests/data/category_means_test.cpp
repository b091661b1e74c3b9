#include <taut/core/random.hpp>
#include <taut/data/inputs/category_means.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

Table column_of(const std::vector<double>& codes, std::size_t categories) {
  Table table{"t.csv", {{"kind", ColumnKind::category, {}}, {"x"}}, Matrix(std::ssize(codes), 2), {}};
  for (std::size_t i = 0; i < categories; ++i) table.columns[0].categories.push_back(std::to_string(i));
  for (std::size_t i = 0; i < codes.size(); ++i) table.values.row(static_cast<Index>(i)) << codes[i], 0.0;
  return table;
}

CategoryMeans means_of(const Table& table, const std::vector<double>& values) {
  const RowBlocks one{std::vector<std::uint8_t>(values.size()), 1};
  return CategorySums(table, all_rows(table.rows()), values, one).means().front();
}

// Two categories of 2 and 4 rows with means 1 and 7. Within: 2 + 4 in 4 degrees of freedom, σ² = 3/2. Between: the row mean is 5,
// 2 · 16 + 4 · 4 = 48, and n₀ = 6 − 20/6 = 8/3, so τ² = (48 − 3/2) / (8/3) = 279/16 and σ²/τ² = 8/93.
TEST(CategoryMeans, ByHand) {
  const Table table = column_of({0, 0, 1, 1, 1, 1}, 3);
  const CategoryMeans found = means_of(table, {0, 2, 6, 8, 6, 8});
  const double few = 2 / (2 + 8.0 / 93), many = 4 / (4 + 8.0 / 93), mean = (few * 1 + many * 7) / (few + many);
  EXPECT_NEAR(found.mean, mean, 1e-14);
  EXPECT_NEAR(found.means[0], mean + few * (1 - mean), 1e-14);
  EXPECT_NEAR(found.means[1], mean + many * (7 - mean), 1e-14);
  EXPECT_EQ(found.means[2], found.mean);  // no row has this category
  EXPECT_EQ(found.counts, (std::vector<std::int64_t>{2, 4, 0}));
}

TEST(CategoryMeans, WhereEffectsCannotBeToldFromNoiseAllAreEqual) {
  // Each category once; a single category; values that do not depend on the category; no values at all.
  for (const auto& codes : {std::vector<double>{0, 1, 2, 3}, {0, 0, 0, 0}, {0, 0, 1, 1}, {missing, 4, missing, 4}}) {
    const CategoryMeans found = means_of(column_of(codes, 4), {1, 3, 1, 3});
    EXPECT_EQ(found.mean, std::isnan(codes[0]) ? 0 : 2);
    for (const double mean : found.means) EXPECT_EQ(mean, found.mean);
  }
}

TEST(CategoryMeans, WithoutNoiseTheMeansAreThoseOfTheCategories) {
  const CategoryMeans found = means_of(column_of({0, 0, 1, 1, 2}, 3), {4, 4, -1, -1, 9});
  EXPECT_EQ(found.means, (std::vector<double>{4, -1, 9}));
  EXPECT_EQ(found.mean, 4);
}

// The mean that encodes a row leaves out the row's block, or two blocks: it equals that of a table without them.
TEST(CategoryMeans, LeaveBlocksOut) {
  Random random(3);
  std::vector<double> codes, values;
  RowBlocks blocks{{}, 4};
  for (Index i = 0; i < 400; ++i) {
    codes.push_back(static_cast<double>(random.below(30)));
    values.push_back(codes.back() + random.normal());
    blocks.of_row.push_back(static_cast<std::uint8_t>(random.below(4)));
  }
  const Table table = column_of(codes, 30);
  const CategorySums sums(table, all_rows(table.rows()), values, blocks);
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = 0; b < 4; ++b) {
      Rows rest;
      std::vector<double> rest_values;
      for (std::size_t i = 0; i < values.size(); ++i)
        if (blocks.of_row[i] != a && blocks.of_row[i] != b) {
          rest.push_back(static_cast<Index>(i));
          rest_values.push_back(values[i]);
        }
      const RowBlocks one{std::vector<std::uint8_t>(rest.size()), 1};
      const CategoryMeans expected = CategorySums(table, rest, rest_values, one).means().front();
      const CategoryMeans found = sums.means_without(a, b).front();
      EXPECT_EQ(found.counts, expected.counts);
      EXPECT_NEAR(found.mean, expected.mean, 1e-12);
      for (std::size_t i = 0; i < found.means.size(); ++i) EXPECT_NEAR(found.means[i], expected.means[i], 1e-12);
    }
  EXPECT_TRUE(sums.means()[1].means.empty());  // a column of numbers
}

}  // namespace
}  // namespace taut
