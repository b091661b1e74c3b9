#include <taut/predict/smooth_inputs.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double z_bound = 3;         // |z| < 3
constexpr double s_bound = 1e9;       // keeps s² finite; z reaches its bound to the last bit long before
constexpr Index max_ranked = 20'000;  // maximum number of rows for medians and quartiles

}  // namespace

RobustInputs::RobustInputs(const InputPool& x, RowsView rows)
    : centre_(static_cast<std::size_t>(x.columns())), factor_(static_cast<std::size_t>(x.columns())) {
  const Index n = std::ssize(rows);
  const Index used = std::min(n, max_ranked);
  if (used == 0) return;
  std::vector<double> values(static_cast<std::size_t>(used)), weights;
  for (Index i = 0; i < used && !x.weights().empty(); ++i)
    weights.push_back(weight_of(x.weights(), rows[static_cast<std::size_t>(i * n / used)]));
  for (std::size_t c = 0; c < centre_.size(); ++c) {
    for (Index i = 0; i < used; ++i)
      values[static_cast<std::size_t>(i)] =
          static_cast<double>(x.floats()(rows[static_cast<std::size_t>(i * n / used)], static_cast<Index>(c)));
    const RepeatedValues repeated(weights.empty() ? std::span<const double>() : std::span<const double>(values), weights);
    std::sort(values.begin(), values.end());
    const auto quantile = [&](Index quarters) {
      if (!weights.empty()) return repeated.at(std::max(0.0, (repeated.size() - 1) * static_cast<double>(quarters) / 4));
      return values[static_cast<std::size_t>((used - 1) * quarters / 4)];
    };
    centre_[c] = quantile(2);
    double unit = quantile(3) - quantile(1);
    if (!(unit > 0)) unit = (values.back() - values.front()) / 2;
    factor_[c] = unit > 0 && std::isfinite(1 / unit) ? 1 / unit : 0;
  }
}

void RobustInputs::apply(const float* row, float* out) const {
  for (std::size_t c = 0; c < centre_.size(); ++c) {
    const double s = std::clamp((static_cast<double>(row[c]) - centre_[c]) * factor_[c], -s_bound, s_bound);
    out[c] = static_cast<float>(s / std::sqrt(1 + s / z_bound * (s / z_bound)));
  }
}

MatrixF RobustInputs::apply(const InputPool& x, RowsView rows) const {
  MatrixF z(std::ssize(rows), columns());
  for (Index r = 0; r < z.rows(); ++r) apply(x.floats().row(rows[static_cast<std::size_t>(r)]).data(), z.row(r).data());
  return z;
}

void RobustInputs::save(Archive archive) const {
  archive.put("centre", centre_);
  archive.put("factor", factor_);
}

RobustInputs RobustInputs::load(const Archive& archive, Index inputs) {
  RobustInputs result;
  result.centre_ = archive.get<std::vector<double>>("centre");
  result.factor_ = archive.get<std::vector<double>>("factor");
  const auto finite = [](double value) { return std::isfinite(value); };
  if (std::ssize(result.centre_) != inputs || std::ssize(result.factor_) != inputs ||
      !std::all_of(result.centre_.begin(), result.centre_.end(), finite) ||
      !std::all_of(result.factor_.begin(), result.factor_.end(), finite))
    throw Error(format_text(
        "the scales of the predictor's inputs in the model file do not fit its {} inputs: the file is damaged", inputs));
  return result;
}

namespace {

constexpr Index max_sorted = 20'000;  // maximum number of rows for knots
constexpr Index min_bins = 2;         // a single bin is a linear function of z

// Distinct quantiles at equally spaced probabilities.
std::vector<float> knots_of(std::vector<float>& values, RowWeights weights, Index bins) {
  const std::vector<double> cells(values.begin(), weights.empty() ? values.begin() : values.end());
  const RepeatedValues repeated(cells, weights);
  std::sort(values.begin(), values.end());
  std::vector<float> knots;
  for (Index b = 0; b <= bins; ++b) {
    const float knot = weights.empty() ? values[static_cast<std::size_t>((std::ssize(values) - 1) * b / bins)]
                                       : static_cast<float>(repeated.at(std::max(
                                             0.0, (repeated.size() - 1) * static_cast<double>(b) / static_cast<double>(bins))));
    if (knots.empty() || knot > knots.back() + 1e-4F) knots.push_back(knot);
  }
  return knots;
}

}  // namespace

PiecewiseInputs::PiecewiseInputs(const MatrixF& z, Index max_bins, Index max_width, RowWeights weights) : columns_(z.cols()) {
  const Index used = std::min(z.rows(), max_sorted);
  if (used == 0) return;
  std::vector<double> of_used;
  for (Index i = 0; i < used && !weights.empty(); ++i) of_used.push_back(weight_of(weights, i * z.rows() / used));
  std::vector<std::vector<float>> values(static_cast<std::size_t>(columns_));
  Index graded = 0;  // columns with more than two values
  for (Index c = 0; c < columns_; ++c) {
    auto& own = values[static_cast<std::size_t>(c)];
    own.resize(static_cast<std::size_t>(used));
    for (Index i = 0; i < used; ++i) own[static_cast<std::size_t>(i)] = z(i * z.rows() / used, c);
    const auto [minimum, maximum] = std::minmax_element(own.begin(), own.end());
    if (std::all_of(own.begin(), own.end(), [low = *minimum, high = *maximum](float v) { return v == low || v == high; }))
      own.clear();
    else
      ++graded;
  }
  if (graded == 0) return;
  const Index bins = std::min(max_bins, max_width / graded);
  if (bins < min_bins) return;
  for (Index c = 0; c < columns_; ++c) {
    auto& own = values[static_cast<std::size_t>(c)];
    if (own.empty()) continue;
    const std::vector<float> knots = knots_of(own, of_used, bins);
    if (std::ssize(knots) <= min_bins) continue;
    for (std::size_t b = 0; b + 1 < knots.size(); ++b) {
      column_.push_back(static_cast<std::int32_t>(c));
      from_.push_back(knots[b]);
      factor_.push_back(1 / (knots[b + 1] - knots[b]));
    }
  }
  count_bins();
}

void PiecewiseInputs::count_bins() {
  rank_.resize(column_.size());
  part_.resize(column_.size());
  ranked_ = 0;
  ends_.clear();
  for (std::size_t begin = 0, end = 0; begin < column_.size(); begin = end, ++ranked_) {
    while (end < column_.size() && column_[end] == column_[begin]) ++end;
    ends_.push_back(end);
    for (std::size_t b = begin; b < end; ++b) {
      rank_[b] = static_cast<std::int32_t>(columns_ + ranked_);
      part_[b] = 2 / static_cast<float>(end - begin);
    }
  }
}

void PiecewiseInputs::apply(const float* z, float* out) const {
  std::copy_n(z, columns_, out);
  float* const shares = out + columns_;
  std::size_t begin = 0;
  for (const std::size_t end : ends_) {
    // One value against consecutive bins: the compiler vectorises this loop.
    const float value = z[column_[begin]];
    for (std::size_t b = begin; b < end; ++b) shares[b] = share(value, b);
    begin = end;
  }
}

void PiecewiseInputs::apply_ranks(const float* z, float* out) const {
  std::copy_n(z, columns_, out);
  std::fill_n(out + columns_, ranked_, -1.0F);
  for (std::size_t b = 0; b < from_.size(); ++b) out[rank_[b]] += part_[b] * share(z[column_[b]], b);
}

DescribedBins PiecewiseInputs::describe(const RobustInputs& z) const {
  return {z.centre(), z.factor(), column_, from_, factor_, rank_, part_, ranked_};
}

void PiecewiseInputs::save(Archive archive) const {
  archive.put("column", column_);
  archive.put("from", from_);
  archive.put("factor", factor_);
}

PiecewiseInputs PiecewiseInputs::load(const Archive& archive, Index columns) {
  PiecewiseInputs result;
  result.columns_ = columns;
  result.column_ = archive.get<std::vector<std::int32_t>>("column");
  result.from_ = archive.get<std::vector<float>>("from");
  result.factor_ = archive.get<std::vector<float>>("factor");
  bool fits = result.column_.size() == result.from_.size() && result.column_.size() == result.factor_.size();
  for (std::size_t b = 0; fits && b < result.column_.size(); ++b)
    fits = result.column_[b] >= 0 && result.column_[b] < columns && std::isfinite(result.from_[b]) &&
           std::isfinite(result.factor_[b]) && result.factor_[b] > 0;
  if (!fits) throw Error("the bins of the predictor's inputs in the model file do not fit it: the file is damaged");
  result.count_bins();
  return result;
}

}  // namespace taut
