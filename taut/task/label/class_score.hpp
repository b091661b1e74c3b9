// The nonconformity score a(x, y) of a label y at x, from the probabilities of all labels. A set contains the labels whose score
// is at most a cut-off.
#pragma once

#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>

#include <span>

namespace taut {

class ClassScore {
 public:
  virtual ~ClassScore() = default;

  // The scores of all labels, between 0 and top(). `uniform`: the row's random number from [0, 1), for randomised scores.
  virtual void scores(std::span<const double> p, double uniform, std::span<double> out) const = 0;
  virtual double top(Index classes) const;
  virtual bool draws() const { return false; }
};

Registry<ClassScore>& class_scores();

// Sorts the labels by probability, the most probable first. Ties keep their order.
void by_probability(std::span<const double> p, std::span<Index> order);

}  // namespace taut
