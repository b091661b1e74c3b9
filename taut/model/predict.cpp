// From rows to predictions and intervals.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/kinds.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/parts.hpp>

#include <cmath>

namespace taut {

std::vector<double> ModelParts::predict(const TableView& table, const TableView& x, RowsView rows, int threads) const {
  if (options.prediction.empty()) return predictor.predict(x, rows, threads);
  if (!function || find_column(table.columns(), options.prediction))
    return numbers_of(table, options.prediction, rows, "prediction");
  const std::vector<double> all = function(x);
  if (std::ssize(all) != x.rows())
    throw Error("the predicting function gave " + std::to_string(all.size()) + " numbers for " + std::to_string(x.rows()) +
                " rows");
  std::vector<double> f;
  for (const Index row : rows) f.push_back(all[static_cast<std::size_t>(row)]);
  return f;
}

SeenByModel ModelParts::see(const TableView& table, Rows rows, int threads) const {
  SeenByModel seen{inputs_of(table), std::move(rows), {}, {}};
  seen.f = predict(table, seen.x, seen.rows, threads);
  seen.g = score.params(seen.x, seen.rows, seen.f, threads);
  return seen;
}

SeenByModel ModelParts::see(const TableView& table, int threads) const { return see(table, all_rows(table), threads); }

std::vector<double> Model::predict(const TableView& table, const ExecutionContext& context) const {
  return parts_->predict(table, parts_->inputs_of(table), all_rows(table), context.threads);
}

Predicted Model::predict_interval(const TableView& table, std::span<const double> levels, const ExecutionContext& context,
                                  std::optional<std::uint64_t> smoothing, Index first_row) const {
  std::vector<double> quantiles;
  for (const double level : levels) quantiles.push_back(law().quantile(level));

  SeenByModel seen = parts_->see(table, context.threads);
  Predicted result{{}, {levels.begin(), levels.end()}, std::vector<Interval>(seen.rows.size() * levels.size())};
  constexpr Index block = 1 << 12;
  parallel_blocks(table.rows(), block, context.threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      const RowScore score = parts_->score.at(seen.f[static_cast<std::size_t>(row)], seen.g.row(row).data());
      // One draw for all levels of a row keeps smoothed intervals nested.
      const double uniform = smoothing ? Random(*smoothing).fork(static_cast<std::uint64_t>(first_row + row)).uniform() : 0;
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const auto q = smoothing ? law().smoothed_quantile(levels[level], uniform) : std::optional(quantiles[level]);
        result.intervals[static_cast<std::size_t>(row) * levels.size() + level] =
            q ? score.at_most(*q, parts_->range) : Interval{infinity, -infinity};
      }
    }
  });
  result.prediction = std::move(seen.f);
  return result;
}

double Model::predict_row(std::span<const double> row, std::span<const double> levels, std::span<Interval> out) const {
  const std::vector<Column>& schema = parts_->schema;
  const bool given = !options().prediction.empty();
  const std::size_t cells = schema.size() + (given ? 1 : 0);
  if (row.size() != cells || out.size() != levels.size())
    throw UsageError("predict_row: expected " + std::to_string(cells) + " cells and one interval for each level");
  for (std::size_t i = 0; i < schema.size(); ++i)
    if (schema[i].is_categorical && !is_code(schema[i], row[i]))
      throw Error("predict_row: the column '" + schema[i].name + "' has no category with the code " + print_number(row[i]) +
                  "; allowed are 0 to " + print_number(schema[i].other_code()) + ", the last for any other value, and NaN");
  const double f = given ? row.back() : parts_->predictor.predict_row(row.data());
  if (!std::isfinite(f)) throw Error("predict_row: the prediction is " + print_number(f) + "; expected is a finite number");
  const Matrix g = parts_->score.params_of_row(row.data(), f);
  const RowScore score = parts_->score.at(f, g.data());
  for (std::size_t level = 0; level < levels.size(); ++level)
    out[level] = score.at_most(law().quantile(levels[level]), parts_->range);
  return f;
}

}  // namespace taut
