// The distance from neighbouring training rows: 0 for all of them and nearly all rows like them, large in gaps between them.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/fit/beyond_training.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {
namespace {

constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Two clouds of rows of two inputs, about (0, 0) and (10, 10), with a tenth of the cells missing; a third input is constant.
MatrixF two_clouds(Index rows, std::uint64_t seed, bool has_missing = true) {
  Random random(seed);
  MatrixF x(rows, 3);
  for (Index row = 0; row < rows; ++row) {
    const double centre = row % 2 == 0 ? 0 : 10;
    for (Index i = 0; i < 2; ++i) {
      const auto cell = static_cast<float>(centre + random.normal());
      x(row, i) = has_missing && random.uniform() < 0.1 ? nan : cell;
    }
    x(row, 2) = 1;
  }
  return x;
}

double beyond(const TrainingBoxes& boxes, float a, float b) {
  const std::vector<float> row = {a, b, 1};
  return boxes.of(row.data()).size;
}

const std::vector<double> slopes = {2, 0.5};

TrainingBoxes boxes_of(const MatrixF& x) { return {x, all_rows(x.rows()), {0, 1}, slopes}; }

TEST(TrainingBoxes, NoTrainingRowIsOutside) {
  for (const Index rows : {40, 3000, 9000}) {  // more than are cut into groups
    const MatrixF x = two_clouds(rows, 1);
    const TrainingBoxes boxes = boxes_of(x);
    for (Index row = 0; row < rows; ++row) ASSERT_EQ(boxes.of(x.row(row).data()).size, 0) << row;
  }
}

// One in a hundred of held-out rows is beyond; here at most three standard deviations more.
TEST(TrainingBoxes, FewNewRowsAreBeyondWhatIsUsual) {
  const TrainingBoxes boxes = boxes_of(two_clouds(3000, 1));
  const MatrixF x = two_clouds(10000, 2);
  Index outside = 0;
  for (Index row = 0; row < x.rows(); ++row) outside += boxes.of(x.row(row).data()).size > 0 ? 1 : 0;
  EXPECT_LT(outside, 100 + 30);
  EXPECT_GT(outside, 0);
}

// (0, 10) has usual numbers. Of the nearer clouds, that one counts into which the tree lets it fall.
TEST(TrainingBoxes, ARowBetweenTheCloudsIsAsFarAwayAsTheOtherCloud) {
  const TrainingBoxes boxes = boxes_of(two_clouds(3000, 1));
  for (const auto& [a, b] : {std::pair(0.0F, 10.0F), std::pair(10.0F, 0.0F)}) {
    const double distance = beyond(boxes, a, b);
    EXPECT_GT(distance, std::min(slopes[0], slopes[1]) * 10 - 4);
    EXPECT_LT(distance, std::max(slopes[0], slopes[1]) * 10 + 4);
  }
  EXPECT_GT(beyond(boxes_of(two_clouds(3000, 1, false)), 5, 5), 0.5);
  EXPECT_EQ(beyond(boxes, 0, 0), 0);
  EXPECT_EQ(beyond(boxes, 10, 10), 0);
}

TEST(TrainingBoxes, AMissingCellIsNotOutside) {
  const TrainingBoxes boxes = boxes_of(two_clouds(3000, 1));
  EXPECT_EQ(beyond(boxes, nan, nan), 0);
  EXPECT_LT(beyond(boxes, nan, 10), 1);
  EXPECT_EQ(beyond(boxes_of(two_clouds(3000, 1, false)), nan, 10), 0);
}

TEST(TrainingBoxes, OneFarTrainingRowDoesNotHideTheGap) {
  MatrixF x = two_clouds(3000, 1);
  const double before = beyond(boxes_of(x), 0, 10);
  x(17, 0) = 1e6F;
  EXPECT_GT(beyond(boxes_of(x), 0, 10), before / 2);
}

// Distances are counted in the slope, so the unit of an input has no effect.
TEST(TrainingBoxes, TheUnitOfAnInputHasNoEffect) {
  MatrixF x = two_clouds(3000, 1);
  const TrainingBoxes one = boxes_of(x);
  x.col(1) *= 1024;
  const TrainingBoxes other(x, all_rows(3000), {0, 1}, {slopes[0], slopes[1] / 1024});
  for (const float a : {-4.0F, 0.5F, 5.0F, 12.0F})
    for (const float b : {-3.0F, 4.0F, 10.0F}) EXPECT_EQ(beyond(other, a, b * 1024), beyond(one, a, b));
}

TEST(TrainingBoxes, InfiniteCellsAreInfinitelyFarAway) {
  const TrainingBoxes boxes = boxes_of(two_clouds(3000, 1));
  const auto infinite = static_cast<float>(infinity);
  EXPECT_EQ(beyond(boxes, infinite, 0), infinity);
  EXPECT_EQ(beyond(boxes, 0, -infinite), infinity);
}

TEST(TrainingBoxes, TooFewRowsAndNoInputsHaveNoBoxes) {
  const MatrixF x = two_clouds(31, 1);
  EXPECT_TRUE(boxes_of(x).empty());
  EXPECT_TRUE(TrainingBoxes(two_clouds(3000, 1), all_rows(3000), {}, {}).empty());
  EXPECT_EQ(beyond(TrainingBoxes(), 1e6F, 0), 0);
}

TEST(TrainingBoxes, TheInputWithTheLargestShareIsNamed) {
  const TrainingBoxes boxes = boxes_of(two_clouds(3000, 1));
  const std::vector<float> far_in_first = {100, 10, 1}, far_in_second = {10, 1000, 1};
  EXPECT_EQ(boxes.of(far_in_first.data()).input, 0);
  EXPECT_EQ(boxes.of(far_in_second.data()).input, 1);
}

TEST(TrainingBoxes, AreTheSameAfterStorage) {
  const TrainingBoxes boxes = boxes_of(two_clouds(3000, 1));
  Archive archive;
  boxes.save(archive);
  const TrainingBoxes read = TrainingBoxes::load(archive, 3);
  for (const float a : {-4.0F, 0.5F, 5.0F, nan})
    for (const float b : {-3.0F, 4.0F, 10.0F}) EXPECT_EQ(beyond(read, a, b), beyond(boxes, a, b));
}

TEST(TrainingBoxes, DamageIsRefused) {
  const TrainingBoxes boxes = boxes_of(two_clouds(3000, 1));
  const auto damaged = [&](const std::string& name, const Archive::Value& value) {
    Archive archive;
    boxes.save(archive);
    archive.put(name, value);
    EXPECT_THROW(TrainingBoxes::load(archive, 3), Error) << name;
  };
  const auto with = [](auto values, std::size_t place, auto value) {
    values[place] = value;
    return values;
  };
  damaged("inputs", std::vector<std::int64_t>{0, 3});
  damaged("inputs", std::vector<std::int64_t>{0});
  damaged("slope", std::vector<double>{1, infinity});
  damaged("usual", -1.0);
  damaged("feature", with(boxes.feature(), 0, -1));                          // then no node leads to the others
  damaged("feature", with(boxes.feature(), boxes.feature().size() - 1, 0));  // then its children are missing
  damaged("feature", with(boxes.feature(), 0, 2));
  damaged("feature", std::vector<std::int32_t>{});
  damaged("threshold", std::vector<float>{1});
  damaged("low", MatrixF(boxes.low().topRows(1)));
  MatrixF high = boxes.high();
  high(0, 0) = nan;
  damaged("high", high);
  EXPECT_THROW(TrainingBoxes::load(
                   [&] {
                     Archive archive;
                     boxes.save(archive);
                     return archive;
                   }(),
                   1),
               Error);
}

}  // namespace
}  // namespace taut
