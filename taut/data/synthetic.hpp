// The paper's synthetic sets: a parabola in one input x ~ U[-1, 1], with noise whose size depends on x; and one whose noise has
// the same size everywhere but another shape.
//
// y = w0 + w1 x + w2 x² + noise(x), w ~ N(0, 1)³ drawn from the seed.
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
  // The share of rows whose noise is ten times as large; sigma is that of the others.
  virtual double outliers(double) const { return 0; }
};

const Registry<SyntheticSet>& synthetic_sets();

// Columns x, x2 and y; with `truth` also f, the true centre of y, sigma and, where there are some, the share of outliers. The
// paper's constant feature is left out. The first rows of a longer table are those of a shorter one.
Table synthetic_table(const SyntheticSet& set, Index rows, std::uint64_t seed, bool truth = false);

}  // namespace taut
