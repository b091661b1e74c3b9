#include <taut/predict/target_scale.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace taut {

// Sums are in units of the largest absolute value, so that very large targets do not overflow.
StandardUnits StandardUnits::of(std::span<const double> values, RowWeights weights) {
  StandardUnits units;
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value));
  if (largest == 0) return units;
  const double n = total_weight(weights, std::ssize(values));
  double mean = 0, deviation = 0;
  for (std::size_t i = 0; i < values.size(); ++i) mean += weight_of(weights, static_cast<Index>(i)) * (values[i] / largest / n);
  for (std::size_t i = 0; i < values.size(); ++i)
    deviation += weight_of(weights, static_cast<Index>(i)) * (std::abs(values[i] / largest - mean) / n);
  units.centre = mean * largest;
  if (deviation * largest > 0) units.unit = deviation * largest;
  return units;
}

double StandardUnits::value(double standard) const {
  const double value = centre + unit * standard;
  if (std::isfinite(value)) return value;
  return std::isnan(value) ? centre : std::copysign(std::numeric_limits<double>::max(), value);
}

void StandardUnits::save(Archive archive) const {
  archive.put("centre", centre);
  archive.put("unit", unit);
}

StandardUnits StandardUnits::load(const Archive& archive) {
  const StandardUnits units{archive.number("centre"), archive.number("unit")};
  if (!std::isfinite(units.centre) || !(units.unit > 0) || !std::isfinite(units.unit))
    throw Error("the model file's units of the target make no sense: it is damaged");
  return units;
}

namespace {

// A target is skewed if its 95 % quantile is more than `min_skew` times as far from the median as its 5 % quantile.
constexpr double min_skew = 1.3;

bool is_skewed_to_the_right(std::span<const double> y, RowWeights weights) {
  const RepeatedValues sorted(y, weights);
  const auto at = [&](double share) { return sorted.at(std::max(0.0, share * (sorted.size() - 1))); };
  const double median = at(0.5);
  return at(0.95) - median > min_skew * (median - at(0.05));
}

}  // namespace

TargetScale::Form TargetScale::form_of(const std::string& name) {
  const auto form = scale_form_named(name);
  if (!form)
    throw Error(format_text("the model file names the unknown target scale '{}': it is damaged, or of a later version", name));
  return *form;
}

std::vector<std::string> TargetScale::worth_trying(std::span<const double> y, RowWeights weights) {
  std::vector<std::string> scales = {"as-is"};
  if (y.empty()) return scales;
  const double minimum = *std::min_element(y.begin(), y.end());
  if (minimum < 0 || !is_skewed_to_the_right(y, weights)) return scales;
  scales.emplace_back("root");
  if (minimum > 0) scales.emplace_back("log");
  return scales;
}

TargetScale::TargetScale(const std::string& name, std::span<const double> y) : form_(form_of(name)) {
  if (is_identity() || y.empty()) return;
  const auto [minimum, maximum] = std::minmax_element(y.begin(), y.end());
  if (form_ == Form::log && !(*minimum > 0))
    throw Error(format_text(
        "--target-scale log needs targets above 0, the smallest training target is {}; --target-scale root takes any number",
        print_number(*minimum)));
  const double low = forward(*minimum), high = forward(*maximum), margin = (high - low) / 2;
  minimum_ = low - margin;
  maximum_ = high + margin;
}

double TargetScale::backward(double scaled) const {
  if (is_identity()) return scaled;
  return from_scale(form_, std::clamp(scaled, minimum_, maximum_));
}

void TargetScale::save(Archive archive) const {
  archive.put("target_scale", name());
  if (is_identity()) return;
  archive.put("target_least", minimum_);
  archive.put("target_most", maximum_);
}

TargetScale TargetScale::load(const Archive& archive) {
  TargetScale scale;
  if (!archive.has("target_scale")) return scale;  // the identity is not saved
  scale.form_ = form_of(archive.text("target_scale"));
  if (scale.is_identity()) return scale;
  scale.minimum_ = archive.number("target_least");
  scale.maximum_ = archive.number("target_most");
  if (!std::isfinite(scale.minimum_) || !std::isfinite(scale.maximum_) || scale.minimum_ > scale.maximum_)
    throw Error("the model file's range of the target makes no sense: it is damaged");
  return scale;
}

}  // namespace taut
