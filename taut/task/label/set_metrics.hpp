// Metrics of prediction sets and probabilities on rows with known labels.
#pragma once

#include <taut/task/label/classifier.hpp>

namespace taut {

// Sets of one level.
struct EvaluatedSets {
  const PredictedSets& sets;
  std::size_t level;
  std::span<const Index> labels;  // sets.classes() for an unknown label, which is in no set
  const Inputs* x = nullptr;      // standardised inputs; null if there are none
  Index calibration_rows = 0, rank = 0, last_rank = 0;
  std::uint64_t seed = 0;
  int threads = 0;
  std::optional<Band> band = {};  // of the coverage; empty: computed from the numbers of rows and the rank

  bool covered(Index row) const;
  EvaluatedRegions regions() const;
};

// coverage with its band, mean_size, median_size, singletons, correct_singletons, empty, completed, full, and the metrics of
// intervals that apply to sets: lowest coverage over slabs and over sizes, ert.
Figures set_metrics(const EvaluatedSets& judged);
// A line that explains a metric of set_metrics() or probability_metrics().
std::string_view set_metric_summary(std::string_view name);

// accuracy, log_loss, brier, calibration_error, and the 99 % quantile of the calibration error of correct probabilities,
// estimated by simulation with `seed`.
Figures probability_metrics(const Matrix& p, std::span<const Index> labels, std::uint64_t seed);

std::vector<CoverageLine> lines_by_label(const EvaluatedSets& judged, const std::vector<std::string>& names);
std::vector<CoverageLine> lines_by_size(const EvaluatedSets& judged);
Matrix set_confusion(const EvaluatedSets& judged);

}  // namespace taut
