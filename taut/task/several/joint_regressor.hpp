// A model of several numeric targets: joint regions, intervals of each target, the joint distribution.
#pragma once

#include <taut/model/model.hpp>
#include <taut/task/several/several_evaluation.hpp>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace taut {

// Boxes of rows for every level: an interval for each target.
struct PredictedBoxes {
  Matrix prediction;  // rows x targets
  std::vector<double> levels;
  std::vector<Interval> intervals;  // rows x levels x targets, row-major
  Matrix volumes;                   // rows x levels: of the regions, which boxes enclose
  UnseenGroups unseen = {};         // rows of groups without calibration rows

  const Interval& at(Index row, std::size_t level, Index target) const {
    const auto d = static_cast<std::size_t>(prediction.cols());
    return intervals[(static_cast<std::size_t>(row) * levels.size() + level) * d + static_cast<std::size_t>(target)];
  }
};

struct ContainedRows {
  Matrix contained;             // rows x levels: 1 where the region holds the targets
  std::vector<double> p_value;  // at most p with a probability of at most p; NaN if the calibration has no ranks (--overlapping)
};

class JointRegressor : public Model {
 public:
  // `options.target` names the targets, separated by commas. `region`: auto, or a name of the list of regions.
  static JointRegressor fit(const TableView& table, const FitOptions& options, const std::string& region = "auto",
                            const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {},
                            const std::string& y_range = "");
  // Throws Error if the model does not predict several targets.
  explicit JointRegressor(Model model);

  std::vector<std::string> target_names() const;
  const std::string& region() const;
  const std::string& y_range() const;

  // f(x) of all targets: rows x targets.
  Matrix predict(const TableView& table, const ExecutionContext& context = {}) const;
  // The joint regions, as the boxes that enclose them. For the region 'box' the box is the region.
  PredictedBoxes predict_boxes(const TableView& table, std::span<const double> levels,
                               const ExecutionContext& context = {}) const;
  // Intervals of single targets, each exact at its own level for that target alone. No volumes.
  PredictedBoxes predict_each(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {}) const;
  // Whether regions contain the targets `y` (rows x targets).
  ContainedRows contains(const TableView& table, const Matrix& y, std::span<const double> levels,
                         const ExecutionContext& context = {}) const;
  // Random values of the joint distribution: rows x (count · targets), sample after sample.
  Matrix sample(const TableView& table, Index count, std::uint64_t seed = 0, const ExecutionContext& context = {}) const;
  // Quantiles of a linear combination, written like "y1 + 2*y2": rows x quantiles.
  Matrix quantiles_of_sum(const TableView& table, const std::string& sum, std::span<const double> quantiles,
                          const ExecutionContext& context = {}) const;
  // The same with a weight for each target.
  Matrix quantiles_of_sum(const TableView& table, std::span<const double> weights, std::span<const double> quantiles,
                          const ExecutionContext& context = {}) const;
  // See Model.
  SeveralEvaluation evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                             const std::vector<std::string>& by = {}) const;

  static JointRegressor load(const std::string& path) { return JointRegressor(Model::load(path)); }
  static JointRegressor from_bytes(std::string_view bytes) { return JointRegressor(Model::from_bytes(bytes)); }
};

}  // namespace taut
