#include <taut/report/sample.hpp>

#include <taut/calibrate/row_score.hpp>
#include <taut/core/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

// Quantiles move fastest at high levels.
constexpr std::array knot_levels = {0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99};

}  // namespace

Table chosen_rows(const Regressor& model, const TableView& test, const Rows& rows) {
  const std::vector<Column> schema = model.prediction_schema();
  const TableView view = test.matched(schema);
  Table table{test.source(), schema, Matrix(static_cast<Index>(rows.size()), static_cast<Index>(schema.size())), {}};
  for (std::size_t i = 0; i < rows.size(); ++i) view.copy_row(rows[i], table.values.row(static_cast<Index>(i)).data());
  return table;
}

double log_factor_of(const Regressor& model, double score) {
  const Transform& transform = model.transform();
  std::vector<double> g(static_cast<std::size_t>(transform.n_params()) + 1);
  transform.initial(g.data());
  return std::log(transform.half_width(score, g.data())) - transform.log_scale(g.data());
}

namespace {

Interval closed_interval(const Sample& sample, const TestRows& rows, std::size_t i, std::size_t level) {
  const double f = rows.f[static_cast<std::size_t>(sample.rows[i])];
  const auto row = static_cast<Index>(i);
  const auto scaled = transforms().make("exp");
  double below = 0, above = 0;
  scaled->params_of_log_scale(sample.log_scale(row, 0), &below);
  scaled->params_of_log_scale(sample.log_scale(row, sample.log_scale.cols() - 1), &above);
  return RowScore{f, 1, *scaled, &below, &above}.at_most(sample.log_factor[level], rows.range());
}

// The page computes intervals by itself only where that gives the same as predict_interval.
bool closed_form_holds(const Sample& sample, const TestRows& rows, const Predicted& predicted) {
  const FitOptions& options = rows.model.options();
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    for (std::size_t level = 0; level < predicted.levels.size(); ++level) {
      const Interval truth = predicted.at(static_cast<Index>(i), level);
      const Interval ours = closed_interval(sample, rows, i, level);
      if (!truth.finite() || truth.empty()) {
        if (truth.lower == ours.lower && truth.upper == ours.upper) continue;
        return false;
      }
      const double tolerance = 1e-9 * (truth.width() + std::abs(truth.lower) + std::abs(truth.upper)) + options.y_step;
      if (!(std::abs(truth.lower - ours.lower) <= tolerance && std::abs(truth.upper - ours.upper) <= tolerance)) return false;
    }
  }
  return true;
}

void tabulate(Sample& sample, const TestRows& rows, const Predicted& predicted) {
  const auto& levels = predicted.levels;
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const bool at_end = level == 0 || level + 1 == levels.size();
    const bool named = std::any_of(knot_levels.begin(), knot_levels.end(), [&](double knot) { return knot == levels[level]; });
    if (at_end || named) sample.knots.push_back(level);
  }
  const auto count = static_cast<Index>(sample.rows.size()), knots = static_cast<Index>(sample.knots.size());
  sample.below.resize(count, knots);
  sample.above.resize(count, knots);
  for (Index i = 0; i < count; ++i) {
    const double f = rows.f[static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(i)])];
    for (Index k = 0; k < knots; ++k) {
      const Interval& interval = predicted.at(i, sample.knots[static_cast<std::size_t>(k)]);
      sample.below(i, k) = interval.empty() ? -1 : f - interval.lower;
      sample.above(i, k) = interval.empty() ? -1 : interval.upper - f;
    }
  }
}

}  // namespace

Sample draw_sample(const TestRows& rows, const TableView& test, std::span<const double> levels, Index most,
                   const ExecutionContext& context) {
  const Regressor& model = rows.model;
  Sample sample;
  // A stream of its own: the halves of the region search come from the same seed.
  sample.rows = Random(static_cast<std::uint64_t>(model.options().seed)).fork(1).permutation(rows.rows());
  sample.rows.resize(static_cast<std::size_t>(std::min(rows.rows(), most)));
  const Table table = chosen_rows(model, test, sample.rows);
  const Predicted predicted = model.predict_interval(table, levels, context);
  sample.log_scale = model.log_scales(table, context);
  if (sample.log_scale.cols() > 0) {
    for (const double level : levels) sample.log_factor.push_back(log_factor_of(model, model.law().quantile(level)));
    sample.has_closed_form = closed_form_holds(sample, rows, predicted);
  }
  if (!sample.has_closed_form) tabulate(sample, rows, predicted);
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    std::size_t from = levels.size();
    const double y = rows.y[static_cast<std::size_t>(sample.rows[i])];
    while (from > 0 && predicted.at(static_cast<Index>(i), from - 1).contains(y)) --from;
    sample.covered_from.push_back(from);
  }
  return sample;
}

}  // namespace taut
