// Many inverses at once equal those of inverse(), one by one.
#include <taut/core/random.hpp>
#include <taut/transform/scale_family.hpp>
#include <taut/transform/transform.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

namespace taut {
namespace {

const char* const mixtures[] = {"mixture:exp,sigma", "mixture:sigma,sigma", "mixture:exp*2,sigma*3", "mixture:linear,exp",
                                "mixture:erc,sigma", "mixture:offset,exp",  "mixture:spline,linear", "mixture:linear*4"};

void expect_same(const Transform& phi, const std::vector<double>& b, const double* g, const std::string& what) {
  ManyInverses::Result many;
  dynamic_cast<const ManyInverses&>(phi).inverses(b, g, true, many);
  std::vector<double> grad(static_cast<std::size_t>(phi.n_params())), low = grad, high = grad;
  for (std::size_t i = 0; i < b.size(); ++i) {
    const double a = phi.inverse(b[i], g);
    if (!(a > 0) || std::isinf(a)) {
      EXPECT_EQ(many.a[i], a) << what << " " << b[i];
      continue;
    }
    // The precision of φ: where φ is flat, a is not more precise than that.
    const double rise = a * phi.slope(a, g), known = 1e-14 * (1 + std::abs(b[i])) / rise;
    ASSERT_NEAR(std::log(many.a[i]), std::log(a), 1e-11 + known) << what << " " << b[i];
    // Slopes and gradients are those before the last correction of log a, which is below 1e-8. They are compared up to the change
    // that such a step makes.
    const double step = 1e-8, before = many.a[i] * (1 - step), after = many.a[i] * (1 + step);
    const double slope = phi.slope(many.a[i], g), moved = std::abs(phi.slope(after, g) - phi.slope(before, g));
    if (known > 1e-9 || std::isinf(slope)) continue;
    EXPECT_NEAR(many.slope[i], slope, (1e-8 + known) * slope + moved) << what << " " << b[i];
    phi.grad(many.a[i], g, grad.data());
    phi.grad(before, g, low.data());
    phi.grad(after, g, high.data());
    for (std::size_t p = 0; p < grad.size(); ++p)
      EXPECT_NEAR(many.grad(static_cast<Index>(i), static_cast<Index>(p)), grad[p],
                  1e-8 * (std::abs(grad[p]) + 1e-3 * rise) + std::abs(high[p] - low[p]))
          << what << " " << b[i] << " parameter " << p;
  }
}

TEST(ManyInverses, AreThoseOfInverse) {
  Random random(7);
  for (const char* name : mixtures) {
    const auto phi = transforms().make(name);
    for (int repeat = 0; repeat < 300; ++repeat) {
      // With parameters as wide as that, the slope of a spline may double within a billionth.
      const double wide = repeat % 3 == 0 && std::string_view(name).find("spline") == std::string_view::npos ? 8 : 1;
      std::vector<double> g(static_cast<std::size_t>(phi->n_params())), other = g;
      phi->initial(g.data());
      phi->initial(other.data());
      for (double& one : g) one += wide * random.normal();
      for (double& one : other) one += random.normal();
      std::vector<double> b;
      for (int i = 0; i < 15; ++i) b.push_back(phi->value(std::exp(3 * wide * random.normal()), other.data()));
      expect_same(*phi, b, g.data(), name);
    }
  }
}

TEST(ManyInverses, ExtremesToo) {
  for (const char* name : mixtures) {
    const auto phi = transforms().make(name);
    std::vector<double> g(static_cast<std::size_t>(phi->n_params()));
    for (const double moved : {-40.0, -5.0, 0.0, 5.0, 40.0}) {
      phi->initial(g.data());
      for (double& one : g) one += moved;
      const Codomain range = phi->codomain(g.data());
      expect_same(*phi,
                  {-infinity, -1e300, -1e3, -1, -1e-300, 0, 1e-300, 1e-100, 1e-8, 0.5, 1, 2, 1e8, 1e100, 1e300, infinity,
                   range.low, range.high},
                  g.data(), name);
    }
  }
}

TEST(ManyInverses, NoScoresAreNoWork) {
  const auto phi = transforms().make("mixture:exp,sigma");
  std::vector<double> g(static_cast<std::size_t>(phi->n_params()));
  phi->initial(g.data());
  ManyInverses::Result many;
  dynamic_cast<const ManyInverses&>(*phi).inverses({}, g.data(), true, many);
  EXPECT_TRUE(many.a.empty());
}

}  // namespace
}  // namespace taut
