#include <taut/task/several/row_subset.hpp>

namespace taut {

namespace {

void restrict_rows(Rows& rows, std::vector<TrainingPart>& parts, const std::function<Rows(const Rows&)>& kept) {
  const Rows left = kept(rows);
  if (left.size() == rows.size()) return;
  std::vector<Index> before = {0};  // by position: the number of rows before it that are kept
  for (const Index row : rows) {
    const auto count = static_cast<std::size_t>(before.back());
    before.push_back(before.back() + (count < left.size() && left[count] == row ? 1 : 0));
  }
  const auto at = [&](Index position) { return before[static_cast<std::size_t>(position)]; };
  for (TrainingPart& part : parts) part = {at(part.rows), at(part.begin), at(part.end), part.gap};
  std::erase_if(parts, [](const TrainingPart& part) { return part.validation_rows() == 0; });
  rows = left;
}

}  // namespace

RowPlan restricted(const RowPlan& plan, const std::function<Rows(const Rows&)>& kept) {
  RowPlan result = plan;
  restrict_rows(result.predictor, result.folds, kept);
  restrict_rows(result.transform, result.parts, kept);
  return result;
}

}  // namespace taut
