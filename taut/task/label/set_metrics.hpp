// How good sets and probabilities are, on rows whose labels are known.
#pragma once

#include <taut/task/label/classifier.hpp>

namespace taut {

// Sets of one level.
struct JudgedSets {
  const PredictedSets& sets;
  std::size_t level;
  std::span<const Index> labels;  // sets.classes() for a label that the model does not know, which no set holds
  const Inputs* x = nullptr;      // standardised inputs; null where there are none
  Index calibration_rows = 0, rank = 0, last_rank = 0;
  std::uint64_t seed = 0;
  int threads = 0;
  std::optional<Band> band = {};  // of the coverage, where it is not that of rows and rank

  bool covered(Index row) const;
  JudgedRegions regions() const;
};

// coverage with its band, mean_size, median_size, singletons, correct_singletons, empty, full, and those of intervals that make
// sense for sets: least coverage over a slab and over sizes, ert.
Figures set_metrics(const JudgedSets& judged);
// A line for --help and for people about one of them; also of probability_metrics.
std::string_view set_metric_summary(std::string_view name);

// accuracy, log_loss, brier, calibration_error, and the calibration error that right probabilities would have at most, 99 times
// in 100.
Figures probability_metrics(const Matrix& p, std::span<const Index> labels, std::uint64_t seed);

std::vector<CoverageLine> lines_by_label(const JudgedSets& judged, const std::vector<std::string>& names);
std::vector<CoverageLine> lines_by_size(const JudgedSets& judged);
Matrix set_confusion(const JudgedSets& judged);

}  // namespace taut
