#include <taut/core/random.hpp>
#include <taut/metric/slab.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using Values = std::vector<std::uint8_t>;

TEST(WorstSlab, AgreesWithOtherPackages) {
  const MatrixF x = (MatrixF(4, 1) << 0, 1, 2, 3).finished();
  EXPECT_DOUBLE_EQ(worst_slab_coverage(x, Values{1, 1, 1, 0}, .26), .5);
  EXPECT_DOUBLE_EQ(worst_slab_coverage(x, Values{1, 0, 1, 0}, .1), 0);
  EXPECT_DOUBLE_EQ(worst_slab_coverage(x, Values{1, 1, 0, 0}, .5), 0);
  EXPECT_DOUBLE_EQ(worst_slab_coverage(x, Values{1, 0, 1, 1}, .75), 2.0 / 3);
}

// All slabs of one column, one by one.
double every_slab(const MatrixF& x, const Values& z, Index min_rows) {
  double worst = 1;
  for (Index a = 0; a < x.rows(); ++a)
    for (Index b = 0; b < x.rows(); ++b) {
      double rows = 0, hits = 0;
      for (Index i = 0; i < x.rows(); ++i)
        if (x(a, 0) <= x(i, 0) && x(i, 0) <= x(b, 0)) {
          rows += 1;
          hits += z[static_cast<std::size_t>(i)];
        }
      if (rows >= static_cast<double>(min_rows)) worst = std::min(worst, hits / rows);
    }
  return worst;
}

TEST(WorstSlab, IsTheWorstOfAllSlabs) {
  Random random(1);
  for (int repetition = 0; repetition < 300; ++repetition) {
    const Index n = 1 + random.below(40), values = repetition % 2 == 0 ? 8 : 1000;  // with and without ties
    MatrixF x(n, 1);
    Values z;
    for (Index i = 0; i < n; ++i) {
      x(i, 0) = static_cast<float>(random.below(values) - 4);
      z.push_back(random.uniform() < .8 ? 1 : 0);
    }
    const Index min_rows = 1 + random.below(n);
    const double delta = static_cast<double>(min_rows) / static_cast<double>(n);
    EXPECT_DOUBLE_EQ(worst_slab_coverage(x, z, delta, 2), every_slab(x, z, min_rows)) << n << ' ' << min_rows;
  }
}

struct Data {
  MatrixF x;
  Values z;
};

// Coverage .95, but .5 in the slab 1 < x_0 + x_1.
Data uneven(Index n, Index columns) {
  Random random(4);
  Data data{MatrixF(n, columns), {}};
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < columns; ++j) data.x(i, j) = static_cast<float>(random.normal());
    data.z.push_back(random.uniform() < (data.x(i, 0) + data.x(i, 1) > 1 ? .5 : .95) ? 1 : 0);
  }
  return data;
}

TEST(WorstSlab, SaysWhichSlabItWas) {
  const Data data = uneven(3000, 3);
  const Slab slab = worst_slab(data.x, data.z, .1, 200, 9, 1);
  EXPECT_GE(slab.rows, 300);
  EXPECT_DOUBLE_EQ(slab.coverage_of(data.x, data.z), slab.coverage);
  EXPECT_LT(slab.coverage, .6);
  EXPECT_GT(std::abs(slab.direction[0] + slab.direction[1]), 1.2F);  // √2 at best
}

// Among all slabs along the reported direction none is worse, whichever direction the search found.
TEST(WorstSlab, ExhaustsItsDirection) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const Data data = uneven(200, 2);
    const Slab slab = worst_slab(data.x, data.z, .04, 3, seed, 1);
    MatrixF projected = MatrixF::Zero(200, 1);
    for (Index j = 0; j < 2; ++j) projected += data.x.col(j) * slab.direction[static_cast<std::size_t>(j)];
    EXPECT_DOUBLE_EQ(slab.coverage, every_slab(projected, data.z, 8)) << seed;
  }
}

TEST(WorstSlab, IsTheSameForAnyNumberOfThreads) {
  const Data data = uneven(500, 4);
  const Slab one = worst_slab(data.x, data.z, .1, 300, 9, 1), three = worst_slab(data.x, data.z, .1, 300, 9, 3);
  EXPECT_EQ(one.direction, three.direction);
  EXPECT_EQ(one.low, three.low);
  EXPECT_EQ(one.high, three.high);
  EXPECT_EQ(one.coverage, three.coverage);
}

// On fresh rows the worst slab of pure noise is as good as any other, because the search bias is gone.
TEST(WorstSlab, HeldOutIsUnbiasedWhereCoverageIsEven) {
  Random random(12);
  double searched = 0, held_out = 0;
  const int repetitions = 100;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    MatrixF x(400, 3);
    Values z;
    for (Index i = 0; i < x.size(); ++i) x.data()[i] = static_cast<float>(random.normal());
    for (Index i = 0; i < x.rows(); ++i) z.push_back(random.uniform() < .9 ? 1 : 0);
    searched += worst_slab_coverage(x, z, .1, 50, 1, 1) / repetitions;
    held_out += held_out_worst_slab_coverage(x, z, .1, 50, 1, 1) / repetitions;
  }
  EXPECT_LT(searched, .75);
  EXPECT_NEAR(held_out, .9, .035);
}

TEST(WorstSlab, TakesMissingCellsAndNoColumns) {
  Data data = uneven(50, 2);
  data.x(3, 1) = std::numeric_limits<float>::quiet_NaN();
  data.x(4, 0) = std::numeric_limits<float>::infinity();
  EXPECT_TRUE(std::isfinite(worst_slab_coverage(data.x, data.z)));
  EXPECT_DOUBLE_EQ(worst_slab_coverage(MatrixF(4, 0), Values{1, 1, 0, 1}), .75);
  EXPECT_TRUE(std::isnan(worst_slab_coverage(MatrixF(0, 2), {})));
}

}  // namespace
}  // namespace taut
