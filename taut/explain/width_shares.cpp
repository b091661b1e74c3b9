#include <taut/explain/width_shares.hpp>

#include <taut/core/threads.hpp>
#include <taut/explain/prediction_shares.hpp>
#include <taut/explain/sampled_shares.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Lower limit of widths, relative to the unit of residuals, because a width of 0 has no logarithm.
constexpr double min_width = 1e-9;

// How much f is uncertain, as far as the predictors of the stack show it; the other columns explain the noise.
constexpr const char* name_of_disagreement = "disagreement of the stack";

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The mean of logistic() over [from, to].
double mean_logistic(double from, double to) {
  return std::abs(to - from) < 1e-5 ? logistic((from + to) / 2) : (softplus(to) - softplus(from)) / (to - from);
}

std::string free_name(std::string name, const std::vector<Column>& schema) {
  const bool taken = std::any_of(schema.begin(), schema.end(), [&](const Column& column) { return column.name == name; });
  return taken ? "(" + name + ")" : name;
}

}  // namespace

WidthShares::WidthShares(const ModelParts& parts, const ExplainOptions& options, int threads)
    : parts_(parts), task_(number_task(parts)) {
  if (task_.score.uses_prediction()) seen_.push_back(free_name("prediction", parts.schema));
  if (task_.score.starts_from_ends()) seen_.push_back(free_name("predicted width", parts.schema));
  if (task_.score.uses_disagreement()) seen_.push_back(free_name(name_of_disagreement, parts.schema));
  if (task_.score.has_shape()) seen_.push_back(free_name(task_.score.transform_name(), parts.schema));
  const double at_level = parts.distribution.quantile(options.confidence);
  quantile_ = std::isfinite(at_level) || parts.distribution.rows() == 0 ? at_level : parts.distribution.scores().back();
  std::vector<double> bases;
  if (auto terms = terms_of_sides({}, bases)) {
    terms_ = std::move(*terms);
    bases_ = std::move(bases);
    if (has_shape()) shape_base_ = mean_shape_share(options, threads);
  } else {
    add_walks(options, threads);
  }
  for (const Localization* one : averaged()) {
    double power = 1;
    for (const double exponent : one->exponents()) power *= exponent;
    start_weight_ += power / static_cast<double>(averaged().size());
  }
}

std::size_t WidthShares::n_values() const { return is_of_level() ? 1 : static_cast<std::size_t>(task_.score.sides()); }

std::vector<const Localization*> WidthShares::averaged() const {
  std::vector<const Localization*> both = {&task_.score.localization()};
  if (both.front()->other() != nullptr) both.push_back(both.front()->other());
  return both;
}

// log s is the mean over members of the sum of their stages. A stage is multiplied by its own and all later exponents.
void WidthShares::add_terms(const Localization& localization, double weight_of_all, FixedPlayer fixed_player, Terms& terms,
                            std::vector<double>& bases) const {
  const ScoreModel& score = task_.score;
  const auto& exponents = localization.exponents();
  std::vector<double> power(exponents.size() + 1, 1.0);
  for (std::size_t stage = exponents.size(); stage-- > 0;) power[stage] = power[stage + 1] * exponents[stage];
  auto player_of = score.encoder().column_of_inputs();
  for (Index seen = 0; seen < score.n_prediction_inputs(); ++seen) player_of.push_back(std::ssize(parts_.schema) + seen);
  const double one = 1;
  const double per_g = score.scale().log_scale(&one), share = weight_of_all / static_cast<double>(localization.n_members());
  for (const auto& member : localization.members())
    for (std::size_t side = 0; side < terms.size(); ++side) {
      bases[side] -= share * member.centre;
      const auto output = static_cast<Index>(localization.own_sides() == 2 ? side : 0);
      for (std::size_t stage = 0; stage < member.stages.size(); ++stage) {
        const auto form = member.stages[stage]->additive_form(output);
        const double weight = share * power[stage] * per_g;
        bases[side] += weight * form->constant;
        for (const ForestTerm& term : form->forests) {
          terms[side].push_back({TreeShap(*term.forest, player_of, players(), fixed_player), term.output, weight * term.weight});
          bases[side] += terms[side].back().weight * terms[side].back().shap.base(term.output);
        }
      }
    }
}

std::optional<WidthShares::Terms> WidthShares::terms_of_sides(FixedPlayer fixed_player, std::vector<double>& bases) const {
  const ScoreModel& score = task_.score;
  if (!score.score_scale().is_identity()) return {};  // a width in units of y then depends on f too
  const auto described = score.scale().describe();
  if (!described || !std::holds_alternative<DescribedScale>(*described)) return {};
  const auto both = averaged();
  for (const Localization* one : both)
    for (const auto& member : one->members())
      for (const auto& stage : member.stages) {
        const auto form = stage->additive_form(0);
        if (!form || !form->weights.empty()) return {};
      }
  const auto sides = static_cast<std::size_t>(score.sides());
  Terms terms(sides);
  bases.assign(sides, std::log(score.unit()));
  for (const Localization* one : both) add_terms(*one, 1.0 / static_cast<double>(both.size()), fixed_player, terms, bases);
  // A shape on a constant scale has no trees to explain.
  if (score.has_shape() && terms.front().empty()) return {};
  return terms;
}

// What the shape adds to log width, as a mean over background rows; 0 without a summary of calibration rows or with given
// predictions.
double WidthShares::mean_shape_share(const ExplainOptions& options, int threads) const {
  if (parts_.calibration_inputs.rows() == 0 || parts_.options.has_given_predictions()) return 0;
  const Matrix cells =
      background_rows(parts_.calibration_inputs, parts_.schema, std::max<Index>(16, options.walks), options.seed);
  Matrix numbers(cells.rows(), n_numbers());
  for (Index i = 0; i < cells.rows(); ++i) put_numbers(task_.predictor.predict_row(cells.row(i).data()), numbers.row(i).data());
  const RowPredictions predicted = predictions_of(numbers);
  const auto widths = log_widths(cells, predicted, threads);
  const Matrix scales = values(cells, predicted, threads);
  double mean = 0;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const double low = scales(static_cast<Index>(i), 0), high = scales(static_cast<Index>(i), scales.cols() - 1);
    mean += (widths[i] - low - softplus(high - low)) / static_cast<double>(widths.size());
  }
  return mean;
}

std::vector<double> WidthShares::log_widths(const Matrix& cells, const RowPredictions& predicted, int threads) const {
  const ScoreModel& score = task_.score;
  const Matrix g = score.params_of_encoded(encoded(score.encoder(), cells, threads), predicted, threads);
  const double minimum = score.score_scale().is_identity() ? min_width * score.unit() : std::numeric_limits<double>::min();
  std::vector<double> result;
  for (Index i = 0; i < cells.rows(); ++i) {
    const Interval interval = score.at(predicted[static_cast<std::size_t>(i)], g.row(i).data()).at_most(quantile_);
    result.push_back(std::log(std::clamp(interval.width(), minimum, 1e300)));
  }
  return result;
}

// Assigns the difference between the log width at the level and that of the scale to the column of the shape.
void WidthShares::add_shape(const Matrix& cells, const RowPredictions& predicted, Attribution& width, int threads) const {
  const auto widths = log_widths(cells, predicted, threads);
  width.base += shape_base_;
  for (std::size_t i = 0; i < widths.size(); ++i) {
    width.shares(static_cast<Index>(i), players() - 1) += widths[i] - width.value[i] - shape_base_;
    width.value[i] = widths[i];
  }
}

// The interaction of two columns: the share of one when the other is always known, minus its share when the other is never known.
Matrix WidthShares::interactions(const Matrix& cells, const RowPredictions& predicted, std::span<const Index> columns,
                                 int threads) const {
  const MatrixF inputs = task_.score.inputs_with_predictions(encoded(task_.score.encoder(), cells, threads), predicted);
  const Index count = std::ssize(columns);
  Matrix strengths = Matrix::Zero(count, count);
  for (Index a = 0; a < count; ++a) {
    std::vector<Matrix> difference(n_values(), Matrix::Zero(cells.rows(), players()));
    for (const bool is_in : {true, false}) {
      std::vector<double> unused;
      const auto terms = terms_of_sides({columns[static_cast<std::size_t>(a)], is_in}, unused);
      for (std::size_t side = 0; side < terms->size(); ++side)
        for (const Term& term : (*terms)[side])
          term.shap.add(inputs, term.output, (is_in ? 1 : -1) * term.weight, difference[side], threads);
    }
    for (Index b = 0; b < count; ++b)
      for (const Matrix& side : difference)
        if (a != b)
          strengths(a, b) +=
              side.col(columns[static_cast<std::size_t>(b)]).cwiseAbs().mean() / static_cast<double>(difference.size());
  }
  return strengths;
}

// What the model predicts for a row, as numbers: f, or both ends; then the disagreement of the predictors, if g uses it.
Index WidthShares::n_numbers() const {
  return (task_.score.starts_from_ends() ? 2 : 1) + (task_.score.uses_disagreement() ? 1 : 0);
}

void WidthShares::put_numbers(const RowPrediction& one, double* out) const {
  *out++ = task_.score.starts_from_ends() ? one.lower : one.f;
  if (task_.score.starts_from_ends()) *out++ = one.upper;
  if (task_.score.uses_disagreement()) *out = one.disagreement;
}

RowPredictions WidthShares::predictions_of(const Matrix& numbers) const {
  const auto column = [&](Index which) { return std::vector<double>(numbers.col(which).begin(), numbers.col(which).end()); };
  RowPredictions predicted = task_.score.starts_from_ends() ? RowPredictions(column(0), column(1)) : RowPredictions(column(0));
  if (task_.score.uses_disagreement()) predicted.set_disagreement(column(numbers.cols() - 1));
  return predicted;
}

// The rows of the walks hold the cells of the table and the numbers of the prediction. f, or both ends, are one player; the
// disagreement is another.
void WidthShares::add_walks(const ExplainOptions& options, int threads) {
  const Index columns = std::ssize(parts_.schema), numbers = n_numbers();
  Matrix background = background_rows(parts_.calibration_inputs, parts_.schema, options.walks / 2, options.seed);
  const InputSummary::ColumnSummary& f = parts_.calibration_inputs.columns()[static_cast<std::size_t>(columns)];
  background.conservativeResize(Eigen::NoChange, columns + numbers);
  const bool is_f_given = parts_.options.has_given_predictions();
  for (Index i = 0; i < background.rows(); ++i) {
    const std::vector<double> cells(background.row(i).data(), background.row(i).data() + columns);
    const RowPrediction predicted = is_f_given ? RowPrediction(f.values[static_cast<std::size_t>(i) % f.values.size()])
                                               : task_.predictor.predict_row(cells.data());
    put_numbers(predicted, background.row(i).data() + columns);
  }
  Rows player_of = all_rows(columns);
  player_of.insert(player_of.end(), task_.score.starts_from_ends() ? 2 : 1, columns);
  seen_ = {free_name("prediction", parts_.schema)};  // one player for f, or for both ends
  if (task_.score.uses_disagreement()) {
    player_of.push_back(columns + 1);
    seen_.push_back(free_name(name_of_disagreement, parts_.schema));
  }
  const auto function = [this, columns, numbers](const Matrix& rows, int own) {
    return values(rows.leftCols(columns), predictions_of(rows.rightCols(numbers)), own);
  };
  walks_.emplace_back(function, std::move(background), std::move(player_of), columns + std::ssize(seen_), options.seed, threads);
  bases_ = walks_.front().bases();
}

// The explained values, computed by the model itself: log s of each side in units of the target, or the log width at a level.
Matrix WidthShares::values(const Matrix& cells, const RowPredictions& predicted, int threads) const {
  if (is_of_level()) {
    const auto widths = log_widths(cells, predicted, threads);
    return Eigen::Map<const Matrix>(widths.data(), std::ssize(widths), 1);
  }
  const ScoreModel& score = task_.score;
  const Matrix g = score.params_of_encoded(encoded(score.encoder(), cells, threads), predicted, threads);
  return score.log_scales(g).array() + std::log(score.unit());
}

// What makes the interval wider beyond the training rows is the share of the column that lies beyond them.
void WidthShares::add_shares_beyond(const MatrixF& inputs, const RowPredictions& predicted, std::vector<Matrix>& shares,
                                    int threads) const {
  const ScoreModel& score = task_.score;
  const auto growth = [&](Index row) { return score.beyond_training().of(inputs.row(row).data()); };
  Rows rows;
  for (Index row = 0; row < inputs.rows(); ++row)
    if (growth(row).of_scale > 0) rows.push_back(row);
  if (rows.empty()) return;
  const auto factors = score.factors_of(
      score.params_of_encoded(inputs(rows, Eigen::seqN(0, score.encoder().columns())), predicted.at(rows), threads));
  const std::vector<Index> column_of = score.encoder().column_of_inputs();
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (Matrix& side : shares)
      side(rows[i], column_of[static_cast<std::size_t>(growth(rows[i]).input)]) += std::log(factors(static_cast<Index>(i)));
}

void WidthShares::add_exact_shares(const Matrix& cells, const RowPredictions& predicted, std::vector<Matrix>& shares,
                                   int threads) const {
  const MatrixF inputs = task_.score.inputs_with_predictions(encoded(task_.score.encoder(), cells, threads), predicted);
  for (std::size_t side = 0; side < terms_.size(); ++side) {
    for (const Term& term : terms_[side]) term.shap.add(inputs, term.output, term.weight, shares[side], threads);
    if (!task_.score.starts_from_ends()) continue;
    const auto starts = task_.score.starts(predicted);
    for (std::size_t i = 0; i < starts.size(); ++i)
      shares[side](static_cast<Index>(i), std::ssize(parts_.schema) + (task_.score.uses_prediction() ? 1 : 0)) +=
          start_weight_ * std::log(starts[i]);
  }
  add_shares_beyond(inputs, predicted, shares, threads);
}

// Shares of log(s₀ + s₁). Its partial derivatives are the fractions of the width on each side. The shares of the two sides are
// weighted by the mean of these fractions on the line from the bases to the row, so they add up exactly.
Attribution WidthShares::whole_width(const std::vector<Attribution>& ends) {
  const auto log_sum = [](double low, double high) { return low + softplus(high - low); };
  Attribution whole;
  if (ends.size() == 1) {
    whole = ends.front();
    whole.base += std::log(2.0);
    for (double& value : whole.value) value += std::log(2.0);
    return whole;
  }
  const Attribution &below = ends[0], &above = ends[1];
  whole.base = log_sum(below.base, above.base);
  whole.shares.resize(below.shares.rows(), below.shares.cols());
  for (Index i = 0; i < whole.shares.rows(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    const double weight = mean_logistic(above.base - below.base, above.value[at] - below.value[at]);
    whole.value.push_back(log_sum(below.value[at], above.value[at]));
    whole.shares.row(i) = (1 - weight) * below.shares.row(i) + weight * above.shares.row(i);
    spread_rounding_error(whole.value.back(), whole.base, whole.shares.row(i));
  }
  return whole;
}

void WidthShares::explain(const Matrix& cells, const RowPredictions& predicted, Explanation& out, int threads) const {
  std::vector<Matrix> shares(n_values(), Matrix::Zero(cells.rows(), players()));
  if (walks_.empty()) {
    add_exact_shares(cells, predicted, shares, threads);
  } else {
    Matrix rows(cells.rows(), cells.cols() + n_numbers());
    rows.leftCols(cells.cols()) = cells;
    for (Index i = 0; i < rows.rows(); ++i)
      put_numbers(predicted[static_cast<std::size_t>(i)], rows.row(i).data() + cells.cols());
    walks_.front().add(rows, shares, threads);
  }
  const Matrix value = values(cells, predicted, threads);
  std::vector<Attribution> ends;
  for (std::size_t side = 0; side < shares.size(); ++side) {
    Attribution one{bases_[side], {}, std::move(shares[side])};
    for (Index i = 0; i < value.rows(); ++i) {
      one.value.push_back(value(i, static_cast<Index>(side)));
      out.rounding = std::max(out.rounding, spread_rounding_error(one.value.back(), one.base, one.shares.row(i)));
    }
    ends.push_back(std::move(one));
  }
  if (is_of_level()) {
    out.width = std::move(ends.front());
    return;
  }
  out.width = whole_width(ends);
  if (has_shape()) add_shape(cells, predicted, *out.width, threads);
  if (ends.size() == 2) out.ends = std::move(ends);
}

}  // namespace taut
