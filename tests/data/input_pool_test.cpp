#include <taut/data/input_pool.hpp>

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace taut
