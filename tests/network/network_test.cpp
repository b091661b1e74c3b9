// The smooth activation and the learning rate schedule of Adam; tests/localize/mlp_test.cpp tests the network of ReLUs.
#include <taut/core/error.hpp>
#include <taut/network/network.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

MatrixF random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(random.normal()); });
}

// Σ coefficients ⊙ g(x)
double weighted_sum(const Network& network, const MatrixF& x, const Matrix& coefficients) {
  Network::Pass pass(network, x.rows(), false);
  network.forward({x.data(), x.cols(), 1}, x.rows(), pass);
  double sum = 0;
  for (Index r = 0; r < x.rows(); ++r)
    for (Index k = 0; k < coefficients.cols(); ++k) sum += coefficients(r, k) * network.output(pass, r, k);
  return sum;
}

TEST(SmoothNetwork, BackPropagationAgreesWithDifferencesForEveryParameter) {
  const MatrixF x = random_matrix(23, 5, 1);
  const Matrix coefficients = random_matrix(23, 2, 2).cast<double>();
  Network network({5, 7, 19, 2}, Activation::smooth);
  network.initialise(Random(3), {});
  network.parameters() *= 1.5F;  // the last layer starts small
  Network::Pass pass(network, x.rows());
  Network::Return back(network, x.rows());
  Network::Vector gradient = Network::Vector::Zero(network.parameters().size());
  const Left left{x.data(), x.cols(), 1};
  network.forward(left, x.rows(), pass);
  network.backward(left, coefficients, false, pass, back, gradient);
  int compared = 0;
  for (Index i = 0; i < gradient.size(); ++i) {
    constexpr float h = 0x1p-6F;
    const float value = network.parameters()[i];
    if (value == 0 && gradient[i] == 0) continue;  // padding
    network.parameters()[i] = value + h;
    const double above = weighted_sum(network, x, coefficients);
    network.parameters()[i] = value - h;
    const double below = weighted_sum(network, x, coefficients);
    network.parameters()[i] = value;
    const double expected = (above - below) / (2 * static_cast<double>(h));
    EXPECT_NEAR(static_cast<double>(gradient[i]), expected, 4e-3 * (1 + std::abs(expected))) << i;
    ++compared;
  }
  EXPECT_EQ(compared, 6 * 7 + 8 * 19 + 20 * 2);
}

TEST(SmoothNetwork, IsTheFormulaAndComesBackFromAnArchive) {
  Network network({1, 1, 1}, Activation::smooth);
  // The weight of each layer, then its bias, each padded to whole packets.
  network.parameters()[0] = 1;
  network.parameters()[2 * lanes] = 1;
  Archive archive;
  network.save(archive);
  const Network loaded = Network::load(archive, 1, 1, Activation::smooth);
  Network::Pass pass(loaded, 1, false);
  for (const float z : {-30.0F, -2.0F, -0.1F, 0.0F, 0.5F, 3.0F, 100.0F}) {
    loaded.forward({&z, 1, 1}, 1, pass);
    const auto exact = static_cast<double>(z);
    EXPECT_NEAR(loaded.output(pass, 0, 0), exact * (1 + exact / std::sqrt(1 + exact * exact)) / 2, 1e-5 * (1 + std::abs(exact)));
  }
}

TEST(Adam, TakesAShareOfTheRateAndShrinksTheParameters) {
  Network::Vector parameters = Network::Vector::Constant(3, 2.0F), gradient(3);
  gradient << 1, -4, 0;
  Adam(3, 0.1).step(parameters, gradient, 0.5, 0.25);
  EXPECT_NEAR(parameters[0], 1.5 - 0.05, 1e-6);
  EXPECT_NEAR(parameters[1], 1.5 + 0.05, 1e-6);
  EXPECT_NEAR(parameters[2], 1.5, 1e-6);
}

}  // namespace
}  // namespace taut
