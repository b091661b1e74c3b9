// A candidate for g in the making.
#pragma once

#include <taut/train/localization.hpp>
#include <taut/train/trainer.hpp>

namespace taut {

struct Candidate {
  std::string name;
  Localization localization;            // of its members only those are trained that validation needs, until it is chosen
  std::vector<TrainingRecord> records;  // of the last stage, one per member
  Matrix held_out;                      // g on the validation rows, each from the member that did not train on it
  double validation_loss = infinity;
};

}  // namespace taut
