#include <taut/task/several/row_subset.hpp>

namespace taut {

namespace {

// `groups`: of each row, or empty.
void restrict_rows(Rows& rows, std::vector<TrainingPart>& parts, Rows& groups, const std::function<Rows(const Rows&)>& kept) {
  const Rows left = kept(rows);
  if (left.size() == rows.size()) return;
  std::vector<Index> before = {0};  // by position: the number of rows before it that are kept
  for (const Index row : rows) {
    const auto count = static_cast<std::size_t>(before.back());
    const bool is_kept = count < left.size() && left[count] == row;
    if (is_kept && !groups.empty()) groups[count] = groups[before.size() - 1];
    before.push_back(before.back() + (is_kept ? 1 : 0));
  }
  const auto at = [&](Index position) { return before[static_cast<std::size_t>(position)]; };
  for (TrainingPart& part : parts) part = {at(part.rows), at(part.begin), at(part.end), part.gap};
  std::erase_if(parts, [](const TrainingPart& part) { return part.validation_rows() == 0; });
  if (!groups.empty()) groups.resize(left.size());
  rows = left;
}

}  // namespace

RowPlan restricted(const RowPlan& plan, const std::function<Rows(const Rows&)>& kept) {
  RowPlan result = plan;
  Rows none;
  restrict_rows(result.predictor, result.folds, result.groups, kept);
  restrict_rows(result.transform, result.parts, none, kept);
  return result;
}

}  // namespace taut
