#include <taut/foreign/foreign_codes.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

// Counts the thresholds that send a cell right: those <= the cell if `strict`, otherwise those < the cell. All rows take the same
// steps of a binary search, so that it can be vectorised. For NaN the count is 0.
template <class Number>
void rank_among(const std::vector<Number>& among, const Number* cells, std::size_t count, bool strict, std::int32_t* ranks) {
  std::fill_n(ranks, count, 0);
  auto left = static_cast<std::int32_t>(among.size());
  const Number* const thresholds = among.data();
  while (left > 1) {
    const std::int32_t half = left / 2;
    const Number* const middle = thresholds + (half - 1);
    if (strict)
      for (std::size_t row = 0; row < count; ++row) ranks[row] += middle[ranks[row]] <= cells[row] ? half : 0;
    else
      for (std::size_t row = 0; row < count; ++row) ranks[row] += middle[ranks[row]] < cells[row] ? half : 0;
    left -= half;
  }
  if (left == 0) return;
  for (std::size_t row = 0; row < count; ++row)
    ranks[row] += (strict ? thresholds[ranks[row]] <= cells[row] : thresholds[ranks[row]] < cells[row]) ? 1 : 0;
}

bool is_float(double value) { return static_cast<double>(static_cast<float>(value)) == value; }

}  // namespace

ForeignCodes::ForeignCodes(const ForeignModel& model)
    : strict_(model.strict),
      float_inputs_(model.float_inputs),
      tiny_is_zero_(model.tiny_is_zero),
      features_(model.features.size()) {
  for (std::size_t f = 0; f < features_.size(); ++f) {
    features_[f].numbers = model.features[f].numbers;
    features_[f].categories = static_cast<double>(model.features[f].texts.size());
  }
  for (const ForeignTree& tree : model.trees)
    for (const ForeignNode& node : tree) {
      if (node.is_leaf()) continue;
      Feature& feature = features_[static_cast<std::size_t>(node.feature)];
      if (node.set < 0) feature.thresholds.push_back(node.value);
      const bool known = std::any_of(feature.columns.begin(), feature.columns.end(), [&](std::uint32_t at) {
        return columns_[at].is_category == (node.set >= 0) && columns_[at].missing == node.missing;
      });
      if (known) continue;
      feature.columns.push_back(static_cast<std::uint32_t>(columns_.size()));
      columns_.push_back({node.set >= 0, node.missing});
    }
  for (Feature& feature : features_) {
    std::sort(feature.thresholds.begin(), feature.thresholds.end());
    feature.thresholds.erase(std::unique(feature.thresholds.begin(), feature.thresholds.end()), feature.thresholds.end());
    feature.thresholds.shrink_to_fit();
    if (float_inputs_ && std::all_of(feature.thresholds.begin(), feature.thresholds.end(), is_float))
      for (const double threshold : feature.thresholds) feature.narrow.push_back(static_cast<float>(threshold));
    const double zero = 0;
    rank(feature, &zero, 1, &feature.code_of_zero);
  }
}

std::uint32_t ForeignCodes::column_of(const ForeignNode& node) const {
  const auto& known = features_[static_cast<std::size_t>(node.feature)].columns;
  return *std::find_if(known.begin(), known.end(), [&](std::uint32_t at) {
    return columns_[at].is_category == (node.set >= 0) && columns_[at].missing == node.missing;
  });
}

std::uint32_t ForeignCodes::threshold_of(const ForeignNode& node) const {
  const auto& thresholds = features_[static_cast<std::size_t>(node.feature)].thresholds;
  return static_cast<std::uint32_t>(std::lower_bound(thresholds.begin(), thresholds.end(), node.value) - thresholds.begin()) + 1;
}

std::size_t ForeignCodes::max_thresholds() const {
  std::size_t maximum = 0;
  for (const Feature& feature : features_) maximum = std::max(maximum, feature.thresholds.size());
  return maximum;
}

bool ForeignCodes::has_categories() const {
  return std::any_of(columns_.begin(), columns_.end(), [](const CodeColumn& column) { return column.is_category; });
}

void ForeignCodes::prepare(const Feature& feature, double* cells, std::size_t count) const {
  if (!feature.numbers.empty())  // a category given by its number becomes its position; an unknown one is missing
    for (std::size_t row = 0; row < count; ++row) {
      const auto found = std::lower_bound(feature.numbers.begin(), feature.numbers.end(), cells[row]);
      const bool known = found != feature.numbers.end() && *found == cells[row];
      cells[row] = known ? static_cast<double>(found - feature.numbers.begin()) : missing;
    }
  else if (feature.categories > 0)  // an unknown text is missing
    for (std::size_t row = 0; row < count; ++row) cells[row] = cells[row] < feature.categories ? cells[row] : missing;
  if (float_inputs_)
    for (std::size_t row = 0; row < count; ++row) cells[row] = static_cast<double>(static_cast<float>(cells[row]));
  if (tiny_is_zero_)
    for (std::size_t row = 0; row < count; ++row) cells[row] = std::abs(cells[row]) <= foreign_tiny ? 0 : cells[row];
}

void ForeignCodes::rank(const Feature& feature, const double* cells, std::size_t count, std::int32_t* ranks) const {
  if (feature.narrow.empty()) return rank_among(feature.thresholds, cells, count, strict_, ranks);
  std::array<float, width> narrow;
  for (std::size_t row = 0; row < count; ++row) narrow[row] = static_cast<float>(cells[row]);
  rank_among(feature.narrow, narrow.data(), count, strict_, ranks);
}

std::uint32_t ForeignCodes::category_of(const Feature& feature, double cell) const {
  constexpr double maximum = 2147483648.0;
  const bool is_position = !feature.numbers.empty() || feature.categories > 0;
  // LightGBM truncates −0.5 to category 0; XGBoost has no category below 0.
  const bool is_one = (strict_ || is_position ? cell >= 0 : cell > -1) && cell < maximum;
  return is_one ? static_cast<std::uint32_t>(cell) : category_out;
}

template <class Code>
void ForeignCodes::encode(double* cells, std::size_t count, Code* out, std::size_t column_step, std::size_t row_step) const {
  std::array<std::int32_t, width> ranks;
  const auto cut = [](std::uint32_t code) { return static_cast<Code>(code); };
  for (std::size_t f = 0; f < features_.size(); ++f, cells += width) {
    const Feature& feature = features_[f];
    if (feature.columns.empty()) continue;
    prepare(feature, cells, count);
    rank(feature, cells, count, ranks.data());
    for (const std::uint32_t at : feature.columns) {
      const CodeColumn& column = columns_[at];
      Code* const to = out + at * column_step;
      const auto put = [&](auto code_of) {
        for (std::size_t row = 0; row < count; ++row) to[row * row_step] = code_of(cells[row], static_cast<Code>(ranks[row]));
      };
      if (column.is_category) {
        const std::uint32_t instead = column.missing == ForeignMissing::left ? category_in : category_out;
        put([&](double cell, Code) { return cut(std::isnan(cell) ? instead : category_of(feature, cell)); });
        continue;
      }
      const auto is_zero = [](double cell) { return std::isnan(cell) || std::abs(cell) <= foreign_tiny; };
      switch (column.missing) {
        case ForeignMissing::left:
          put([&](double, Code code) { return code; });
          break;  // the code of NaN is 0, which goes left
        case ForeignMissing::right:
          put([&](double cell, Code code) { return std::isnan(cell) ? cut(right) : code; });
          break;
        case ForeignMissing::as_zero:
          put([&](double cell, Code code) { return std::isnan(cell) ? static_cast<Code>(feature.code_of_zero) : code; });
          break;
        case ForeignMissing::zero_left:
          put([&](double cell, Code code) { return is_zero(cell) ? Code{0} : code; });
          break;
        case ForeignMissing::zero_right:
          put([&](double cell, Code code) { return is_zero(cell) ? cut(right) : code; });
          break;
      }
    }
  }
}

template void ForeignCodes::encode(double*, std::size_t, std::uint8_t*, std::size_t, std::size_t) const;
template void ForeignCodes::encode(double*, std::size_t, std::uint16_t*, std::size_t, std::size_t) const;
template void ForeignCodes::encode(double*, std::size_t, std::uint32_t*, std::size_t, std::size_t) const;

}  // namespace taut
