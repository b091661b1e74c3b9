#include <taut/train/training_part.hpp>

#include <algorithm>

namespace taut {

Rows TrainingPart::validation() const {
  Rows result = all_rows(validation_rows());
  for (Index& row : result) row += begin;
  return result;
}

Rows TrainingPart::train() const {
  Rows result = all_rows(rows);
  result.erase(result.begin() + std::max<Index>(0, begin - gap), result.begin() + std::min(rows, end + gap));
  return result;
}

Index count_validation_rows(std::span<const TrainingPart> parts) {
  Index count = 0;
  for (const TrainingPart& part : parts) count += part.validation_rows();
  return count;
}

std::vector<TrainingPart> equal_parts(Index rows, Index count, Index gap) {
  std::vector<TrainingPart> parts;
  for (Index part = 0; part < count; ++part) parts.push_back({rows, part * rows / count, (part + 1) * rows / count, gap});
  return parts;
}

}  // namespace taut
