#include <taut/fit/beyond_training.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace taut {

namespace {

// The mean half-width of intervals at 0.9 is about twice the mean size of residuals, the unit.
constexpr double typical_half_width = 2;
// A slope that chance may explain, as that of a row number, counts as none.
constexpr double min_standard_errors = 3;

// Of one input and z, over the rows in which it is known.
struct Moments {
  double rows = 0, weight = 0, x = 0, z = 0;  // first pass
  double x_x = 0, x_z = 0, z_z = 0;           // second pass, about the means
  double low = infinity, high = -infinity;

  double slope() const { return std::abs(x_z) / x_x; }
  bool is_clear() const {
    const double correlation = std::abs(x_z) / std::sqrt(x_x) / std::sqrt(z_z);
    return std::isfinite(slope()) && correlation * std::sqrt(rows) >= min_standard_errors;
  }
};

// The inputs that are numbers or parts of dates, neither codes nor means of categories.
std::vector<Index> numbers_of(const Encoder& encoder, const std::vector<Column>& columns) {
  std::vector<Index> numbers;
  const std::vector<Index> column_of = encoder.column_of_inputs();
  for (Index input = 0; input < std::ssize(column_of); ++input)
    if (!columns[static_cast<std::size_t>(column_of[static_cast<std::size_t>(input)])].is_categorical()) numbers.push_back(input);
  return numbers;
}

}  // namespace

BeyondTraining::BeyondTraining(const MatrixF& inputs, const Encoder& encoder, const std::vector<Column>& columns,
                               std::span<const double> z, RowWeights weights, double unit) {
  const std::vector<Index> numbers = numbers_of(encoder, columns);
  double smallest = infinity, largest = -infinity;
  std::vector<Moments> moments(numbers.size());
  const auto each_known = [&](const auto& add) {
    for (Index row = 0; row < inputs.rows(); ++row) {
      const double of_row = z[static_cast<std::size_t>(row)] / unit, weight = weight_of(weights, row);
      if (!std::isfinite(of_row) || !(weight > 0)) continue;
      smallest = std::min(smallest, of_row);
      largest = std::max(largest, of_row);
      for (std::size_t i = 0; i < numbers.size(); ++i)
        if (const double x = inputs(row, numbers[i]); !std::isnan(x)) add(moments[i], x, of_row, weight);
    }
  };
  each_known([](Moments& own, double x, double of_row, double weight) {
    own.rows += 1;
    own.weight += weight;
    own.x += weight * x;
    own.z += weight * of_row;
    own.low = std::min(own.low, x);
    own.high = std::max(own.high, x);
  });
  each_known([](Moments& own, double x, double of_row, double weight) {
    const double dx = x - own.x / own.weight, dz = of_row - own.z / own.weight;
    own.x_x += weight * dx * dx;
    own.x_z += weight * dx * dz;
    own.z_z += weight * dz * dz;
  });
  max_growth_ = (largest - smallest) / typical_half_width;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (moments[i].is_clear())
      ranges_.push_back({numbers[i], moments[i].low, moments[i].high, moments[i].slope() / typical_half_width});
}

BeyondTraining::Growth BeyondTraining::of(const float* inputs) const {
  Growth largest{0, 0};
  for (const Range& range : ranges_) {
    const double x = inputs[range.input];
    const double beyond = x < range.low ? range.low - x : x > range.high ? x - range.high : 0;  // 0 for a missing cell
    if (beyond * range.slope > largest.of_scale) largest = {beyond * range.slope, range.input};
  }
  largest.of_scale = std::min(largest.of_scale, max_growth_);
  return largest;
}

void BeyondTraining::save(Archive archive) const {
  std::vector<std::int64_t> inputs;
  std::vector<double> low, high, slope;
  for (const Range& range : ranges_) {
    inputs.push_back(range.input);
    low.push_back(range.low);
    high.push_back(range.high);
    slope.push_back(range.slope);
  }
  archive.put("inputs", inputs);
  archive.put("low", low);
  archive.put("high", high);
  archive.put("slope", slope);
  archive.put("max_growth", max_growth_);
}

BeyondTraining BeyondTraining::load(const Archive& archive, Index inputs) {
  const auto& input = archive.get<std::vector<std::int64_t>>("inputs");
  const auto& low = archive.get<std::vector<double>>("low");
  const auto& high = archive.get<std::vector<double>>("high");
  const auto& slope = archive.get<std::vector<double>>("slope");
  bool holds = low.size() == input.size() && high.size() == input.size() && slope.size() == input.size();
  BeyondTraining result;
  result.max_growth_ = archive.number("max_growth");
  holds = holds && result.max_growth_ >= 0 && std::isfinite(result.max_growth_);
  for (std::size_t i = 0; holds && i < input.size(); ++i) {
    holds = input[i] >= 0 && input[i] < inputs && low[i] <= high[i] && slope[i] >= 0 && std::isfinite(slope[i]);
    result.ranges_.push_back({input[i], low[i], high[i], slope[i]});
  }
  if (!holds) throw Error("the model file's ranges of training rows make no sense: it is damaged");
  return result;
}

}  // namespace taut
