// Widths and interval scores on validation rows, as a user would see them.
#pragma once

#include <taut/train/objective.hpp>

#include <functional>

namespace taut {

// The smallest of `values` that at least this share of them does not exceed.
double sample_quantile(std::vector<double> values, double confidence);

// The mean full width and the mean interval score at one confidence level, calibrated on the same rows. Used only to choose
// between candidates, on rows that never calibrate the final model.
struct IntervalQuality {
  double width = 0;
  double interval_score = 0;
};

IntervalQuality interval_quality(const ObjectiveRows& rows, double confidence);

// Replaces each number by its sum over all processes that train together.
using SumOverProcesses = std::function<void(std::span<double>)>;

// Mean over the levels .68, .9 and .95 of the log interval score: one number for "good at all levels". With `sum_all` it is the
// same number on every process, that of the rows of all of them: their quantiles are read off a histogram of the conformity
// scores of a scale family, log r − log s, in bins of half a per cent, which is fine enough for choosing.
double mean_log_interval_score(const ObjectiveRows& rows, const SumOverProcesses& sum_all = {});

}  // namespace taut
