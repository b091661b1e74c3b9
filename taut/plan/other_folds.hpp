// Other partitions of the training rows of f into folds, for --repeats.
#pragma once

#include <taut/data/split.hpp>

namespace taut {

struct OtherFolds {
  Rows order;                       // positions of the training rows
  std::vector<TrainingPart> folds;  // positions in `order`
};

// The `repeat`-th partition of `rows` training rows into `folds` folds; every row is held out once. `groups`: that of each row,
// or empty; the rows of a group are neighbours and stay in one fold.
OtherFolds other_folds(Index rows, RowsView groups, Index folds, std::uint64_t seed, Index repeat);

// The seed of the predictors that are trained on the `repeat`-th partition.
std::uint64_t seed_of_repeat(std::uint64_t seed, Index repeat);

}  // namespace taut
