// P(z = 1 | x) by boosted trees with logistic loss. This is for metrics that need a classifier, not for predictions.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace taut {

// P(z = 1 | x) for every row by cross-fitting: `folds` models, each trained on the other folds with early stopping on a part of
// them. So the model of a row has used it neither for training nor for early stopping.
std::vector<double> cross_fitted_probabilities(const Inputs& x, std::span<const std::uint8_t> z, int folds, std::uint64_t seed,
                                               int threads);

// The same models, kept for further rows. All have the number of rounds with the lowest total validation loss.
struct CrossFittedClassifier {
  Forest forest;                // one output per model
  std::vector<double> base;     // of each model, added to the margin of the forest
  std::vector<double> margins;  // of every row, log(p / (1 − p)), from the model that was not trained on it
};
CrossFittedClassifier cross_fitted_classifier(const Inputs& x, std::span<const std::uint8_t> z, int folds, std::uint64_t seed,
                                              int threads);

}  // namespace taut
