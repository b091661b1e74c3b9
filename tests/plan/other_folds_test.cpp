// Other partitions of the training rows: every row is held out once, groups stay whole, and each repeat has its own.
#include <taut/plan/other_folds.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace taut {
namespace {

TEST(OtherFolds, HoldOutEveryRowOnceInFoldsOfOneSize) {
  for (const Index rows : {5, 17, 400}) {
    std::set<Rows> orders;
    for (Index repeat = 1; repeat < 6; ++repeat) {
      const OtherFolds other = other_folds(rows, {}, 5, 3, repeat);
      orders.insert(other.order);
      Rows sorted = other.order;
      std::sort(sorted.begin(), sorted.end());
      EXPECT_EQ(sorted, all_rows(rows));
      Index next = 0;
      ASSERT_EQ(other.folds.size(), 5U);
      for (const TrainingPart& fold : other.folds) {
        EXPECT_EQ(fold.begin, next);
        EXPECT_EQ(fold.rows, rows);
        EXPECT_TRUE(fold.validation_rows() == rows / 5 || fold.validation_rows() == rows / 5 + 1);
        next = fold.end;
      }
      EXPECT_EQ(next, rows);
      EXPECT_EQ(other_folds(rows, {}, 5, 3, repeat).order, other.order);
    }
    if (rows > 5) {
      EXPECT_EQ(orders.size(), 5U);
    }
  }
}

TEST(OtherFolds, KeepGroupsWhole) {
  Rows groups;
  for (Index group = 0; group < 23; ++group) groups.insert(groups.end(), static_cast<std::size_t>(1 + group % 4), 100 - group);
  const OtherFolds other = other_folds(std::ssize(groups), groups, 5, 0, 1);
  std::map<Index, std::set<std::size_t>> folds_of_group;
  for (std::size_t fold = 0; fold < other.folds.size(); ++fold) {
    EXPECT_GT(other.folds[fold].validation_rows(), 0);
    for (Index i = other.folds[fold].begin; i < other.folds[fold].end; ++i)
      folds_of_group[groups[static_cast<std::size_t>(other.order[static_cast<std::size_t>(i)])]].insert(fold);
  }
  EXPECT_EQ(folds_of_group.size(), 23U);
  for (const auto& [group, folds] : folds_of_group) EXPECT_EQ(folds.size(), 1U) << group;
}

TEST(OtherFolds, SeedsDifferBetweenRepeatsAndFits) {
  std::set<std::uint64_t> seeds;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (Index repeat = 1; repeat < 20; ++repeat) seeds.insert(seed_of_repeat(seed, repeat));
  EXPECT_EQ(seeds.size(), 20U * 19U);
}

}  // namespace
}  // namespace taut
