// The paper's synthetic sets with the true f: the distribution of the residuals is known at every x.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/core/random.hpp>
#include <taut/data/synthetic.hpp>

#include <cmath>

namespace taut::testing {

struct KnownRows {
  std::vector<double> x, sigma;
  Residuals residuals;
  MatrixF inputs;  // x and x², standardised by their true moments
};

inline KnownRows known_rows(const std::string& set_name, Index rows, std::uint64_t seed) {
  const auto set = synthetic_sets().make(set_name);
  Random random(seed);
  KnownRows known;
  known.inputs.resize(rows, 2);
  for (Index i = 0; i < rows; ++i) {
    const double x = random.uniform(-1, 1), noise = set->noise(x, random);
    known.x.push_back(x);
    known.sigma.push_back(set->scale(x));
    known.residuals.size.push_back(std::abs(noise));
    known.residuals.side.push_back(noise < 0 ? Side::below : Side::above);
    known.inputs(i, 0) = static_cast<float>(x * std::sqrt(3.0));
    known.inputs(i, 1) = static_cast<float>((x * x - 1.0 / 3) / std::sqrt(4.0 / 45));
  }
  return known;
}

}  // namespace taut::testing
