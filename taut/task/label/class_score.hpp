// a(x, y): how strange the label y is at x, given the probabilities of all labels. A set holds the labels up to a cut-off.
#pragma once

#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>

#include <span>

namespace taut {

class ClassScore {
 public:
  virtual ~ClassScore() = default;

  // The scores of all labels, between 0 and top(). `uniform` is the row's draw from [0, 1), for scores that draw.
  virtual void scores(std::span<const double> p, double uniform, std::span<double> out) const = 0;
  virtual double top(Index classes) const;
  virtual bool draws() const { return false; }
};

Registry<ClassScore>& class_scores();

// Positions from the most probable label on, equal ones in their order.
void by_probability(std::span<const double> p, std::span<Index> order);

}  // namespace taut
