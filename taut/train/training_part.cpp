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

std::vector<TrainingPart> equal_parts(Index rows, Index count) {
  std::vector<TrainingPart> parts;
  for (Index part = 0; part < count; ++part) parts.push_back({rows, part * rows / count, (part + 1) * rows / count});
  return parts;
}

}  // namespace taut
