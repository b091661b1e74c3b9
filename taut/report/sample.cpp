#include <taut/report/sample.hpp>

#include <taut/calibrate/row_score.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

// Denser at high levels, where quantiles change fastest.
constexpr std::array knot_levels = {0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.88, 0.9, 0.92, 0.94, 0.95, 0.96, 0.97, 0.98, 0.99};

// log(half-width / scale) at a score. In a scale family it is the same for all rows.
double log_factor_of(const Regressor& model, double score) {
  const Transform& transform = model.transform();
  std::vector<double> g(static_cast<std::size_t>(transform.n_params()) + 1);
  transform.initial(g.data());
  return std::log(transform.half_width(score, g.data())) - transform.log_scale(g.data());
}

Interval closed_interval(const Sample& sample, const TestNumbers& test, std::size_t i, std::size_t level) {
  const double f = test.f[static_cast<std::size_t>(sample.rows[i])];
  const auto row = static_cast<Index>(i);
  const auto scaled = transforms().make("exp");
  double below = 0, above = 0;
  scaled->params_of_log_scale(sample.log_scale(row, 0), &below);
  scaled->params_of_log_scale(sample.log_scale(row, sample.log_scale.cols() - 1), &above);
  return RowScore{f, 1, *scaled, &below, &above}.at_most(sample.log_factor[level], test.model.target_range());
}

// The page may compute intervals itself only if the result agrees with predict_interval.
bool closed_form_holds(const Sample& sample, const TestNumbers& test, const Predicted& predicted) {
  const FitOptions& options = test.model.options();
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    for (std::size_t level = 0; level < predicted.levels.size(); ++level) {
      const Interval truth = predicted.at(static_cast<Index>(i), level);
      const Interval ours = closed_interval(sample, test, i, level);
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

void tabulate(Sample& sample, const TestNumbers& test, const Predicted& predicted) {
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
    const double f = test.f[static_cast<std::size_t>(sample.rows[static_cast<std::size_t>(i)])];
    for (Index k = 0; k < knots; ++k) {
      const Interval& interval = predicted.at(i, sample.knots[static_cast<std::size_t>(k)]);
      sample.below(i, k) = interval.empty() ? -1 : f - interval.lower;
      sample.above(i, k) = interval.empty() ? -1 : interval.upper - f;
    }
  }
}

std::vector<double> picked(std::span<const double> all, const Rows& rows, std::size_t count) {
  std::vector<double> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(all[static_cast<std::size_t>(rows[i])]);
  return result;
}

Json columns_json(const Matrix& matrix, std::size_t rows, int digits) {
  Json json = Json::array();
  for (Index column = 0; column < matrix.cols(); ++column) {
    Json values = Json::array();
    for (std::size_t row = 0; row < rows; ++row) values.push_back(rounded_json(matrix(static_cast<Index>(row), column), digits));
    json.push_back(std::move(values));
  }
  return json;
}

}  // namespace

Table chosen_rows(const Regressor& model, const TableView& test, const Rows& rows) {
  const std::vector<Column> schema = model.prediction_schema();
  const TableView view = test.matched(schema);
  Table table{test.source(), schema, Matrix(static_cast<Index>(rows.size()), static_cast<Index>(schema.size())), {}};
  for (std::size_t i = 0; i < rows.size(); ++i) view.copy_row(rows[i], table.values.row(static_cast<Index>(i)).data());
  return table;
}

Sample draw_sample(const TestNumbers& test, std::span<const double> levels, Index maximum, const ExecutionContext& context) {
  const Regressor& model = test.model;
  Sample sample;
  // A separate random stream, because the region search splits rows with the same seed.
  sample.rows = Random(static_cast<std::uint64_t>(model.options().seed)).fork(1).permutation(test.table.rows());
  sample.rows.resize(static_cast<std::size_t>(std::min(test.table.rows(), maximum)));
  const Table table = chosen_rows(model, test.table, sample.rows);
  const Predicted predicted = model.predict_interval(table, levels, context);
  sample.log_scale = model.log_scales(table, context);
  if (sample.log_scale.cols() > 0) {
    for (const double level : levels) sample.log_factor.push_back(log_factor_of(model, model.distribution().quantile(level)));
    sample.has_closed_form = closed_form_holds(sample, test, predicted);
  }
  if (!sample.has_closed_form) tabulate(sample, test, predicted);
  for (std::size_t i = 0; i < sample.rows.size(); ++i) {
    std::size_t from = levels.size();
    const double y = test.y[static_cast<std::size_t>(sample.rows[i])];
    while (from > 0 && predicted.at(static_cast<Index>(i), from - 1).contains(y)) --from;
    sample.covered_from.push_back(from);
  }
  return sample;
}

Json sample_json(const TestNumbers& test, const Sample& sample, std::size_t count) {
  Json numbers = Json::array(), from = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(sample.rows[i] + 1);
    from.push_back(sample.covered_from[i]);
  }
  Json json = {{"row", numbers},
               {"y", rounded_json_of(picked(test.y, sample.rows, count), 7)},
               {"f", rounded_json_of(picked(test.f, sample.rows, count), 7)},
               {"covered_from", from}};
  if (sample.has_closed_form) {
    json["log_factor"] = rounded_json_of(sample.log_factor, 9);
    json["log_scale"] = columns_json(sample.log_scale, count, 7);
  } else {
    json["knots"] = exact_json_of(sample.knots);
    json["below"] = columns_json(sample.below, count, 4);
    json["above"] = columns_json(sample.above, count, 4);
  }
  return json;
}

namespace {

constexpr std::size_t max_tabulated = 200;  // as many rows as the chart of intervals shows
// Few levels, to keep the page below 1 MB. They include the quantiles 1, 5 and 10 %.
constexpr std::array distribution_levels = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

std::optional<ScaledBound> scaled(const Regressor& model, const std::optional<SignedScore>& t) {
  if (!t) return {};
  return ScaledBound{t->side, log_factor_of(model, t->score)};
}

double closed_bound(const std::optional<ScaledBound>& bound, double f, const Sample& sample, Index row, double none) {
  if (!bound) return none;
  const bool is_above = bound->side == Side::above;
  const double reach = std::exp(bound->log_factor + sample.log_scale(row, is_above ? sample.log_scale.cols() - 1 : 0));
  return is_above ? f + reach : f - reach;
}

// The lower and the upper bound at every level: two columns for each level.
Answers bounds_of(const Regressor& model, const Table& table, std::span<const double> levels, const ExecutionContext& context) {
  std::vector<std::unique_ptr<Question>> asked;
  for (const double level : levels)
    for (const char* side : {"lower:", "upper:"}) asked.push_back(questions().make(side + print_number(level)));
  return model.ask(table, asked, {}, context);
}

// The page may compute bounds itself only if the result agrees with the answers of the model.
bool bounds_agree(const DistributionSample& distribution, const Sample& sample, const TestNumbers& test, const Answers& answers) {
  const TargetRange& range = test.model.target_range();
  for (Index row = 0; row < answers.values.rows(); ++row)
    for (std::size_t level = 0; level < distribution.upper.size(); ++level) {
      const double f = answers.prediction[static_cast<std::size_t>(row)];
      const auto column = static_cast<Index>(2 * level);
      const double ours[] = {range.lowest_possible(closed_bound(distribution.lower[level], f, sample, row, -infinity)),
                             range.highest_possible(closed_bound(distribution.upper[level], f, sample, row, infinity))};
      for (const Index side : {0, 1}) {
        const double truth = answers.values(row, column + side), own = ours[side];
        const double tolerance = 1e-9 * (std::abs(truth) + std::abs(f)) + test.model.options().y_step;
        if (!(truth == own || std::abs(truth - own) <= tolerance)) return false;
      }
    }
  return true;
}

void tabulate(DistributionSample& distribution, std::span<const double> levels, const Answers& answers) {
  for (std::size_t level = 0; level < levels.size(); ++level)
    if (std::find(distribution_levels.begin(), distribution_levels.end(), levels[level]) != distribution_levels.end())
      distribution.knots.push_back(level);
  const auto rows = answers.values.rows(), knots = static_cast<Index>(distribution.knots.size());
  distribution.lower_from_f.resize(rows, knots);
  distribution.upper_from_f.resize(rows, knots);
  for (Index row = 0; row < rows; ++row)
    for (Index knot = 0; knot < knots; ++knot) {
      const double f = answers.prediction[static_cast<std::size_t>(row)];
      const auto column = static_cast<Index>(2 * distribution.knots[static_cast<std::size_t>(knot)]);
      distribution.lower_from_f(row, knot) = answers.values(row, column) - f;
      distribution.upper_from_f(row, knot) = answers.values(row, column + 1) - f;
    }
}

// [side, log factor] of each level: side 0 is below f, 1 above; null if there are too few calibration rows.
Json bounds_json(const std::vector<std::optional<ScaledBound>>& bounds) {
  Json json = Json::array();
  for (const auto& bound : bounds)
    json.push_back(bound ? Json{static_cast<int>(bound->side), rounded_json(bound->log_factor, 9)} : Json());
  return json;
}

}  // namespace

DistributionSample draw_distribution(const TestNumbers& test, const Sample& sample, std::span<const double> levels,
                                     const ExecutionContext& context) {
  const Regressor& model = test.model;
  DistributionSample distribution;
  distribution.is_known = model.distribution().has_sides() && model.distribution().rows() > 0;
  if (!distribution.is_known) return distribution;
  const RowsView first = RowsView(sample.rows).first(std::min(max_tabulated, sample.rows.size()));
  const Answers answers = bounds_of(model, chosen_rows(model, test.table, {first.begin(), first.end()}), levels, context);
  if (sample.has_closed_form) {
    for (const double level : levels) {
      distribution.lower.push_back(scaled(model, model.distribution().lower(level)));
      distribution.upper.push_back(scaled(model, model.distribution().upper(level)));
    }
    distribution.has_closed_form = bounds_agree(distribution, sample, test, answers);
  }
  if (!distribution.has_closed_form) tabulate(distribution, levels, answers);
  return distribution;
}

Json distribution_json(const DistributionSample& distribution, std::size_t count) {
  if (!distribution.is_known) return {};
  if (distribution.has_closed_form)
    return {{"lower", bounds_json(distribution.lower)}, {"upper", bounds_json(distribution.upper)}};
  const std::size_t rows = std::min(count, static_cast<std::size_t>(distribution.lower_from_f.rows()));
  return {{"knots", exact_json_of(distribution.knots)},
          {"lower", columns_json(distribution.lower_from_f, rows, 3)},
          {"upper", columns_json(distribution.upper_from_f, rows, 3)}};
}

}  // namespace taut
