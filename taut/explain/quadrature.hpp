// Gauss and Legendre's nodes and weights on [0, 1]: n of them integrate polynomials of degree 2n − 1 exactly.
#pragma once

#include <vector>

namespace taut {

struct Quadrature {
  std::vector<double> nodes, weights;
};

const Quadrature& gauss_legendre(int points);  // 1 to most_points

inline constexpr int most_points = 64;

}  // namespace taut
