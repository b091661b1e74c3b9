#include <taut/explain/quadrature.hpp>

#include <taut/core/error.hpp>

#include <array>
#include <cmath>
#include <numbers>

namespace taut {

namespace {

// Newton's method on the Legendre polynomial, from Tricomi's first guess.
Quadrature computed(int n) {
  Quadrature result;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 20; ++step) {
      double before = 1, here = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * here - (k - 1) * before) / k;
        before = here;
        here = next;
      }
      slope = n * (x * here - before) / (x * x - 1);
      x -= here / slope;
    }
    result.nodes.push_back((1 - x) / 2);
    result.weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return result;
}

}  // namespace

const Quadrature& gauss_legendre(int points) {
  static const auto all = [] {
    std::array<Quadrature, most_points + 1> table;
    for (int n = 1; n <= most_points; ++n) table[static_cast<std::size_t>(n)] = computed(n);
    return table;
  }();
  if (points < 1 || points > most_points) throw Error("quadrature with more nodes than any tree is deep");
  return all[static_cast<std::size_t>(points)];
}

}  // namespace taut
