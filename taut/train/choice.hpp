// Which candidate is kept.
#pragma once

#include <span>
#include <string>

namespace taut {

// One candidate as validation rows saw it.
struct CandidateRecord {
  std::string name;
  int sides = 1;
  double validation_loss = 0;  // the mean width at the focus level, else what the objective is compared by
  bool kept = false;
  std::string transform{};
  double standard_error = 0;  // of the difference from the best simpler class, where classes compete
};

// The candidate with the least loss, where each must be better than the best before it by its lead. The first, `fixed`, is kept
// where none is.
struct Contender {
  double validation_loss = 0;
  double lead = 0;
};
std::size_t choose(std::span<const Contender> contenders);

// Keeps `richer` instead of `simpler` only where its loss is smaller by more than the standard error of the difference; that is
// paired over groups of validation rows, and infinite where there are too few of them to tell.
struct ClassLoss {
  double validation_loss = 0;
  std::span<const double> of_groups{};
};
double standard_error(const ClassLoss& richer, const ClassLoss& simpler);
bool is_clearly_better(const ClassLoss& richer, const ClassLoss& simpler);

}  // namespace taut
