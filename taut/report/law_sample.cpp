#include <taut/report/law_sample.hpp>

#include <taut/calibrate/row_score.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr std::size_t most_tabulated = 200;  // rows: as many as the picture of intervals shows
// Few, because a page stays below 1 MB; 1, 5 and 10 percent are among them.
constexpr std::array law_levels = {0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99};

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

// Lower and upper bounds at every level in turn, two columns for each.
Answers bounds_of(const Regressor& model, const Table& table, std::span<const double> levels, const ExecutionContext& context) {
  std::vector<std::unique_ptr<Question>> asked;
  for (const double level : levels)
    for (const char* side : {"lower:", "upper:"}) asked.push_back(questions().make(side + print_number(level)));
  return model.ask(table, asked, {}, context);
}

// The page computes bounds by itself only where that gives the same as predict.
bool bounds_agree(const LawSample& law, const Sample& sample, const TestRows& rows, const Answers& answers) {
  const TargetRange& range = rows.range();
  for (Index row = 0; row < answers.values.rows(); ++row)
    for (std::size_t level = 0; level < law.upper.size(); ++level) {
      const double f = answers.prediction[static_cast<std::size_t>(row)];
      const auto column = static_cast<Index>(2 * level);
      const double ours[] = {range.lowest_possible(closed_bound(law.lower[level], f, sample, row, -infinity)),
                             range.highest_possible(closed_bound(law.upper[level], f, sample, row, infinity))};
      for (const Index side : {0, 1}) {
        const double truth = answers.values(row, column + side), own = ours[side];
        const double tolerance = 1e-9 * (std::abs(truth) + std::abs(f)) + rows.model.options().y_step;
        if (!(truth == own || std::abs(truth - own) <= tolerance)) return false;
      }
    }
  return true;
}

void tabulate(LawSample& law, std::span<const double> levels, const Answers& answers) {
  for (std::size_t level = 0; level < levels.size(); ++level)
    if (std::find(law_levels.begin(), law_levels.end(), levels[level]) != law_levels.end()) law.knots.push_back(level);
  const auto rows = answers.values.rows(), knots = static_cast<Index>(law.knots.size());
  law.lower_from_f.resize(rows, knots);
  law.upper_from_f.resize(rows, knots);
  for (Index row = 0; row < rows; ++row)
    for (Index knot = 0; knot < knots; ++knot) {
      const double f = answers.prediction[static_cast<std::size_t>(row)];
      const auto column = static_cast<Index>(2 * law.knots[static_cast<std::size_t>(knot)]);
      law.lower_from_f(row, knot) = answers.values(row, column) - f;
      law.upper_from_f(row, knot) = answers.values(row, column + 1) - f;
    }
}

}  // namespace

LawSample draw_law(const TestRows& rows, const TableView& test, const Sample& sample, std::span<const double> levels,
                   const ExecutionContext& context) {
  const Regressor& model = rows.model;
  LawSample law;
  law.is_known = model.law().has_sides() && model.law().rows() > 0;
  if (!law.is_known) return law;
  const RowsView first = RowsView(sample.rows).first(std::min(most_tabulated, sample.rows.size()));
  const Answers answers = bounds_of(model, chosen_rows(model, test, {first.begin(), first.end()}), levels, context);
  if (sample.has_closed_form) {
    for (const double level : levels) {
      law.lower.push_back(scaled(model, model.law().lower(level)));
      law.upper.push_back(scaled(model, model.law().upper(level)));
    }
    law.has_closed_form = bounds_agree(law, sample, rows, answers);
  }
  if (!law.has_closed_form) tabulate(law, levels, answers);
  return law;
}

}  // namespace taut
