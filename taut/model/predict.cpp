// From rows to predictions and intervals.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/kinds.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/held_out.hpp>
#include <taut/model/row_uniforms.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

RowPredictions ModelParts::predict(const TableView& table, const TableView& x, RowsView rows, int threads) const {
  if (!options.has_given_predictions()) return predictor.predict(x, rows, threads);
  if (!function || find_column(table.columns(), options.prediction)) return predictions_of(table, options, rows);
  const std::vector<double> all = function(x);
  if (std::ssize(all) != x.rows())
    throw Error("the predicting function gave " + std::to_string(all.size()) + " numbers for " + std::to_string(x.rows()) +
                " rows");
  return RowPredictions(pick(all, rows));
}

SeenByModel ModelParts::see(const TableView& table, Rows rows, int threads) const {
  SeenByModel seen{inputs_of(table), std::move(rows), {}, {}};
  seen.predicted = predict(table, seen.x, seen.rows, threads);
  seen.g = score.params(seen.x, seen.rows, seen.predicted, threads);
  return seen;
}

SeenByModel ModelParts::see(const TableView& table, int threads) const { return see(table, all_rows(table), threads); }

std::vector<double> Model::predict(const TableView& table, const ExecutionContext& context) const {
  return parts_->predict(table, parts_->inputs_of(table), all_rows(table), context.threads).take_f();
}

Predicted Model::predict_interval(const TableView& table, std::span<const double> levels, const ExecutionContext& context,
                                  std::optional<std::uint64_t> smoothing, Index first_row) const {
  if (!parts_->held_out.empty()) {
    if (smoothing) parts_->require_law("smoothing needs");
    return predict_held_out(*parts_, table, all_rows(table), levels, context.threads);
  }
  SeenByModel seen = parts_->see(table, context.threads);
  Predicted result{{}, {levels.begin(), levels.end()}, std::vector<Interval>(seen.rows.size() * levels.size())};
  const LawsOfRows laws = parts_->laws_of(table, seen, context.threads, &result.unseen);
  const Law* const shared = laws.shared();
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
      const RowScore score = parts_->score.at(seen.predicted[static_cast<std::size_t>(row)], seen.g.row(row).data());
      // One draw for all levels of a row keeps smoothed intervals nested.
      const double uniform = smoothing ? uniforms[row] : 0;
      std::optional<Law> own;
      if (shared == nullptr) own = laws[row];
      const Law& row_law = own ? *own : *shared;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const auto q = smoothing           ? row_law.smoothed_quantile(levels[level], uniform)
                       : shared != nullptr ? std::optional(quantiles[level])
                                           : std::optional(row_law.quantile(levels[level]));
        result.intervals[static_cast<std::size_t>(row) * levels.size() + level] =
            q ? score.at_most(*q, parts_->range) : Interval{infinity, -infinity};
      }
    }
  });
  result.prediction = std::move(seen.predicted).take_f();
  return result;
}

Answers Model::ask(const TableView& table, std::span<const std::unique_ptr<Question>> questions, const AskOptions& options,
                   const ExecutionContext& context) const {
  if (!parts_->held_out.empty()) return ask_held_out(*parts_, table, questions, options, context.threads);
  const Asked wanted{.band = options.band};
  Answers result;
  std::vector<Index> first_column;
  for (const auto& question : questions) {
    first_column.push_back(std::ssize(result.columns));
    for (auto& name : question->columns(wanted)) result.columns.push_back(std::move(name));
    if (question->needs_value() && std::ssize(options.values) != table.rows())
      throw UsageError("ask: a question is about given values, but there are " + std::to_string(options.values.size()) + " for " +
                       std::to_string(table.rows()) + " rows");
    if (question->needs_rows() && law().rows() == 0)
      throw Error("there are no calibration rows to draw from; calibrate the model first");
  }
  SeenByModel seen = parts_->see(table, context.threads);
  const LawsOfRows laws = parts_->laws_of(table, seen, context.threads, &result.unseen);
  // Only draws ask for keys.
  const bool draws = options.smoothing ||
                     std::any_of(questions.begin(), questions.end(), [](const auto& question) { return question->draws(); });
  std::vector<std::uint64_t> keys;
  if (draws) keys = parts_->keys_of(seen, context.threads);
  const RowUniforms uniforms(options.smoothing, keys, options.first_row);
  const bool of_values =
      std::any_of(questions.begin(), questions.end(), [](const auto& question) { return question->asks_fixed_values(); });
  result.values.resize(table.rows(), std::ssize(result.columns));
  constexpr Index block = 1 << 10;
  parallel_blocks(table.rows(), block, context.threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      const auto number = static_cast<std::uint64_t>(options.first_row + row);
      Asked asked = wanted;
      // One draw a row, whatever the level, keeps smoothed intervals nested.
      if (options.smoothing) asked.uniform = uniforms[row];
      if (!options.values.empty()) asked.value = options.values[at];
      // Rows that are equal have samples of their own; one row a call has others than the next.
      asked.random = keys.empty() ? Random(options.seed).fork(number) : Random(options.seed).fork(keys[at]).fork(number);
      std::optional<Law> own;
      if (laws.shared() == nullptr) own = laws[row];
      const RowLaw row_law(own ? *own : *laws.shared(), parts_->score.at(seen.predicted[at], seen.g.row(row).data()),
                           parts_->range, of_values ? parts_->probabilities_of(laws.group(row)) : nullptr);
      for (std::size_t q = 0; q < questions.size(); ++q)
        questions[q]->answer(row_law, asked, result.values.row(row).data() + first_column[q]);
    }
  });
  result.prediction = std::move(seen.predicted).take_f();
  return result;
}

PredictedLaw::PredictedLaw(Law law, const TargetRange& range, const RowScore& score, Index params,
                           const ValueProbabilities* values)
    : law_(std::move(law)), range_(range), values_(values), score_(score), g_(score.below, score.below + params) {
  const auto to_above = score.above - score.below;
  score_.below = g_.data();
  score_.above = g_.data() + to_above;
}

RowScore PredictedLaw::score() const {
  RowScore own = score_;
  own.above = g_.data() + (score_.above - score_.below);
  own.below = g_.data();
  return own;
}

// Where rows have laws of their own, as a table of one row.
Law ModelParts::law_of_row(std::span<const double> row) const {
  if (!calibration) return law;
  if (calibration->is_shared()) return shared_law;
  const TableView table = table_of_row(row);
  return laws_of(table, see(table, 1), 1)[0];
}

Index ModelParts::group_of_row(std::span<const double> row) const {
  if (!calibration || calibration->is_shared() || reader.kind() != "by-group") return KeptRows::every_row;
  const TableView table = table_of_row(row);
  return laws_of(table, see(table, 1), 1).group(0);
}

TableView ModelParts::table_of_row(std::span<const double> row) const {
  TableView table("a row", 1);
  const std::vector<Column> columns = prediction_schema();
  for (std::size_t i = 0; i < columns.size(); ++i) table.add(columns[i], std::vector<double>{row[i]});
  return table;
}

PredictedLaw Model::law_at(std::span<const double> row) const {
  parts_->require_law("law_at needs");
  std::vector<double> own;
  const auto cells = parts_->checked_row(row, own);
  const RowPrediction predicted = parts_->predict_row(cells);
  const Matrix g = parts_->score.params_of_row(cells.data(), predicted);
  return {parts_->law_of_row(row), parts_->range, parts_->score.at(predicted, g.data()), g.size(),
          parts_->probabilities_of(parts_->group_of_row(row))};
}

std::span<const double> ModelParts::checked_row(std::span<const double> row, std::vector<double>& own) const {
  const auto given = static_cast<std::size_t>(options.n_prediction_columns());
  std::vector<Column> further;
  if (calibration) further = prediction_schema();
  const std::size_t all = calibration ? further.size() : schema.size() + given;
  if (row.size() != all) throw UsageError("a row: expected " + std::to_string(all) + " cells, got " + std::to_string(row.size()));
  for (std::size_t i = 0; i < schema.size(); ++i) {
    if (!schema[i].is_categorical()) continue;
    const Column& known = calibration ? further[i] : schema[i];
    if (!is_code(known, row[i]))
      throw Error("a row: the column '" + known.name + "' has no category with the code " + print_number(row[i]) +
                  "; allowed are 0 to " + print_number(known.other_code()) + ", the last for any other value, and NaN");
    if (!(row[i] > schema[i].other_code())) continue;
    if (own.empty()) own.assign(row.begin(), row.end());
    own[i] = schema[i].other_code();
  }
  return own.empty() ? row : own;
}

RowPrediction ModelParts::predict_row(std::span<const double> row) const {
  const auto given = static_cast<std::size_t>(options.n_prediction_columns());
  row = row.first(schema.size() + given);
  if (given == 0) return predictor.predict_row(row.data());
  for (const double value : row.last(given))
    if (!std::isfinite(value)) throw Error("a row: the prediction is " + print_number(value) + "; expected is a finite number");
  if (given == 1) return row.back();
  const auto [lower, upper] = std::minmax(row[row.size() - 2], row.back());
  return {lower, upper};
}

double Model::predict_row(std::span<const double> row, std::span<const double> levels, std::span<Interval> out) const {
  if (out.size() != levels.size()) throw UsageError("predict_row: expected one interval for each level");
  std::vector<double> own_cells;
  const auto cells = parts_->checked_row(row, own_cells);
  const RowPrediction predicted = parts_->predict_row(cells);
  if (!parts_->held_out.empty()) {
    const Predicted held_out = predict_held_out(*parts_, parts_->table_of_row(row), {0}, levels, 1);
    std::copy(held_out.intervals.begin(), held_out.intervals.end(), out.begin());
    return predicted.f;
  }
  const Matrix g = parts_->score.params_of_row(cells.data(), predicted);
  const RowScore score = parts_->score.at(predicted, g.data());
  const Law own = parts_->law_of_row(row);
  for (std::size_t level = 0; level < levels.size(); ++level)
    out[level] = score.at_most(own.quantile(levels[level]), parts_->range);
  return predicted.f;
}

}  // namespace taut
