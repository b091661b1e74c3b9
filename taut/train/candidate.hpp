// A candidate for g while it is trained and compared.
#pragma once

#include <taut/train/localization.hpp>
#include <taut/train/trainer.hpp>

namespace taut {

struct Candidate {
  std::string name;
  Localization localization;            // only the members that validation needs are trained until it is chosen
  std::vector<TrainingRecord> records;  // of the last stage, one per member
  Matrix held_out;                      // g on the validation rows, each from the member that did not train on it
  double validation_loss = infinity;
  double averaging_gain = 0;  // by how much the mean of all members is expected to be better

  double expected_loss() const { return validation_loss - averaging_gain; }
};

}  // namespace taut
