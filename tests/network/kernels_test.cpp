// The network's kernels against the formulas in double precision, for every instruction set that this processor has.
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/network/kernels.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace taut {
namespace {

std::vector<float> random_floats(Index count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (float& value : values) value = static_cast<float>(random.normal());
  return values;
}

class Kernels : public testing::TestWithParam<InstructionSet> {
 protected:
  void SetUp() override {
    if (GetParam() > instruction_set()) GTEST_SKIP() << "this processor has no such instructions";
  }
  const NetworkKernels& kernels() const { return network_kernels(GetParam()); }
};

TEST_P(Kernels, ProductsAreSumsAndARowHasTheSameBitsAlone) {
  for (const Index rows : {1, 4, 7})
    for (const Index inner : {1, 9, 33})
      for (const Index columns : {16, 48, 112, 128}) {
        const auto a = random_floats(rows * inner, 1), b = random_floats(inner * columns, 2), start = random_floats(columns, 3);
        std::vector<float> c(static_cast<std::size_t>(rows * columns)), alone(static_cast<std::size_t>(columns));
        kernels().multiply({a.data(), inner, 1}, {b.data(), columns}, {start.data(), 0}, {c.data(), columns}, rows, inner,
                           columns);
        for (Index r = 0; r < rows; ++r) {
          kernels().multiply(Left{a.data(), inner, 1}.row(r), {b.data(), columns}, {start.data(), 0}, {alone.data(), columns}, 1,
                             inner, columns);
          for (Index k = 0; k < columns; ++k) {
            double sum = start[static_cast<std::size_t>(k)];
            for (Index i = 0; i < inner; ++i)
              sum +=
                  static_cast<double>(a[static_cast<std::size_t>(r * inner + i)]) * b[static_cast<std::size_t>(i * columns + k)];
            EXPECT_NEAR(c[static_cast<std::size_t>(r * columns + k)], sum, 2e-6 * static_cast<double>(inner + 4));
            EXPECT_EQ(c[static_cast<std::size_t>(r * columns + k)], alone[static_cast<std::size_t>(k)]);
          }
        }
      }
}

TEST_P(Kernels, TransposesAnyShape) {
  for (const Index rows : {1, 3, 4, 5, 19})
    for (const Index columns : {1, 4, 6, 21}) {
      const auto from = random_floats(rows * columns, 4);
      std::vector<float> to(static_cast<std::size_t>(rows * columns));
      kernels().transpose({from.data(), columns}, rows, columns, {to.data(), rows});
      for (Index r = 0; r < rows; ++r)
        for (Index c = 0; c < columns; ++c)
          EXPECT_EQ(to[static_cast<std::size_t>(c * rows + r)], from[static_cast<std::size_t>(r * columns + c)]);
    }
}

TEST_P(Kernels, ActivationsAreTheFormulas) {
  const Index count = 3 * lanes;
  auto z = random_floats(count, 5);
  z[0] = -40;
  z[1] = 1e6F;
  auto relu = z, bent = z, bent_alone = z, kept = random_floats(count, 6), scaled = kept;
  const auto before = kept;
  std::vector<float> slopes(z.size());
  kernels().rectify(relu.data(), count);
  kernels().apply_smooth_activation(bent.data(), slopes.data(), count);
  kernels().apply_smooth_activation(bent_alone.data(), nullptr, count);
  kernels().keep_where_positive(kept.data(), z.data(), count);
  kernels().scale(scaled.data(), z.data(), count);
  for (std::size_t i = 0; i < z.size(); ++i) {
    const double x = z[i], s = x / std::sqrt(1 + x * x);
    EXPECT_EQ(relu[i], std::max(z[i], 0.0F));
    EXPECT_NEAR(bent[i], x * (1 + s) / 2, 1e-6 * (1 + std::abs(x)));
    EXPECT_EQ(bent[i], bent_alone[i]);
    EXPECT_NEAR(slopes[i], (1 + s) / 2 + s * (1 - s * s) / 2, 1e-6);
    EXPECT_EQ(kept[i], z[i] > 0 ? before[i] : 0.0F);
    EXPECT_EQ(scaled[i], before[i] * z[i]);
  }
}

TEST_P(Kernels, AdamIsTheFormulaForAnyNumberOfParameters) {
  const AdamStep step{0.9F, 0.1F, 0.99F, 0.01F, 0.05F, 1e-6F, 0.875F};
  for (const Index count : {1, 15, 16, 37}) {
    auto w = random_floats(count, 7), m = random_floats(count, 8), v = random_floats(count, 9);
    const auto d = random_floats(count, 10), old_w = w, old_m = m;
    for (float& value : v) value *= value;
    const auto old_v = v;
    kernels().adam(step, w.data(), d.data(), m.data(), v.data(), count);
    for (std::size_t i = 0; i < w.size(); ++i) {
      const double mean = 0.9 * old_m[i] + 0.1 * d[i], square = 0.99 * old_v[i] + 0.01 * d[i] * d[i];
      EXPECT_NEAR(m[i], mean, 1e-6);
      EXPECT_NEAR(v[i], square, 1e-6 * (1 + square));
      EXPECT_NEAR(w[i], old_w[i] * 0.875 - 0.05 * mean / (std::sqrt(square) + 1e-6), 1e-5);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Kernels,
                         testing::Values(InstructionSet::baseline, InstructionSet::avx2, InstructionSet::avx512));

}  // namespace
}  // namespace taut
