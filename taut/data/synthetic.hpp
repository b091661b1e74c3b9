// The paper's synthetic sets: a parabola in one input x ~ U[-1, 1], with noise whose size depends on x.
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
};

const Registry<SyntheticSet>& synthetic_sets();

// Columns x, x2 and y; with `truth` also f, the true mean of y, and sigma. The paper's constant feature is left out. The first
// rows of a longer table are those of a shorter one.
Table synthetic_table(const SyntheticSet& set, Index rows, std::uint64_t seed, bool truth = false);

}  // namespace taut
