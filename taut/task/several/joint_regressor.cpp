#include <taut/task/several/joint_regressor.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/several/joint_answers.hpp>

namespace taut {

namespace {

// The answers of a table at once.
Matrix answered(const Model& model, const TableView& table, const Asking& asking, std::size_t skipped,
                const ExecutionContext& context) {
  const auto answers = model.answering(asking);
  const auto columns = answers->answer(table, context);
  Matrix result(table.rows(), std::ssize(columns) - static_cast<Index>(skipped));
  for (std::size_t column = skipped; column < columns.size(); ++column)
    for (Index row = 0; row < table.rows(); ++row)
      result(row, static_cast<Index>(column - skipped)) = columns[column].numbers[static_cast<std::size_t>(row)];
  return result;
}

}  // namespace

JointRegressor JointRegressor::fit(const TableView& table, const FitOptions& options, const std::string& region,
                                   const ExecutionContext& context, const std::optional<TableView>& calibration,
                                   const std::string& y_range) {
  const TaskOptions own = {{"region", region}, {"y-range", y_range}};
  return JointRegressor(Model::fit(table, options, {std::string(SeveralTask::listed_name), own}, context, calibration));
}

JointRegressor::JointRegressor(Model model) : Model(std::move(model)) { (void)several_task(*parts_); }

std::vector<std::string> JointRegressor::target_names() const { return several_task(*parts_).joint.names; }
const std::string& JointRegressor::region() const { return several_task(*parts_).region_name; }
const std::string& JointRegressor::y_range() const { return several_task(*parts_).options.y_range; }

Matrix JointRegressor::predict(const TableView& table, const ExecutionContext& context) const {
  return JointPredictions(*parts_, table, context).predictions();
}

PredictedBoxes JointRegressor::predict_boxes(const TableView& table, std::span<const double> levels,
                                             const ExecutionContext& context) const {
  PredictedBoxes result;
  const JointPredictions rows(*parts_, table, context, &result.unseen);
  const auto d = static_cast<std::size_t>(several_task(*parts_).targets_count());
  result.prediction = rows.predictions();
  result.levels.assign(levels.begin(), levels.end());
  result.intervals.resize(static_cast<std::size_t>(table.rows()) * levels.size() * d);
  result.volumes.resize(table.rows(), std::ssize(levels));
  rows.for_each_row(levels, [&](Index row, const JointRow& scores, std::span<const RegionAt* const> regions) {
    for (std::size_t level = 0; level < regions.size(); ++level) {
      regions[level]->enclose(
          scores, std::span(result.intervals).subspan((static_cast<std::size_t>(row) * levels.size() + level) * d, d));
      result.volumes(row, static_cast<Index>(level)) = regions[level]->volume(scores);
    }
  });
  return result;
}

PredictedBoxes JointRegressor::predict_each(const TableView& table, std::span<const double> levels,
                                            const ExecutionContext& context) const {
  PredictedBoxes result;
  const JointPredictions rows(*parts_, table, context, &result.unseen);
  const Index d = several_task(*parts_).targets_count();
  if (!EachTarget::is_possible(*parts_))
    throw Error("there are no calibration rows for intervals of each target; calibrate the model first");
  result.prediction = rows.predictions();
  result.levels.assign(levels.begin(), levels.end());
  result.intervals.resize(static_cast<std::size_t>(table.rows()) * levels.size() * static_cast<std::size_t>(d));
  const EachTarget each(*parts_, levels, rows.distributions(), table.rows());
  rows.for_each_row({}, [&](Index row, const JointRow& scores, std::span<const RegionAt* const>) {
    for (std::size_t level = 0; level < levels.size(); ++level)
      for (Index j = 0; j < d; ++j)
        result.intervals[(static_cast<std::size_t>(row) * levels.size() + level) * static_cast<std::size_t>(d) +
                         static_cast<std::size_t>(j)] = each.at(scores, row, j, level);
  });
  return result;
}

ContainedRows JointRegressor::contains(const TableView& table, const Matrix& y, std::span<const double> levels,
                                       const ExecutionContext& context) const {
  const Index d = several_task(*parts_).targets_count();
  if (y.rows() != table.rows() || y.cols() != d)
    throw UsageError(format_text("contains: expected {} x {} targets, got {} x {}", table.rows(), d, y.rows(), y.cols()));
  if (!y.allFinite()) throw UsageError("contains: every target must be a finite number");
  const JointPredictions rows(*parts_, table, context);
  ContainedRows result{Matrix(table.rows(), std::ssize(levels)), std::vector<double>(static_cast<std::size_t>(table.rows()))};
  rows.for_each_row(levels, [&](Index row, const JointRow& scores, std::span<const RegionAt* const> regions) {
    const RowTarget own(y.row(row).data(), static_cast<std::size_t>(d));
    const double score = rows.seen().score(row, own, 0).score;
    const ScoreDistribution distribution = rows.distributions()[row];
    for (std::size_t level = 0; level < levels.size(); ++level)
      result.contained(row, static_cast<Index>(level)) =
          rows.holds(scores, *regions[level], own, score, distribution.quantile(levels[level])) ? 1 : 0;
    result.p_value[static_cast<std::size_t>(row)] = rows.p_value(row, scores, own);
  });
  return result;
}

Matrix JointRegressor::sample(const TableView& table, Index count, std::uint64_t seed, const ExecutionContext& context) const {
  const Asking asking{.questions = {"samples:" + std::to_string(count)}, .seed = seed};
  return answered(*this, table, asking, target_names().size(), context);
}

Matrix JointRegressor::quantiles_of_sum(const TableView& table, const std::string& sum, std::span<const double> quantiles,
                                        const ExecutionContext& context) const {
  Asking asking{.sum = sum};
  for (const double p : quantiles) asking.questions.push_back("quantile:" + print_number(p));
  return answered(*this, table, asking, target_names().size() + 1, context);
}

Matrix JointRegressor::quantiles_of_sum(const TableView& table, std::span<const double> weights,
                                        std::span<const double> quantiles, const ExecutionContext& context) const {
  Asking asking{.sum_weights = {weights.begin(), weights.end()}};
  for (const double p : quantiles) asking.questions.push_back("quantile:" + print_number(p));
  return answered(*this, table, asking, target_names().size() + 1, context);
}

SeveralEvaluation JointRegressor::evaluate(const TableView& table, std::span<const double> levels,
                                           const ExecutionContext& context, const std::vector<std::string>& by) const {
  return std::move(static_cast<SeveralEvaluation&>(*Model::evaluate(table, levels, context, by)));
}

}  // namespace taut
