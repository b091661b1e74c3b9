#include <taut/calibrate/conditional_quantile.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr double z_rounding = 1e-9;       // tolerance for z, which are of order one
constexpr double slope_rounding = 1e-9;   // tolerance for coefficients in the basis
constexpr std::size_t rows_followed = 3;  // number of followed rows for each row of the basis
constexpr std::size_t max_updates = 64;   // of the inverse, before it is computed from scratch

// Eight partial sums in a fixed order: compilers can vectorise them, and the result has the same bits on every machine.
double dense_product(const double* a, const double* b, std::size_t size) {
  std::array<double, 8> sums{};
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8)
    for (std::size_t lane = 0; lane < 8; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  double sum = ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
  for (; i < size; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

QuantileBasis::QuantileBasis(const RegressionRows& rows, std::span<const double> target)
    : rows_(&rows), places_(rows.rows(), Place::below), basis_(rows.independent()), left_(target.begin(), target.end()) {
  for (const std::size_t row : basis_) places_[row] = Place::basis;
  invert();
  follow_all_rows();
}

void QuantileBasis::move_target(double factor, std::span<const double> direction) {
  for (std::size_t k = 0; k < left_.size(); ++k) left_[k] += factor * direction[k];
}

QuantileBasis::Outcome QuantileBasis::solve(std::span<const double> direction) {
  const std::size_t max_pivots = pivots_ + 1000 + 50 * rank() + rows_->rows();
  for (std::size_t last_check = pivots_;;) {
    while (const auto out = leaving(direction)) {
      if (pivots_ == max_pivots) return Outcome::given_up;
      if (const auto in = entering(*out))
        exchange(*out, *in);
      else if (!follow_all_rows())
        return Outcome::impossible;
      if (since_inverted_ == max_updates) start_anew();
    }
    if (follow_rows_that_crossed()) continue;
    // After many updates, invert the basis from scratch and check again whether it is optimal.
    if (pivots_ - last_check < max_updates) return Outcome::solved;
    last_check = pivots_;
    start_anew();
  }
}

void QuantileBasis::start_anew() {
  invert();
  compute_residuals();
}

// The basis row whose z lies farthest outside [0, 1], in the steepest-edge metric.
std::optional<QuantileBasis::Leaving> QuantileBasis::leaving(std::span<const double> direction) const {
  std::optional<Leaving> worst, worst_beside;
  double maximum = 0, max_beside = 0;
  for (std::size_t slot = 0; slot < rank(); ++slot) {
    const double* inverse = inverse_row(slot);
    const double z = dense_product(inverse, left_.data(), rank());
    const Place end = z < 0.5 ? Place::below : Place::above;
    const double excess = end == Place::below ? -z : z - 1;
    if (excess < -z_rounding) continue;
    const double norm = dense_product(inverse, inverse, rank());
    if (excess > z_rounding) {
      const double priority = excess * excess / norm;
      if (priority > maximum) {
        maximum = priority;
        worst = {slot, end, excess};
      }
    } else if (!direction.empty()) {
      const double drift = dense_product(inverse, direction.data(), rank());
      const double outward = end == Place::below ? -drift : drift;
      const double priority = outward > slope_rounding ? outward * outward / norm : 0;
      if (priority > max_beside) {
        max_beside = priority;
        worst_beside = {slot, end, 0};
      }
    }
  }
  return worst ? worst : worst_beside;
}

// Long-step ratio test. Rows whose residuals shrink as the fit turns are visited in the order in which their residuals change
// sign. Returns the row that brings z back into [0, 1], or nothing if no row does.
std::optional<QuantileBasis::Crossing> QuantileBasis::entering(const Leaving& leaving) {
  const double* inverse = inverse_row(leaving.slot);
  const double sign = leaving.end == Place::below ? 1 : -1;
  crossings_.clear();
  for (std::size_t at = 0; at < followed_.size(); ++at) {
    const Place place = places_[followed_[at]];
    const double slope = sign * rows_->values().product(followed_[at], inverse);
    slopes_[at] = slope;
    if (place == Place::above ? slope > slope_rounding : place == Place::below && slope < -slope_rounding)
      crossings_.push_back({std::max(0.0, residuals_[at] / slope), slope, at});
  }
  const auto later = [](const Crossing& a, const Crossing& b) { return a.turn != b.turn ? a.turn > b.turn : a.at > b.at; };
  std::make_heap(crossings_.begin(), crossings_.end(), later);
  double excess = leaving.excess;
  while (!crossings_.empty()) {
    const Crossing next = crossings_.front();
    const std::size_t row = followed_[next.at];
    excess -= std::abs(next.slope);
    if (excess <= 0 || (crossings_.size() == 1 && excess <= z_rounding)) return next;
    put(row, places_[row] == Place::above ? Place::below : Place::above);
    std::pop_heap(crossings_.begin(), crossings_.end(), later);
    crossings_.pop_back();
  }
  return std::nullopt;
}

void QuantileBasis::put(std::size_t row, Place place) {
  if (places_[row] == Place::above) rows_->values().add(row, 1, left_.data());
  places_[row] = place;
  if (place == Place::above) rows_->values().add(row, -1, left_.data());
}

// The update is right for the leaving row too: its slope is ±1 and its residual was 0.
void QuantileBasis::exchange(const Leaving& leaving, const Crossing& entering) {
  for (std::size_t at = 0; at < residuals_.size(); ++at) residuals_[at] -= entering.turn * slopes_[at];
  residuals_[entering.at] = 0;
  put(basis_[leaving.slot], leaving.end);
  const std::size_t entered = followed_[entering.at];
  put(entered, Place::basis);
  basis_[leaving.slot] = entered;

  double* pivot_row = inverse_row(leaving.slot);
  const double pivot = rows_->values().product(entered, pivot_row);
  for (std::size_t k = 0; k < rank(); ++k) pivot_row[k] /= pivot;
  for (std::size_t slot = 0; slot < rank(); ++slot) {
    double* row = inverse_row(slot);
    if (row == pivot_row) continue;
    const double coefficient = rows_->values().product(entered, row);
    if (coefficient == 0) continue;
    for (std::size_t k = 0; k < rank(); ++k) row[k] -= coefficient * pivot_row[k];
  }
  ++pivots_;
  ++since_inverted_;
}

// Gauss-Jordan elimination with partial pivoting.
void QuantileBasis::invert() {
  const std::size_t size = rank();
  std::vector<double> matrix(size * size);  // column k: basis row k
  inverse_.assign(size * size, 0);
  for (std::size_t k = 0; k < size; ++k) {
    std::vector<double> row(size);
    rows_->values().add(basis_[k], 1, row.data());
    for (std::size_t i = 0; i < size; ++i) matrix[i * size + k] = row[i];
    inverse_[k * size + k] = 1;
  }
  for (std::size_t k = 0; k < size; ++k) {
    std::size_t best = k;
    for (std::size_t i = k + 1; i < size; ++i)
      if (std::abs(matrix[i * size + k]) > std::abs(matrix[best * size + k])) best = i;
    const auto swap_rows = [&](std::vector<double>& m) {
      std::swap_ranges(m.begin() + static_cast<Index>(k * size), m.begin() + static_cast<Index>((k + 1) * size),
                       m.begin() + static_cast<Index>(best * size));
    };
    if (best != k) {
      swap_rows(matrix);
      swap_rows(inverse_);
    }
    const double pivot = matrix[k * size + k];
    for (std::size_t j = 0; j < size; ++j) {
      matrix[k * size + j] /= pivot;
      inverse_[k * size + j] /= pivot;
    }
    for (std::size_t i = 0; i < size; ++i) {
      const double factor = i == k ? 0 : matrix[i * size + k];
      if (factor == 0) continue;
      for (std::size_t j = 0; j < size; ++j) {
        matrix[i * size + j] -= factor * matrix[k * size + j];
        inverse_[i * size + j] -= factor * inverse_[k * size + j];
      }
    }
  }
  since_inverted_ = 0;
}

std::vector<double> QuantileBasis::coefficients() const {
  std::vector<double> result(rank());
  for (std::size_t slot = 0; slot < rank(); ++slot)
    for (std::size_t k = 0; k < rank(); ++k) result[k] += rows_->distinct_scores()[basis_[slot]] * inverse_row(slot)[k];
  return result;
}

// Computes the residuals from the basis alone, and the places of the rows from the signs of their residuals.
void QuantileBasis::compute_residuals() {
  const std::vector<double> beta = coefficients();
  residuals_.resize(followed_.size());
  slopes_.resize(followed_.size());
  for (std::size_t at = 0; at < followed_.size(); ++at) {
    const std::size_t row = followed_[at];
    const bool in_basis = places_[row] == Place::basis;
    residuals_[at] = in_basis ? 0 : rows_->distinct_scores()[row] - rows_->values().product(row, beta.data());
    if (!in_basis) put(row, residuals_[at] > 0 ? Place::above : Place::below);
  }
}

void QuantileBasis::follow(std::vector<std::size_t> rows) {
  followed_ = std::move(rows);
  compute_residuals();
}

// Returns false if all rows are followed already.
bool QuantileBasis::follow_all_rows() {
  if (followed_.size() == rows_->rows()) return false;
  std::vector<std::size_t> rows(rows_->rows());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  follow(std::move(rows));
  return true;
}

void QuantileBasis::follow_nearest_rows() {
  follow_all_rows();
  const std::size_t count = rows_followed * (rank() + 10);
  if (count >= followed_.size()) return;
  std::vector<std::size_t> rows = followed_;
  const auto nearer = [&](std::size_t a, std::size_t b) {
    const double to_a = std::abs(residuals_[a]), to_b = std::abs(residuals_[b]);
    return to_a != to_b ? to_a < to_b : a < b;
  };
  std::nth_element(rows.begin(), rows.begin() + static_cast<Index>(count), rows.end(), nearer);
  rows.resize(count);
  std::sort(rows.begin(), rows.end());
  follow(std::move(rows));
}

// Rows that are followed already keep their side, which rounding may make different from the sign of the residual.
bool QuantileBasis::follow_rows_that_crossed() {
  if (followed_.size() == rows_->rows()) return false;
  const std::vector<double> beta = coefficients();
  std::vector<bool> is_followed(rows_->rows(), false);
  for (const std::size_t row : followed_) is_followed[row] = true;
  const std::size_t before = followed_.size();
  for (std::size_t row = 0; row < rows_->rows(); ++row) {
    if (is_followed[row]) continue;
    const double residual = rows_->distinct_scores()[row] - rows_->values().product(row, beta.data());
    if ((residual > 0) == (places_[row] == Place::above)) continue;
    put(row, residual > 0 ? Place::above : Place::below);
    followed_.push_back(row);
    residuals_.push_back(residual);
  }
  slopes_.resize(followed_.size());
  return followed_.size() > before;
}

// The sum of the basis scores, weighted by the coefficients of the row in the basis. A single score is returned exactly. Other
// sums are rounded up, because rounding and the separation of ties may have made them too small.
double QuantileBasis::fitted(std::span<const double> row) const {
  double sum = 0, size = 0, beyond = 0;
  bool is_one_score = true;
  for (std::size_t slot = 0; slot < rank(); ++slot) {
    double coefficient = dense_product(inverse_row(slot), row.data(), rank());
    if (std::abs(coefficient - std::round(coefficient)) < slope_rounding) coefficient = std::round(coefficient);
    if (coefficient == 0) continue;
    const double score = rows_->scores()[basis_[slot]];
    if (std::isinf(score)) {
      beyond += score > 0 ? coefficient : -coefficient;
      continue;
    }
    is_one_score = is_one_score && size == 0 && coefficient == 1;
    sum += coefficient * score;
    size += std::abs(coefficient * score);
  }
  if (std::abs(beyond) > slope_rounding) return std::copysign(infinity, beyond);
  return is_one_score ? sum : sum + 1e-10 * size;
}

namespace {

// z = η + 1 − level lies in [0, 1], and Σ z Φ is (1 − level) Σ Φ.
std::vector<double> target_of_calibration_rows(const RegressionRows& rows, double level) {
  check_confidence(level);
  std::vector<double> target = rows.sums();
  for (double& value : target) value *= 1 - level;
  return target;
}

}  // namespace

ConditionalQuantile::ConditionalQuantile(std::shared_ptr<const RegressionRows> rows, double level)
    : rows_(std::move(rows)), level_(level), start_(*rows_, target_of_calibration_rows(*rows_, level)) {
  if (start_.solve() != QuantileBasis::Outcome::solved)
    throw Error(
        "overlapping groups: the quantile regression of the calibration scores did not converge; look for columns that are "
        "almost the same");
  start_.follow_nearest_rows();
}

double ConditionalQuantile::cut_off(std::span<const double> functions) const {
  return fitted(functions, 1, true).value_or(infinity);
}

std::optional<double> ConditionalQuantile::smoothed_cut_off(std::span<const double> functions, double uniform) const {
  if (!(uniform >= 0 && uniform < 1))
    throw UsageError("overlapping groups: the random number of a row must lie in [0, 1), got " + print_number(uniform));
  return fitted(functions, uniform, false);
}

// The fitted quantile at the new row if its z is `own`: the limit from below or from above. Without a solution the new row cannot
// have this z. z = 1 − level is always possible, because the calibration rows alone are balanced. So an impossible z above that
// is never reached (infinity), and an impossible z below it is always exceeded (nothing).
std::optional<double> ConditionalQuantile::fitted(std::span<const double> functions, double own, bool from_below) const {
  const std::optional<double> beyond = own >= 1 - level_ ? std::optional(infinity) : std::nullopt;
  const auto row = rows_->express(functions);
  if (!row) return beyond;
  QuantileBasis basis = start_;
  basis.move_target(1 - level_ - own, *row);
  std::vector<double> direction = *row;
  if (!from_below)
    for (double& value : direction) value = -value;
  switch (basis.solve(direction)) {
    case QuantileBasis::Outcome::solved:
      return basis.fitted(*row);
    case QuantileBasis::Outcome::impossible:
      return beyond;
    case QuantileBasis::Outcome::given_up:
      break;
  }
  return infinity;  // conservative
}

}  // namespace taut
