// Predictions and intervals of rows.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

std::vector<double> Regressor::predict(const TableView& table, const ExecutionContext& context) const {
  std::vector<double> f = number().predict(table, parts_->inputs_of(table), all_rows(table), context.threads).take_f();
  if (options().exposure.empty()) return f;
  const std::vector<double> of_rows = exposures(table, options().exposure, all_rows(table));
  for (std::size_t i = 0; i < f.size(); ++i) f[i] *= of_rows[i];
  return f;
}

Predicted Regressor::predict_interval(const TableView& table, std::span<const double> levels, const ExecutionContext& context,
                                      std::optional<std::uint64_t> smoothing, Index first_row) const {
  if (!parts_->held_out.empty()) {
    if (smoothing) parts_->require_distribution("smoothing needs");
    return predict_held_out(*parts_, table, all_rows(table), levels, context.threads);
  }
  NumberRows seen = see_numbers(*parts_, table, context.threads);
  Predicted result{{}, {levels.begin(), levels.end()}, std::vector<Interval>(seen.rows.size() * levels.size())};
  const RowDistributions distributions = parts_->distributions_of(table, seen, context.threads, &result.unseen);
  const ScoreDistribution* const shared = distributions.shared();
  const TargetRange& range = target_range();
  const RowUniforms uniforms(smoothing, smoothing ? parts_->keys_of(seen, context.threads) : std::vector<std::uint64_t>(),
                             first_row);
  std::vector<double> quantiles;
  for (const double level : levels) {
    check_confidence(level);
    if (shared != nullptr) quantiles.push_back(shared->quantile(level));
  }

  constexpr Index block = 1 << 12;
  parallel_blocks(table.rows(), block, context.threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const RowScore score = seen.at(row);
      // One random number for all levels of a row keeps smoothed intervals nested.
      const double uniform = smoothing ? uniforms[row] : 0;
      std::optional<ScoreDistribution> own;
      if (shared == nullptr) own = distributions[row];
      const ScoreDistribution& row_distribution = own ? *own : *shared;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const auto q = smoothing           ? row_distribution.smoothed_quantile(levels[level], uniform)
                       : shared != nullptr ? std::optional(quantiles[level])
                                           : std::optional(row_distribution.quantile(levels[level]));
        result.intervals[static_cast<std::size_t>(row) * levels.size() + level] =
            q ? score.at_most(*q, range) : Interval{infinity, -infinity};
      }
    }
  });
  result.prediction = seen.predictions();
  return result;
}

Answers Regressor::ask(const TableView& table, std::span<const std::unique_ptr<Question>> questions, const AskOptions& options,
                       const ExecutionContext& context) const {
  return ask_numbers(*parts_, table, questions, options, context);
}

Answers ask_numbers(const ModelParts& parts, const TableView& table, std::span<const std::unique_ptr<Question>> questions,
                    const AskOptions& options, const ExecutionContext& context) {
  if (!parts.held_out.empty()) return ask_held_out(parts, table, questions, options, context.threads);
  const Asked wanted{.band = options.band};
  Answers result;
  std::vector<Index> first_column;
  for (const auto& question : questions) {
    first_column.push_back(std::ssize(result.columns));
    for (auto& name : question->columns(wanted)) result.columns.push_back(std::move(name));
    if (question->needs_value() && std::ssize(options.values) != table.rows())
      throw UsageError(format_text("ask: a question is about given values, but there are {} for {} rows", options.values.size(),
                                   table.rows()));
    if (question->needs_rows() && parts.distribution.rows() == 0)
      throw Error("there are no calibration rows to sample from; calibrate the model first");
  }
  NumberRows seen = see_numbers(parts, table, context.threads);
  const RowDistributions distributions = parts.distributions_of(table, seen, context.threads, &result.unseen);
  // Keys are needed only for random numbers.
  const bool draws = options.smoothing ||
                     std::any_of(questions.begin(), questions.end(), [](const auto& question) { return question->draws(); });
  std::vector<std::uint64_t> keys;
  if (draws) keys = parts.keys_of(seen, context.threads);
  const RowUniforms uniforms(options.smoothing, keys, options.first_row);
  const bool of_values =
      std::any_of(questions.begin(), questions.end(), [](const auto& question) { return question->asks_fixed_values(); });
  const NumberTask& task = number_task(parts);
  const TargetRange& range = task.range;
  result.values.resize(table.rows(), std::ssize(result.columns));
  constexpr Index block = 1 << 10;
  parallel_blocks(table.rows(), block, context.threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      const auto row_number = static_cast<std::uint64_t>(options.first_row + row);
      Asked asked = wanted;
      // One random number for all levels of a row keeps smoothed intervals nested.
      if (options.smoothing) asked.uniform = uniforms[row];
      if (!options.values.empty()) asked.value = options.values[at];
      // The row number gives equal rows different samples.
      asked.random = keys.empty() ? Random(options.seed).fork(row_number) : Random(options.seed).fork(keys[at]).fork(row_number);
      std::optional<ScoreDistribution> own;
      if (distributions.shared() == nullptr) own = distributions[row];
      const PredictiveDistribution row_distribution(
          own ? *own : *distributions.shared(), seen.at(row), range,
          of_values ? parts.kept.probabilities(distributions.group(row), task.score) : nullptr);
      for (std::size_t q = 0; q < questions.size(); ++q)
        questions[q]->answer(row_distribution, asked, result.values.row(row).data() + first_column[q]);
    }
  });
  result.prediction = seen.predictions();
  return result;
}

PredictedDistribution::PredictedDistribution(ScoreDistribution distribution, const TargetRange& range, const RowScore& score,
                                             Index params, const ValueProbabilities* values)
    : distribution_(std::move(distribution)),
      range_(range),
      values_(values),
      score_(score),
      g_(score.below, score.below + params) {
  const auto to_above = score.above - score.below;
  score_.below = g_.data();
  score_.above = g_.data() + to_above;
  if (const auto& scale = score.scale.of_distribution()) quantiles_.assign(scale->quantiles().begin(), scale->quantiles().end());
}

RowScore PredictedDistribution::score() const {
  RowScore own = score_;
  own.above = g_.data() + (score_.above - score_.below);
  own.below = g_.data();
  if (const auto& scale = own.scale.of_distribution()) own.scale = scale->of(quantiles_);
  return own;
}

// If rows have different distributions, the row is predicted as a table of one row.
ScoreDistribution RowOfNumbers::distribution(std::span<const double> row) const {
  if (!parts.calibration) return parts.distribution;
  if (parts.calibration->is_shared()) return parts.shared_distribution;
  const TableView one = table(row);
  return parts.distributions_of(one, *parts.see(one, 1), 1)[0];
}

Index RowOfNumbers::group(std::span<const double> row) const {
  if (!parts.calibration || parts.calibration->is_shared() || !parts.reader.is_by_group()) return KeptRows::every_row;
  const TableView one = table(row);
  return parts.distributions_of(one, *parts.see(one, 1), 1).group(0);
}

TableView RowOfNumbers::table(std::span<const double> row) const {
  TableView one("a row", 1);
  const std::vector<Column> columns = parts.prediction_schema();
  for (std::size_t i = 0; i < columns.size(); ++i) one.add(columns[i], std::vector<double>{row[i]});
  return one;
}

PredictedDistribution Regressor::distribution_at(std::span<const double> row) const {
  parts_->require_distribution("distribution_at needs");
  const RowOfNumbers one(*parts_, number());
  std::vector<double> own;
  const auto cells = one.checked(row, own);
  RowPredictions own_distribution;
  const RowPrediction predicted = one.predict(cells, own_distribution);
  const ScoreModel& score = number().score;
  const double exposure = one.exposure(cells);
  const Matrix g = score.params_of_row(cells.data(), predicted, exposure);
  return {one.distribution(row), target_range(), score.at(predicted, g.data(), exposure), g.size(),
          parts_->kept.probabilities(one.group(row), score)};
}

std::span<const double> RowOfNumbers::checked(std::span<const double> row, std::vector<double>& own) const {
  const std::size_t given = task.given_columns().size();
  std::vector<Column> further;
  const std::vector<Column>& schema = parts.schema;
  const bool calibrated = parts.calibration != nullptr;
  if (calibrated) further = parts.prediction_schema();
  const std::size_t all = calibrated ? further.size() : schema.size() + given;
  if (row.size() != all) throw UsageError(format_text("a row: expected {} cells, got {}", all, row.size()));
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!schema[i].is_categorical()) continue;
    const Column& known = calibrated ? further[i] : schema[i];
    if (!is_code(known, row[i]))
      throw Error(
          format_text("a row: the column '{}' has no category with the code {}; allowed are 0 to {}, the last for any "
                      "other value, and NaN",
                      known.name, print_number(row[i]), print_number(known.other_code())));
    if (!(row[i] > schema[i].other_code())) continue;
    if (own.empty()) own.assign(row.begin(), row.end());
    own[i] = schema[i].other_code();
  }
  return own.empty() ? row : own;
}

RowPrediction RowOfNumbers::predict(std::span<const double> row, RowPredictions& distribution) const {
  const auto given = static_cast<std::size_t>(task.options.n_prediction_columns());
  row = row.first(parts.schema.size() + given);
  if (given == 0) return task.predictor.predict_row(row.data());
  for (const double value : row.last(given))
    if (!std::isfinite(value))
      throw Error(format_text("a row: the prediction is {}; expected is a finite number", print_number(value)));
  if (const auto& levels = task.score.levels()) {
    const Eigen::Map<const Matrix> cells(row.last(given).data(), 1, static_cast<Index>(given));
    distribution = task.score.limited(distributions_of(levels, !task.options.sample_columns.empty(), cells));
    return distribution[0];
  }
  if (given == 1) return row.back();
  const auto [lower, upper] = std::minmax(row[row.size() - 2], row.back());
  return {lower, upper};
}

double RowOfNumbers::exposure(std::span<const double> row) const {
  if (task.options.exposure.empty()) return 1;
  const double exposure = row[parts.schema.size() + task.given_columns().size() - 1];
  if (exposure > 0 && std::isfinite(exposure)) return exposure;
  throw Error(format_text("a row: the exposure is {}; expected is a finite number above 0", print_number(exposure)));
}

double Regressor::predict_row(std::span<const double> row, std::span<const double> levels, std::span<Interval> out) const {
  if (out.size() != levels.size()) throw UsageError("predict_row: expected one interval for each level");
  const RowOfNumbers one(*parts_, number());
  std::vector<double> own_cells;
  const auto cells = one.checked(row, own_cells);
  RowPredictions own_distribution;
  const RowPrediction predicted = one.predict(cells, own_distribution);
  if (!parts_->held_out.empty()) {
    const Predicted held_out = predict_held_out(*parts_, one.table(row), {0}, levels, 1);
    std::copy(held_out.intervals.begin(), held_out.intervals.end(), out.begin());
    return predicted.f * one.exposure(cells);
  }
  const double exposure = one.exposure(cells);
  const Matrix g = number().score.params_of_row(cells.data(), predicted, exposure);
  const RowScore score = number().score.at(predicted, g.data(), exposure);
  const ScoreDistribution own = one.distribution(row);
  for (std::size_t level = 0; level < levels.size(); ++level)
    out[level] = score.at_most(own.quantile(levels[level]), target_range());
  return predicted.f * exposure;
}

}  // namespace taut
