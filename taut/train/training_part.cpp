#include <taut/train/training_part.hpp>

namespace taut {

Rows TrainingPart::validation() const {
  Rows result = all_rows(validation_rows());
  for (Index& row : result) row += begin;
  return result;
}

Rows TrainingPart::train() const {
  Rows result = all_rows(rows);
  result.erase(result.begin() + begin, result.begin() + end);
  return result;
}

}  // namespace taut
