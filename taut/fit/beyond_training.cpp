#include <taut/fit/beyond_training.hpp>

#include <taut/core/error.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Intervals at 0.9 reach up to about twice the mean size of residuals, the unit, to each side.
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
  Rows rows;
  for (Index row = 0; row < inputs.rows(); ++row)
    if (std::isfinite(z[static_cast<std::size_t>(row)] / unit) && weight_of(weights, row) > 0) rows.push_back(row);
  const auto each_known = [&](const auto& add) {
    for (const Index row : rows) {
      const double of_row = z[static_cast<std::size_t>(row)] / unit, weight = weight_of(weights, row);
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
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!moments[i].is_clear()) continue;
    inputs_.push_back(numbers[i]);
    low_.push_back(moments[i].low);
    high_.push_back(moments[i].high);
    slope_.push_back(moments[i].slope() / typical_half_width);
  }
  boxes_ = {inputs, rows, inputs_, slope_};
}

BeyondTraining::Growth BeyondTraining::of(const float* inputs) const {
  Growth largest{0, 0};
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const double x = inputs[inputs_[i]];
    const double beyond = x < low_[i] ? low_[i] - x : x > high_[i] ? x - high_[i] : 0;  // 0 for a missing cell
    if (beyond * slope_[i] > largest.of_scale) largest = {beyond * slope_[i], inputs_[i]};
  }
  const TrainingBoxes::Distance distance = boxes_.of(inputs);
  if (distance.size > largest.of_scale) largest = {distance.size, distance.input};
  largest.of_scale = std::min(largest.of_scale, max_growth_);
  return largest;
}

void BeyondTraining::save(Archive archive) const {
  archive.put("inputs", inputs_);
  archive.put("low", low_);
  archive.put("high", high_);
  archive.put("slope", slope_);
  archive.put("max_growth", max_growth_);
  if (!boxes_.empty()) boxes_.save(archive.scope("boxes"));
}

BeyondTraining BeyondTraining::load(const Archive& archive, Index inputs) {
  BeyondTraining result;
  auto& [input, low, high, slope, boxes, max_growth] = result;
  input = archive.get<std::vector<std::int64_t>>("inputs");
  low = archive.get<std::vector<double>>("low");
  high = archive.get<std::vector<double>>("high");
  slope = archive.get<std::vector<double>>("slope");
  max_growth = archive.number("max_growth");
  bool holds = low.size() == input.size() && high.size() == input.size() && slope.size() == input.size() && max_growth >= 0 &&
               std::isfinite(max_growth);
  for (std::size_t i = 0; holds && i < input.size(); ++i)
    holds = input[i] >= 0 && input[i] < inputs && low[i] <= high[i] && slope[i] >= 0 && std::isfinite(slope[i]);
  if (!holds) throw Error("the model file's ranges of training rows make no sense: it is damaged");
  if (archive.has_scope("boxes")) boxes = TrainingBoxes::load(archive.scope("boxes"), inputs);
  return result;
}

}  // namespace taut
