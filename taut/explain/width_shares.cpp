#include <taut/explain/width_shares.hpp>

#include <taut/core/threads.hpp>
#include <taut/explain/background.hpp>
#include <taut/explain/prediction_shares.hpp>
#include <taut/explain/settle.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// A width of 0 has no logarithm: relative to the unit of residuals.
constexpr double least_width = 1e-9;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

// The mean of logistic() between two places.
double mean_logistic(double from, double to) {
  return std::abs(to - from) < 1e-5 ? logistic((from + to) / 2) : (softplus(to) - softplus(from)) / (to - from);
}

std::string free_name(std::string name, const std::vector<Column>& schema) {
  const bool taken = std::any_of(schema.begin(), schema.end(), [&](const Column& column) { return column.name == name; });
  return taken ? "(" + name + ")" : name;
}

}  // namespace

WidthShares::WidthShares(const ModelParts& parts, const ExplainOptions& options, int threads) : parts_(parts) {
  if (parts.score.sees_prediction()) seen_.push_back(free_name("prediction", parts.schema));
  if (parts.score.starts_from_ends()) seen_.push_back(free_name("predicted width", parts.schema));
  if (parts.score.starts_from_ends())
    for (const double exponent : parts.score.localization().exponents()) start_weight_ *= exponent;
  if (is_of_level()) {
    const double asked = parts.law.quantile(options.confidence);
    quantile_ = std::isfinite(asked) || parts.law.rows() == 0 ? asked : parts.law.scores().back();
  }
  if (auto terms = terms_of_sides({}, bases_)) {
    terms_ = std::move(*terms);
  } else {
    add_walks(options, threads);
  }
}

std::size_t WidthShares::n_values() const { return is_of_level() ? 1 : static_cast<std::size_t>(parts_.score.sides()); }

// log s is the mean over members of what their stages add up to, each raised to the exponents of itself and of those after it.
std::optional<WidthShares::Terms> WidthShares::terms_of_sides(SettledPlayer settled, std::vector<double>& all_bases) const {
  const ScoreModel& score = parts_.score;
  const Localization& localization = score.localization();
  if (!score.transform().has_linear_log_scale()) return {};
  const auto& exponents = localization.exponents();
  std::vector<double> power(exponents.size() + 1, 1.0);
  for (std::size_t stage = exponents.size(); stage-- > 0;) power[stage] = power[stage + 1] * exponents[stage];
  auto player_of = score.encoder().column_of_inputs();
  for (Index seen = 0; seen < score.n_seen_predictions(); ++seen) player_of.push_back(std::ssize(parts_.schema) + seen);
  const double one = 1;
  const double per_g = score.transform().log_scale(&one), share = 1.0 / static_cast<double>(localization.n_members());
  const auto sides = static_cast<std::size_t>(score.sides());
  Terms terms(sides);
  std::vector<double> bases(sides, std::log(score.unit()));
  for (const auto& member : localization.members())
    for (std::size_t side = 0; side < sides; ++side) {
      bases[side] -= share * member.centre;
      for (std::size_t stage = 0; stage < member.stages.size(); ++stage) {
        const auto form = member.stages[stage]->additive_form(static_cast<Index>(side));
        if (!form || !form->weights.empty()) return {};
        const double weight = share * power[stage] * per_g;
        bases[side] += weight * form->constant;
        for (const ForestTerm& term : form->forests) {
          terms[side].push_back({TreeShap(*term.forest, player_of, players(), settled), term.output, weight * term.weight});
          bases[side] += terms[side].back().weight * terms[side].back().shap.base(term.output);
        }
      }
    }
  all_bases = std::move(bases);
  return terms;
}

// The share of one column with another one known, less that with the other one unknown, is what the two do together.
Matrix WidthShares::interactions(const Matrix& cells, const RowPredictions& predicted, std::span<const Index> columns,
                                 int threads) const {
  const MatrixF inputs = parts_.score.inputs_with_predictions(encoded(parts_.score.encoder(), cells, threads), predicted);
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

// The rows of the walks hold the cells of the table and, as one player, what is predicted: f, or both ends.
void WidthShares::add_walks(const ExplainOptions& options, int threads) {
  const Index columns = std::ssize(parts_.schema), ends = parts_.score.starts_from_ends() ? 2 : 1;
  Matrix background = background_rows(parts_.calibration_inputs, parts_.schema, options.walks / 2, options.seed);
  const InputSummary::OfColumn& f = parts_.calibration_inputs.columns()[static_cast<std::size_t>(columns)];
  background.conservativeResize(Eigen::NoChange, columns + ends);
  const bool knows_f = parts_.options.has_given_predictions();
  for (Index i = 0; i < background.rows(); ++i) {
    const std::vector<double> cells(background.row(i).data(), background.row(i).data() + columns);
    const RowPrediction predicted = knows_f ? RowPrediction(f.values[static_cast<std::size_t>(i) % f.values.size()])
                                            : parts_.predictor.predict_row(cells.data());
    background(i, columns) = ends == 2 ? predicted.lower : predicted.f;
    if (ends == 2) background(i, columns + 1) = predicted.upper;
  }
  Rows player_of = all_rows(columns);
  player_of.insert(player_of.end(), static_cast<std::size_t>(ends), columns);
  if (seen_.size() > 1) seen_.resize(1);  // the two are one player
  if (seen_.empty()) seen_.push_back(free_name("prediction", parts_.schema));
  const auto function = [this, columns, ends](const Matrix& rows, int own) {
    std::vector<double> lower, upper;
    for (Index i = 0; i < rows.rows(); ++i) {
      lower.push_back(rows(i, columns));
      if (ends == 2) upper.push_back(rows(i, columns + 1));
    }
    const RowPredictions predicted =
        ends == 2 ? RowPredictions(std::move(lower), std::move(upper)) : RowPredictions(std::move(lower));
    return values(rows.leftCols(columns), predicted, own);
  };
  walks_.emplace_back(function, std::move(background), std::move(player_of), columns + 1, options.seed, threads);
  bases_ = walks_.front().bases();
}

// What is explained, by the model's own arithmetic: log s of each side in units of the target, or the log of a level's width.
Matrix WidthShares::values(const Matrix& cells, const RowPredictions& predicted, int threads) const {
  const ScoreModel& score = parts_.score;
  const Matrix g = score.params_of_inputs(encoded(score.encoder(), cells, threads), predicted, threads);
  if (!is_of_level()) return score.log_scales(g).array() + std::log(score.unit());
  Matrix result(cells.rows(), 1);
  for (Index i = 0; i < result.rows(); ++i) {
    const Interval interval = score.at(predicted[static_cast<std::size_t>(i)], g.row(i).data()).at_most(quantile_);
    result(i, 0) = std::log(std::clamp(interval.width(), least_width * score.unit(), 1e300));
  }
  return result;
}

void WidthShares::add_exact_shares(const Matrix& cells, const RowPredictions& predicted, std::vector<Matrix>& shares,
                                   int threads) const {
  const MatrixF inputs = parts_.score.inputs_with_predictions(encoded(parts_.score.encoder(), cells, threads), predicted);
  for (std::size_t side = 0; side < terms_.size(); ++side) {
    for (const Term& term : terms_[side]) term.shap.add(inputs, term.output, term.weight, shares[side], threads);
    if (!parts_.score.starts_from_ends()) continue;
    const auto starts = parts_.score.starts(predicted);
    for (std::size_t i = 0; i < starts.size(); ++i)
      shares[side](static_cast<Index>(i), players() - 1) += start_weight_ * std::log(starts[i]);
  }
}

// log(s₀ + s₁), whose slopes are the sides' parts of the width: shares of both sides, weighted by the mean of these slopes on the
// way from the bases to the row, add up exactly.
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
    settle(whole.value.back(), whole.base, whole.shares.row(i));
  }
  return whole;
}

void WidthShares::explain(const Matrix& cells, const RowPredictions& predicted, Explanation& out, int threads) const {
  std::vector<Matrix> shares(n_values(), Matrix::Zero(cells.rows(), players()));
  if (walks_.empty()) {
    add_exact_shares(cells, predicted, shares, threads);
  } else {
    Matrix rows(cells.rows(), cells.cols() + (predicted.has_ends() ? 2 : 1));
    rows.leftCols(cells.cols()) = cells;
    for (Index i = 0; i < rows.rows(); ++i) {
      const RowPrediction one = predicted[static_cast<std::size_t>(i)];
      rows(i, cells.cols()) = predicted.has_ends() ? one.lower : one.f;
      if (predicted.has_ends()) rows(i, cells.cols() + 1) = one.upper;
    }
    walks_.front().add(rows, shares, threads);
  }
  const Matrix value = values(cells, predicted, threads);
  std::vector<Attribution> ends;
  for (std::size_t side = 0; side < shares.size(); ++side) {
    Attribution one{bases_[side], {}, std::move(shares[side])};
    for (Index i = 0; i < value.rows(); ++i) {
      one.value.push_back(value(i, static_cast<Index>(side)));
      out.rounding = std::max(out.rounding, settle(one.value.back(), one.base, one.shares.row(i)));
    }
    ends.push_back(std::move(one));
  }
  if (is_of_level()) {
    out.width = std::move(ends.front());
    return;
  }
  out.width = whole_width(ends);
  if (ends.size() == 2) out.ends = std::move(ends);
}

}  // namespace taut
