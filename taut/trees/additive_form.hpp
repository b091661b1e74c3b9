// What a function of the inputs is made of, where it is a sum that others can take apart: for those who explain it.
#pragma once

#include <taut/core/types.hpp>

#include <memory>
#include <vector>

namespace taut {

class Forest;

// One output of a forest, times a weight.
struct ForestTerm {
  std::shared_ptr<const Forest> forest = {};
  Index output = 0;
  double weight = 1;

  // A forest that belongs to someone else.
  static ForestTerm of(const Forest& forest, Index output = 0) { return {{std::shared_ptr<const Forest>(), &forest}, output}; }
};

// constant + Σ weight · forest(x) + weights · x. Valid as long as what it was asked of is not changed.
struct AdditiveForm {
  double constant = 0;
  std::vector<ForestTerm> forests = {};
  std::vector<double> weights = {};  // of the first inputs, whose means over training rows are 0; the others have none
};

}  // namespace taut
