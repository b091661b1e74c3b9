#include <taut/train/choose_transform.hpp>

#include <cmath>

namespace taut {

namespace {

// Of the mean of a − b over the parts in which both were judged.
double paired_standard_error(const std::vector<double>& a, const std::vector<double>& b) {
  const auto parts = static_cast<double>(a.size());
  if (parts < 2) return infinity;
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += a[k] - b[k];
    squares += (a[k] - b[k]) * (a[k] - b[k]);
  }
  return std::sqrt(std::max(0.0, squares - sum * sum / parts) / (parts - 1) / parts);
}

}  // namespace

ChosenTransform choose_transform(const std::vector<TransformCandidate>& candidates, const InputPool& x,
                                 const Residuals& residuals, const std::vector<TrainingPart>& parts,
                                 const ExecutionContext& context) {
  ChosenTransform best;
  std::vector<CandidateRecord> records;
  for (const auto& candidate : candidates) {
    const auto transform = transforms().make(candidate.transform);
    FittedLocalization fitted = fit_localization(*transform, x, residuals, parts, candidate.plan, context);
    const bool first = records.empty();
    const double error = first ? 0 : paired_standard_error(fitted.figure_of_parts, best.fitted.figure_of_parts);
    const bool better = first || fitted.figure + error < best.fitted.figure;
    for (CandidateRecord& record : fitted.candidates) {
      record.transform = record.name == "fixed" ? record.name : candidate.transform;
      record.standard_error = error;
      record.kept = record.kept && better;
    }
    // One width everywhere is the same whatever the class: it is listed once.
    const auto new_ones = fitted.candidates.begin() + (first ? 0 : 1);
    if (better)
      for (CandidateRecord& record : records) record.kept = false;
    records.insert(records.end(), new_ones, fitted.candidates.end());
    if (better) best = {candidate.transform, std::move(fitted)};
  }
  best.fitted.candidates = std::move(records);
  return best;
}

}  // namespace taut
