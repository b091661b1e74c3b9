#include <taut/train/validation.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/types.hpp>
#include <taut/train/localization.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace taut {

double sample_quantile(std::vector<double> values, double confidence, RowWeights weights) {
  if (!weights.empty()) return RepeatedValues(values, weights).quantile(confidence);
  const Index n = std::ssize(values);
  const Index at = std::min(exact_rank(n - 1, confidence), n) - 1;  // the exact rank: 0.55 · 100 is 55, not 56
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

namespace {

constexpr std::array validation_levels = {0.68, 0.9, 0.95};

std::vector<double> conformity_scores(const ObjectiveRows& rows) {
  std::vector<double> b(static_cast<std::size_t>(rows.rows()));
  for (std::size_t i = 0; i < b.size(); ++i)
    b[i] = rows.transform.conformity(rows.residual[i], rows.params(static_cast<Index>(i), rows.side[i]));
  return b;
}

// Sums over the rows of widths and interval scores at the quantile q of the conformity scores.
IntervalQuality sums_at(const ObjectiveRows& rows, double q, double confidence) {
  const double penalty = 2 / (1 - confidence);
  IntervalQuality quality;
  for (std::size_t i = 0; i < rows.residual.size(); ++i) {
    const auto row = static_cast<Index>(i);
    const double below = std::max(0.0, rows.transform.half_width(q, rows.params(row, Side::below)));
    const double above = rows.sides == 1 ? below : std::max(0.0, rows.transform.half_width(q, rows.params(row, Side::above)));
    const double reach = rows.side[i] == Side::below ? below : above;
    quality.width += rows.weight_of(row) * (below + above);
    quality.interval_score += rows.weight_of(row) * (below + above + penalty * std::max(0.0, rows.residual[i] - reach));
  }
  return quality;
}

// Quantiles of the conformity scores of all processes: the upper edges of their histogram bins. Scores outside of the histogram
// are in the first and the last bin.
std::vector<double> shared_quantiles(const ObjectiveRows& rows, const SumOverProcesses& sum_all) {
  constexpr double reach = 12, bins_per_unit = 200;
  std::vector<double> counts(static_cast<std::size_t>(2 * reach * bins_per_unit) + 1);
  const double last = static_cast<double>(counts.size() - 1);
  const std::vector<double> scores = conformity_scores(rows);
  for (std::size_t i = 0; i < scores.size(); ++i)
    counts[static_cast<std::size_t>(std::clamp(std::ceil((scores[i] + reach) * bins_per_unit), 0.0, last))] +=
        rows.weight_of(static_cast<Index>(i));
  sum_all(counts);
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  std::vector<double> quantiles;
  for (const double confidence : validation_levels) {
    const auto bin = std::lower_bound(counts.begin(), counts.end(), confidence * counts.back()) - counts.begin();
    quantiles.push_back(static_cast<double>(bin) / bins_per_unit - reach);
  }
  return quantiles;
}

}  // namespace

IntervalQuality interval_quality(const ObjectiveRows& rows, double confidence) {
  IntervalQuality quality = sums_at(rows, sample_quantile(conformity_scores(rows), confidence, rows.weight), confidence);
  quality.width /= total_weight(rows.weight, rows.rows());
  quality.interval_score /= total_weight(rows.weight, rows.rows());
  return quality;
}

double log_mean_interval_score(const ObjectiveRows& rows, const SumOverProcesses& sum_all) {
  constexpr std::size_t levels = validation_levels.size();
  double sum = 0;
  if (!sum_all) {
    for (const double confidence : validation_levels) sum += interval_quality(rows, confidence).interval_score / levels;
    return std::log(sum);
  }
  const auto quantiles = shared_quantiles(rows, sum_all);
  std::array<double, levels + 1> sums{};
  for (std::size_t i = 0; i < levels; ++i) sums[i] = sums_at(rows, quantiles[i], validation_levels[i]).interval_score;
  sums[levels] = total_weight(rows.weight, rows.rows());
  sum_all(sums);
  for (std::size_t i = 0; i < levels; ++i) sum += sums[i] / sums[levels] / levels;
  return std::log(std::max(sum, std::numeric_limits<double>::min()));
}

namespace {

// This number of validation rows is enough to compare candidates. If the first few parts have them, only those parts train every
// candidate, and the others train the winner. On the data sets homes, CASP and facebook_1 that halves the time and chooses the
// same candidates.
constexpr Index rows_to_compare = 4000;

std::size_t parts_to_compare(const std::vector<TrainingPart>& parts) {
  std::size_t count = 0;
  for (Index rows = 0; rows < rows_to_compare && count < parts.size(); ++count) rows += parts[count].validation_rows();
  return count;
}

Rows validation_rows(const std::vector<TrainingPart>& parts, std::size_t count) {
  Rows rows;
  for (std::size_t p = 0; p < count; ++p)
    for (Index row = parts[p].begin; row < parts[p].end; ++row) rows.push_back(row);
  return rows;
}

}  // namespace

Validation::Validation(const Transform& transform, const Residuals& residuals, const std::vector<TrainingPart>& parts,
                       const LocalizationPlan& plan)
    : transform_(transform),
      parts_(parts_to_compare(parts)),
      residuals_(pick(residuals, validation_rows(parts, parts_))),
      focus_(plan.focus),
      objective_(objectives().make(plan.validation_objective)) {
  if (!residuals.half_width.empty()) shift_ = transforms().make("shift");
}

double Validation::loss(const Transform& transform, const Residuals& residuals, const Matrix& g, int sides, int threads) const {
  const ObjectiveRows rows{residuals.size, residuals.side, transform, g, sides, false, threads, residuals.weight};
  return focus_ ? interval_quality(rows, *focus_).width : objective_->validation_loss(rows);
}

std::vector<double> Validation::loss_of_groups(const Transform& transform, const Matrix& g, int sides, int threads) const {
  constexpr Index max_groups = 20, min_rows = 20;
  const Index n = residuals_.rows(), groups = std::min(max_groups, n / min_rows);
  std::vector<double> losses;
  for (Index group = 0; group < groups; ++group) {
    Rows rows;
    for (Index i = group; i < n; i += groups) rows.push_back(i);  // so that each group has rows of every fold
    Matrix own(std::ssize(rows), g.cols());
    for (std::size_t i = 0; i < rows.size(); ++i) own.row(static_cast<Index>(i)) = g.row(rows[i]);
    losses.push_back(loss(transform, pick(residuals_, rows), own, sides, threads));
  }
  return losses;
}

double Validation::fixed_loss(int threads) const {
  return loss(shift_ ? *shift_ : transform_, residuals_, fixed_params(), 1, threads);
}

std::vector<double> Validation::fixed_loss_of_groups(int threads) const {
  return loss_of_groups(shift_ ? *shift_ : transform_, fixed_params(), 1, threads);
}

Matrix Validation::fixed_params() const {
  if (shift_) return initial_params(*shift_, residuals_.half_width, 1);
  Matrix g(residuals_.rows(), transform_.n_params());
  for (Index i = 0; i < g.rows(); ++i) transform_.initial(g.row(i).data());
  return g;
}

std::size_t choose(std::span<const double> losses) {
  std::size_t kept = 0;
  for (std::size_t c = 1; c < losses.size(); ++c)
    if (is_lower_loss(losses[c], losses[kept])) kept = c;
  return kept;
}

double standard_error(const ClassLoss& richer, const ClassLoss& simpler) {
  const auto a = richer.of_groups, b = simpler.of_groups;
  const auto groups = static_cast<double>(a.size());
  if (groups < 2) return infinity;
  double sum = 0, squares = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    sum += a[k] - b[k];
    squares += (a[k] - b[k]) * (a[k] - b[k]);
  }
  const double spread = squares - sum * sum / groups;
  if (!std::isfinite(spread)) return infinity;  // not 0, which max() makes of NaN
  return std::sqrt(std::max(0.0, spread) / (groups - 1) / groups);
}

// False if the standard error is unknown (infinite).
bool is_clearly_better(const ClassLoss& richer, const ClassLoss& simpler) {
  return is_lower_loss(richer.validation_loss + standard_error(richer, simpler), simpler.validation_loss);
}

}  // namespace taut
