#include <taut/core/random.hpp>
#include <taut/transform/transform.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

// A larger quantile never gives a smaller half-width, to the last bit, even for adjacent quantiles. Nested sets depend on this.
TEST(HalfWidth, NeverShrinksAsTheQuantileGrows) {
  Random random(4);
  for (const auto& entry : transforms().entries()) {
    const auto phi = transforms().make(entry.example);
    for (int repeat = 0; repeat < 200; ++repeat) {
      std::vector<double> g(static_cast<std::size_t>(phi->n_params()) + 1), other = g;
      phi->initial(g.data());
      phi->initial(other.data());
      for (double& one : g) one += random.normal();
      for (double& one : other) one += random.normal();
      std::vector<double> q;
      for (int i = 0; i < 20; ++i) {
        const double score = phi->conformity(std::exp(3 * random.normal()), other.data());
        q.insert(q.end(),
                 {score, std::nextafter(score, infinity), score + 1e-15 * std::abs(score), score + 1e-13 * std::abs(score)});
      }
      std::sort(q.begin(), q.end());
      for (std::size_t i = 1; i < q.size(); ++i)
        ASSERT_GE(phi->half_width(q[i], g.data()), phi->half_width(q[i - 1], g.data())) << entry.name << " " << q[i];
    }
  }
}

}  // namespace
}  // namespace taut
