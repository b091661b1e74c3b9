#include <taut/predict/robust_inputs.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double softest = 3;       // where z bends
constexpr double farthest = 1e9;    // of s: its square must stay finite; z is at its bound to the last bit long before
constexpr Index most_ranked = 20'000;  // rows that medians and quartiles are taken from

}  // namespace

RobustInputs::RobustInputs(const InputPool& x, RowsView rows)
    : centre_(static_cast<std::size_t>(x.columns())), factor_(static_cast<std::size_t>(x.columns())) {
  const Index n = std::ssize(rows);
  const Index used = std::min(n, most_ranked);
  if (used == 0) return;
  std::vector<double> values(static_cast<std::size_t>(used));
  for (std::size_t c = 0; c < centre_.size(); ++c) {
    for (Index i = 0; i < used; ++i)
      values[static_cast<std::size_t>(i)] =
          static_cast<double>(x.floats()(rows[static_cast<std::size_t>(i * n / used)], static_cast<Index>(c)));
    std::sort(values.begin(), values.end());
    const auto quantile = [&](Index quarters) { return values[static_cast<std::size_t>((used - 1) * quarters / 4)]; };
    centre_[c] = quantile(2);
    double unit = quantile(3) - quantile(1);
    if (!(unit > 0)) unit = (values.back() - values.front()) / 2;
    factor_[c] = unit > 0 && std::isfinite(1 / unit) ? 1 / unit : 0;
  }
}

void RobustInputs::apply(const float* row, float* out) const {
  for (std::size_t c = 0; c < centre_.size(); ++c) {
    const double s = std::clamp((static_cast<double>(row[c]) - centre_[c]) * factor_[c], -farthest, farthest);
    out[c] = static_cast<float>(s / std::sqrt(1 + s / softest * (s / softest)));
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
    throw Error("the scales of the predictor's inputs in the model file do not fit its " + std::to_string(inputs) +
                " inputs: the file is damaged");
  return result;
}

}  // namespace taut
