// Properties of the network only, and of the inputs that it shares with the Gaussian process.
#include <taut/core/error.hpp>
#include <taut/predict/smooth_inputs.hpp>
#include <tests/predict/smooth_sample.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using namespace testing;

TEST(RobustInputs, AreBoundedMonotoneAndZeroForAConstant) {
  MatrixF x(9, 3);
  x.col(0) << -1e30F, -5, -1, 0, 1, 2, 3, 100, 3e38F;
  x.col(1).setConstant(7);
  x.col(2) << 0, 0, 0, 0, 0, 0, 0, 1, 0;
  const RobustInputs robust(InputPool(x), all_rows(9));
  const MatrixF z = robust.apply(InputPool(x), all_rows(9));
  EXPECT_TRUE(z.allFinite());
  EXPECT_LE(z.cwiseAbs().maxCoeff(), 3);
  for (Index r = 1; r < 9; ++r) EXPECT_GE(z(r, 0), z(r - 1, 0));
  EXPECT_LT(z(1, 0), z(2, 0));
  EXPECT_EQ(z.col(1).cwiseAbs().maxCoeff(), 0);
  EXPECT_GT(z(7, 2), 1);
  EXPECT_EQ(z(0, 2), 0);
}

// Within the knots z = t_0 + Σ e_b (t_(b+1) - t_b): nothing is lost between bins.
TEST(PiecewiseInputs, AddUpToWhatTheyCameFrom) {
  const MatrixF z = random_inputs(500, 2, 1);
  const PiecewiseInputs bins(z, 8, 100);
  ASSERT_EQ(bins.width(), 2 + 2 * 8);
  Archive archive;
  bins.save(archive);
  const auto& from = archive.get<std::vector<float>>("from");
  const auto& factor = archive.get<std::vector<float>>("factor");
  std::vector<float> out(static_cast<std::size_t>(bins.width())), ranks(static_cast<std::size_t>(bins.width_with_ranks()));
  for (Index r = 0; r < z.rows(); ++r) {
    bins.apply(z.row(r).data(), out.data());
    bins.apply_ranks(z.row(r).data(), ranks.data());
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = from[8 * c], rank = -1;
      for (std::size_t b = 8 * c; b < 8 * (c + 1); ++b) {
        sum += static_cast<double>(out[2 + b]) / static_cast<double>(factor[b]);
        rank += static_cast<double>(out[2 + b]) / 4;
      }
      EXPECT_NEAR(sum, static_cast<double>(z(r, static_cast<Index>(c))), 1e-5);
      EXPECT_NEAR(static_cast<double>(ranks[2 + c]), rank, 1e-5);
      EXPECT_EQ(ranks[c], z(r, static_cast<Index>(c)));
    }
  }
}

TEST(PiecewiseInputs, ColumnsOfTwoValuesAndTooManyColumnsHaveNoBins) {
  MatrixF z = random_inputs(300, 30, 1);
  z.col(0) = (z.col(0).array() > 0).cast<float>();
  EXPECT_EQ(PiecewiseInputs(z, 8, 29 * 8).width(), 30 + 29 * 8);
  EXPECT_EQ(PiecewiseInputs(z, 8, 40).width(), 30);
}

TEST(NetworkPredictor, IsBetterThanTreesOnASmoothFunctionSlow) {
  const SmoothSample train = smooth_sample(1500, 1, 0.1), test = smooth_sample(1000, 2, 0);
  EXPECT_LT(mean_square_error("network", train, test), 0.5 * mean_square_error("boost", train, test));
}

TEST(NetworkPredictor, SameBitsForAnyNumberOfThreads) {
  const SmoothSample train = smooth_sample(500, 3, 0.1);
  const auto one = predicted(*fitted("network", train, 1), train.x, 1);
  for (const int threads : {1, 2, 4}) EXPECT_EQ(predicted(*fitted("network", train, threads), train.x, threads), one) << threads;
}

TEST(NetworkPredictor, StaysSaneFarOutside) {
  const SmoothSample train = smooth_sample(400, 4, 0.1);
  expect_sane_far_outside(*fitted("network", train), train);
}

TEST(NetworkPredictor, ADamagedFileIsRefused) {
  const SmoothSample train = smooth_sample(60, 5, 0.1);
  const auto network = fitted("network", train);
  const auto load = [&](const std::string& name, Archive::Value value) {
    Archive archive;
    network->save(archive);
    archive.put(name, std::move(value));
    predictors().make("network")->load(archive, train.x.cols());
  };
  EXPECT_NO_THROW(load("centre", 0.0));
  EXPECT_THROW(load("centre", missing), Error);
  EXPECT_THROW(load("unit", -1.0), Error);
  EXPECT_THROW(load("networks", std::int64_t{0}), Error);
  EXPECT_THROW(load("networks", std::int64_t{5}), Error);
  EXPECT_THROW(load("robust/centre", std::vector<double>(2)), Error);
  EXPECT_THROW(load("robust/factor", std::vector<double>(3, infinity)), Error);
  EXPECT_THROW(load("bins/column", std::vector<std::int32_t>(48, 3)), Error);
  EXPECT_THROW(load("bins/from", std::vector<float>(1)), Error);
  EXPECT_THROW(load("network0/layer1/bias", std::vector<float>(3)), Error);
}

TEST(NetworkPredictor, CanBeStopped) { expect_can_be_stopped("network"); }

}  // namespace
}  // namespace taut
