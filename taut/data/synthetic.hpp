// The paper's synthetic data sets: a parabola in one input x ~ U[-1, 1] with noise whose scale depends on x. In one further set
// the noise has the same mean size for every x, but a different shape.
//
// y = w0 + w1 x + w2 x² + noise(x), w ~ N(0, 1)³; the seed determines w.
#pragma once

#include <taut/core/random.hpp>
#include <taut/core/registry.hpp>
#include <taut/data/table.hpp>

namespace taut {

class SyntheticSet {
 public:
  virtual ~SyntheticSet() = default;

  // sigma(x) > 0: the scale of the noise.
  virtual double scale(double x) const = 0;
  virtual double noise(double x, Random& random) const { return scale(x) * random.normal(); }
  // P(noise <= value | x)
  virtual double cdf(double x, double value) const;
  // The share of outliers at x: rows whose noise is ten times as large. sigma(x) is the scale of the other rows.
  virtual double outliers(double) const { return 0; }
};

const Registry<SyntheticSet>& synthetic_sets();

// Columns x, x2 and y. With `truth` also f (the true centre of y), sigma and, if the set has outliers, their share. The paper's
// constant feature is left out. A longer table of the same seed starts with the rows of a shorter one.
Table synthetic_table(const SyntheticSet& set, Index rows, std::uint64_t seed, bool truth = false);

}  // namespace taut
