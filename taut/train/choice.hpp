// Which candidate is kept.
#pragma once

#include <span>
#include <string>

namespace taut {

// One candidate and its validation loss, for the model file and the user.
struct CandidateRecord {
  std::string name;
  int sides = 1;
  double validation_loss = 0;  // the mean width at the focus level, else what the objective is compared by
  bool kept = false;
  std::string transform{};
  double standard_error = 0;  // of the difference from the best simpler class, where classes compete
};

// The position of the least loss. The first, that of `fixed`, is kept where none is smaller.
std::size_t choose(std::span<const double> losses);

struct ClassLoss {
  double validation_loss = 0;
  std::span<const double> of_groups{};  // the losses of groups of validation rows, the same groups for all classes
};
// Of the difference, paired over the groups; infinite where there are fewer than two.
double standard_error(const ClassLoss& richer, const ClassLoss& simpler);
// Whether the loss of `richer` is smaller by more than the standard error of the difference.
bool is_clearly_better(const ClassLoss& richer, const ClassLoss& simpler);

}  // namespace taut
