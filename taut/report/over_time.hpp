// A model's intervals or sets along time: what a stream that learns from each row did, and what those that stay did.
#pragma once

#include <taut/task/label/classifier.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/model/stream_report.hpp>

namespace taut {

struct OverTime {
  StreamReport learning, staying;  // of the same rows and levels; the width of a set is its size
  // The last rows: targets, predictions, and the intervals of the stream, a list for each level. None of sets.
  Rows rows;
  std::vector<double> y, f;
  std::vector<std::vector<Interval>> intervals;
};

// The model itself learns nothing.
OverTime over_time(const Regressor& model, const TableView& test, std::span<const double> levels, const StreamOptions& options,
                   const ExecutionContext& context);
OverTime over_time(const Classifier& model, const TableView& test, std::span<const double> levels, const StreamOptions& options,
                   const ExecutionContext& context);

}  // namespace taut
