#include <taut/data/inputs/input_pool.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

TEST(InputPool, BinsAreMadeOnceForEachNumberOfThem) {
  const InputPool pool(MatrixF::Random(900, 4));
  EXPECT_EQ(pool.binned(64, 1), pool.binned(64, 2));
  EXPECT_NE(pool.binned(64, 1), pool.binned(32, 1));
  EXPECT_EQ(pool.binned(64, 1)->rows(), 900);
}

TEST(InputPool, HoldsTheRowsOfBothAndGathersThem) {
  const MatrixF first = MatrixF::Random(3, 2), second = MatrixF::Random(2, 2);
  const InputPool pool(first, second);
  EXPECT_EQ(pool.rows(), 5);
  const MatrixF gathered = pool.gather(Rows{4, 0, 4});
  EXPECT_EQ(gathered.row(0), second.row(1));
  EXPECT_EQ(gathered.row(1), first.row(0));
  EXPECT_EQ(gathered.row(2), second.row(1));
}

// Large inputs are kept in a temporary file. Their rows and bins are those of inputs in memory.
TEST(InputPool, ManyInputsAreTheSameNumbers) {
  const MatrixF x = MatrixF::Random(700'000, 8);
  const InputPool pool(x);
  const auto bins = pool.binned(64, 2);
  pool.evict();
  EXPECT_EQ(pool.floats(), x);
  EXPECT_EQ(pool.gather(Rows{699'999}).row(0), x.row(699'999));
  const BinnedInputs plain(x, 64, 1);
  bins->visit([&](const auto* cells) {
    plain.visit([&](const auto* others) { EXPECT_TRUE(std::equal(cells, cells + x.size(), others)); });
  });
}

}  // namespace
}  // namespace taut
