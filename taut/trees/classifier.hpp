// How likely is z = 1 at x? Boosted trees with logistic loss, for measures that need a classifier rather than for predicting.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// P(z = 1 | x) for every row from a model that has not seen that row (nor stopped by it): `folds` models, each trained on the
// other folds and stopped on a part of them.
std::vector<double> cross_fitted_probabilities(const Inputs& x, std::span<const std::uint8_t> z, int folds, std::uint64_t seed,
                                               int threads);

// The same models, kept for further rows. All stop at the round that is best for them together.
struct CrossFittedClassifier {
  Forest forest;                // an output for each model
  std::vector<double> base;     // of each model: added to the forest's margin
  std::vector<double> margins;  // of every row, log(p / (1 − p)), from the model that has not seen it
};
CrossFittedClassifier cross_fitted_classifier(const Inputs& x, std::span<const std::uint8_t> z, int folds, std::uint64_t seed,
                                              int threads);

}  // namespace taut
