#include <taut/foreign/foreign_forest.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr Index foreign_block = 128;         // rows that walk through a tree together
constexpr std::size_t foreign_lanes = 8;     // walks in flight
constexpr std::uint32_t code_right = 0xFFFFFFFFU;  // not below any threshold
constexpr std::uint32_t set_flag = 0x80000000U;    // of a column: its codes are categories
// Codes of categories: in every set, in none.
constexpr std::uint32_t category_in = 0xFFFFFFFFU, category_out = 0xFFFFFFFEU;

}  // namespace

// Building.

std::uint32_t ForeignForest::column_for(const ForeignNode& node) {
  Feature& feature = features_[static_cast<std::size_t>(node.feature)];
  const bool is_category = node.set >= 0;
  for (const std::uint32_t known : feature.columns)
    if (columns_[known].is_category == is_category && columns_[known].missing == node.missing) return known;
  feature.columns.push_back(static_cast<std::uint32_t>(columns_.size()));
  columns_.push_back({node.feature, is_category, node.missing});
  return feature.columns.back();
}

std::uint32_t ForeignForest::threshold_of(const ForeignNode& node) const {
  const auto& thresholds = features_[static_cast<std::size_t>(node.feature)].thresholds;
  return static_cast<std::uint32_t>(std::lower_bound(thresholds.begin(), thresholds.end(), node.value) - thresholds.begin()) + 1;
}

void ForeignForest::add_sets(const ForeignModel& model) {
  for (const auto& set : model.sets) {
    set_starts_.push_back(static_cast<std::uint32_t>(sets_.size()));
    sets_.push_back(static_cast<std::uint32_t>(32 * set.size()));
    sets_.insert(sets_.end(), set.begin(), set.end());
  }
}

void ForeignForest::add_trees(const ForeignModel& model) {
  for (const ForeignTree& tree : model.trees) {
    const auto root = static_cast<std::uint32_t>(nodes_.size());
    roots_.push_back(root);
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const ForeignNode& node = tree[i];
      values_.push_back(node.value);
      if (node.is_leaf()) {  // looks at the column behind the last, whose code is always 0
        nodes_.push_back({code_right, static_cast<std::uint32_t>(columns_.size()), root + static_cast<std::uint32_t>(i)});
        continue;
      }
      has_sets_ = has_sets_ || node.set >= 0;
      const std::uint32_t column = column_for(node);
      nodes_.push_back({node.set >= 0 ? set_starts_[static_cast<std::size_t>(node.set)] : threshold_of(node),
                        node.set >= 0 ? column | set_flag : column, root + static_cast<std::uint32_t>(node.left)});
    }
  }
}

// With at most 254 thresholds a column the codes are bytes, and many rows go through a level at once.
bool ForeignForest::find_symmetry(const ForeignModel& model) {
  constexpr std::size_t most_thresholds = 254, most_splits = 16;
  if (model.float_sums || !model.sets.empty()) return false;
  for (const Feature& feature : features_)
    if (feature.thresholds.size() > most_thresholds || !feature.numbers.empty() || feature.categories > 0) return false;
  for (const ForeignTree& tree : model.trees) {
    std::size_t depth = 0;
    while ((std::size_t{2} << depth) - 1 < tree.size()) ++depth;
    if ((std::size_t{2} << depth) - 1 != tree.size() || depth > most_splits) return false;
    symmetric_.push_back({static_cast<std::uint32_t>(splits_.size()), static_cast<std::uint32_t>(depth),
                          static_cast<std::uint32_t>(leaves_.size())});
    for (std::size_t level = 0, at = 0; level < depth; ++level) {
      const ForeignNode& first = tree[at];
      for (std::size_t i = 0; i < std::size_t{1} << level; ++i, ++at) {
        const ForeignNode& node = tree[at];
        if (node.is_leaf() || node.feature != first.feature || node.value != first.value || node.missing != first.missing) return false;
      }
      splits_.push_back({column_for(first), static_cast<std::uint8_t>(threshold_of(first))});
    }
    for (std::size_t at = (std::size_t{1} << depth) - 1; at < tree.size(); ++at) {
      if (!tree[at].is_leaf()) return false;
      leaves_.push_back(tree[at].value);
    }
  }
  return true;
}

ForeignForest::ForeignForest(const ForeignModel& model)
    : strict_(model.strict),
      float_inputs_(model.float_inputs),
      float_sums_(model.float_sums),
      tiny_is_zero_(model.tiny_is_zero),
      start_(model.start),
      divisor_(model.divisor),
      scale_(model.scale),
      bias_(model.bias),
      link_(model.link) {
  if (model.nodes() >= set_flag) throw Error("the model has too many nodes: " + std::to_string(model.nodes()));
  features_.resize(model.features.size());
  for (std::size_t f = 0; f < features_.size(); ++f) {
    features_[f].numbers = model.features[f].numbers;
    features_[f].categories = static_cast<std::uint32_t>(model.features[f].texts.size());
  }
  for (const ForeignTree& tree : model.trees)
    for (const ForeignNode& node : tree)
      if (!node.is_leaf() && node.set < 0) features_[static_cast<std::size_t>(node.feature)].thresholds.push_back(node.value);
  for (Feature& feature : features_) {
    std::sort(feature.thresholds.begin(), feature.thresholds.end());
    feature.thresholds.erase(std::unique(feature.thresholds.begin(), feature.thresholds.end()), feature.thresholds.end());
    feature.thresholds.shrink_to_fit();
    feature.code_of_zero = rank(feature, 0);
  }
  add_sets(model);
  is_symmetric_ = find_symmetry(model);
  if (is_symmetric_) return;
  symmetric_.clear();
  splits_.clear();
  leaves_.clear();
  // All columns must be known before a leaf can look behind the last.
  for (const ForeignTree& tree : model.trees)
    for (const ForeignNode& node : tree)
      if (!node.is_leaf()) column_for(node);
  add_trees(model);
}

// Evaluating.

// How many thresholds send a cell right: those that it is not below (strict), or that are below it.
std::uint32_t ForeignForest::rank(const Feature& feature, double cell) const {
  const double* base = feature.thresholds.data();
  std::size_t left = feature.thresholds.size();
  if (left == 0) return 0;
  if (strict_) {
    while (left > 1) {
      const std::size_t half = left / 2;
      base += base[half - 1] <= cell ? half : 0;
      left -= half;
    }
    return static_cast<std::uint32_t>(base - feature.thresholds.data()) + (*base <= cell ? 1U : 0U);
  }
  while (left > 1) {
    const std::size_t half = left / 2;
    base += base[half - 1] < cell ? half : 0;
    left -= half;
  }
  return static_cast<std::uint32_t>(base - feature.thresholds.data()) + (*base < cell ? 1U : 0U);
}

std::uint32_t ForeignForest::category_of(const Feature& feature, double cell) const {
  constexpr double most = 2147483648.0;
  if (!feature.numbers.empty() || feature.categories > 0) return static_cast<std::uint32_t>(cell);  // a position already
  // LightGBM cuts −0.5 off to 0, XGBoost knows no category below 0.
  const bool is_one = (strict_ ? cell >= 0 : cell > -1) && cell < most;
  return is_one ? static_cast<std::uint32_t>(cell) : category_out;
}

template <class Put>
void ForeignForest::encode(const double* cells, Put put) const {
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const Feature& feature = features_[f];
    if (feature.columns.empty()) continue;
    double cell = cells[f];
    if (!feature.numbers.empty()) {  // a category by its number: its position; one that the model does not know is missing
      const auto found = std::lower_bound(feature.numbers.begin(), feature.numbers.end(), cell);
      const bool known = found != feature.numbers.end() && *found == cell;
      cell = known ? static_cast<double>(found - feature.numbers.begin()) : missing;
    } else if (feature.categories > 0 && cell >= feature.categories) {
      cell = missing;  // a text that the model does not know
    }
    if (float_inputs_) cell = static_cast<double>(static_cast<float>(cell));
    if (tiny_is_zero_ && std::abs(cell) <= foreign_tiny) cell = 0;
    const bool is_missing = std::isnan(cell);
    const bool is_zero = cell >= -foreign_tiny && cell <= foreign_tiny;
    const std::uint32_t code = is_missing ? 0 : rank(feature, cell);
    for (const std::uint32_t at : feature.columns) {
      const CodeColumn& column = columns_[at];
      if (column.is_category) {
        put(at, !is_missing ? category_of(feature, cell) : column.missing == ForeignMissing::left ? category_in : category_out);
        continue;
      }
      switch (column.missing) {
        case ForeignMissing::left: put(at, is_missing ? 0 : code); break;
        case ForeignMissing::right: put(at, is_missing ? code_right : code); break;
        case ForeignMissing::as_zero: put(at, is_missing ? feature.code_of_zero : code); break;
        case ForeignMissing::zero_left: put(at, is_missing || is_zero ? 0 : code); break;
        case ForeignMissing::zero_right: put(at, is_missing || is_zero ? code_right : code); break;
      }
    }
  }
}

template <bool has_sets>
std::uint32_t ForeignForest::step(std::uint32_t node, const std::uint32_t* codes) const {
  const Node& here = nodes_[node];
  if constexpr (has_sets) {
    if ((here.column & set_flag) != 0) {
      const std::uint32_t code = codes[here.column & ~set_flag];
      const std::uint32_t* set = sets_.data() + here.threshold;
      const bool is_in = code == category_in || (code < set[0] && ((set[1 + code / 32] >> (code % 32)) & 1U) != 0);
      return here.left + (is_in ? 0U : 1U);
    }
  }
  return here.left + (codes[here.column] >= here.threshold ? 1U : 0U);
}

// Lanes walk until none moves: only leaves stay where they are.
template <bool has_sets, class Sum>
void ForeignForest::add_block(const std::uint32_t* codes, Index rows, Sum* sums) const {
  const std::size_t stride = columns_.size() + 1;
  for (const std::uint32_t root : roots_) {
    for (Index first = 0; first < rows; first += static_cast<Index>(foreign_lanes)) {
      const std::uint32_t* const from = codes + static_cast<std::size_t>(first) * stride;
      std::array<std::uint32_t, foreign_lanes> at;
      at.fill(root);
      for (std::uint32_t moved = 1; moved != 0;) {
        for (int some = 0; some < 3; ++some)
          for (std::size_t lane = 0; lane < foreign_lanes; ++lane) at[lane] = step<has_sets>(at[lane], from + lane * stride);
        moved = 0;
        for (std::size_t lane = 0; lane < foreign_lanes; ++lane) {
          const std::uint32_t next = step<has_sets>(at[lane], from + lane * stride);
          moved |= next ^ at[lane];
          at[lane] = next;
        }
      }
      for (std::size_t lane = 0; lane < foreign_lanes; ++lane) sums[static_cast<std::size_t>(first) + lane] += static_cast<Sum>(values_[at[lane]]);
    }
  }
}

// One row: eight trees walk at a time.
template <bool has_sets, class Sum>
double ForeignForest::add_row(const std::uint32_t* codes) const {
  auto sum = static_cast<Sum>(start_);
  for (std::size_t tree = 0; tree < roots_.size(); tree += foreign_lanes) {
    const std::size_t count = std::min(foreign_lanes, roots_.size() - tree);
    std::array<std::uint32_t, foreign_lanes> at;
    for (std::size_t lane = 0; lane < foreign_lanes; ++lane) at[lane] = roots_[std::min(tree + lane, roots_.size() - 1)];
    for (std::uint32_t moved = 1; moved != 0;) {
      moved = 0;
      for (std::size_t lane = 0; lane < foreign_lanes; ++lane) {
        const std::uint32_t next = step<has_sets>(at[lane], codes);
        moved |= next ^ at[lane];
        at[lane] = next;
      }
    }
    for (std::size_t lane = 0; lane < count; ++lane) sum += static_cast<Sum>(values_[at[lane]]);
  }
  return static_cast<double>(sum);
}

double ForeignForest::finish(double sum) const {
  if (float_sums_) {
    const auto x = static_cast<float>(sum);
    if (link_ == ForeignLink::exp_float) return static_cast<double>(std::exp(x));
    if (link_ == ForeignLink::logistic_float) {
      const float power = std::exp(std::min(-x, 88.7F));
      return static_cast<double>(1.0F / (power + 1.0F + 1e-16F));
    }
    return sum;
  }
  const double mean = divisor_ == 1 ? sum : sum / divisor_;
  const double value = scale_ == 1 && bias_ == 0 ? mean : mean * scale_ + bias_;
  switch (link_) {
    case ForeignLink::exp: return std::exp(value);
    case ForeignLink::signed_square: return value < 0 ? -1.0 * value * value : value * value;
    default: return value;
  }
}

double ForeignForest::predict(const double* cells) const {
  double result = 0;
  predict(1, [&](Index, double* out) { std::copy_n(cells, features_.size(), out); }, {&result, 1}, 1);
  return result;
}

template <class Sum>
void ForeignForest::predict_block(Index first, Index count, const CopyRow& copy, double* out, void* scratch) const {
  auto& codes = *static_cast<std::vector<std::uint32_t>*>(scratch);
  const std::size_t stride = columns_.size() + 1;
  std::vector<double> cells(features_.size());
  const bool few = count <= static_cast<Index>(foreign_lanes) / 2;
  const Index padded = few ? 1 : (count + static_cast<Index>(foreign_lanes) - 1) / static_cast<Index>(foreign_lanes) * static_cast<Index>(foreign_lanes);
  codes.assign(static_cast<std::size_t>(padded) * stride, 0);
  if (few) {
    for (Index row = 0; row < count; ++row) {
      copy(first + row, cells.data());
      encode(cells.data(), [&](std::uint32_t column, std::uint32_t code) { codes[column] = code; });
      out[row] = finish(has_sets_ ? add_row<true, Sum>(codes.data()) : add_row<false, Sum>(codes.data()));
    }
    return;
  }
  for (Index row = 0; row < count; ++row) {
    copy(first + row, cells.data());
    std::uint32_t* const to = codes.data() + static_cast<std::size_t>(row) * stride;
    encode(cells.data(), [&](std::uint32_t column, std::uint32_t code) { to[column] = code; });
  }
  std::array<Sum, foreign_block> sums;
  sums.fill(static_cast<Sum>(start_));
  has_sets_ ? add_block<true>(codes.data(), padded, sums.data()) : add_block<false>(codes.data(), padded, sums.data());
  for (Index row = 0; row < count; ++row) out[row] = finish(static_cast<double>(sums[static_cast<std::size_t>(row)]));
}

void ForeignForest::predict_symmetric_rows(const std::uint8_t* codes, Index count, double* out) const {
  constexpr auto width = static_cast<std::size_t>(foreign_block);
  for (Index row = 0; row < count; ++row) {
    double sum = start_;
    for (const SymmetricTree& tree : symmetric_) {
      std::size_t place = 0;
      for (std::uint32_t level = 0; level < tree.depth; ++level) {
        const SymmetricSplit& split = splits_[tree.first_split + level];
        place = 2 * place + (codes[split.column * width + static_cast<std::size_t>(row)] >= split.threshold ? 1 : 0);
      }
      sum += leaves_[tree.first_leaf + place];
    }
    out[row] = finish(sum);
  }
}

void ForeignForest::predict_symmetric(Index first, Index count, const CopyRow& copy, double* out) const {
  constexpr auto width = static_cast<std::size_t>(foreign_block);
  std::vector<std::uint8_t> codes((columns_.size() + 1) * width, 0);
  std::vector<double> cells(features_.size());
  for (Index row = 0; row < count; ++row) {
    copy(first + row, cells.data());
    encode(cells.data(), [&](std::uint32_t column, std::uint32_t code) {
      codes[column * width + static_cast<std::size_t>(row)] = static_cast<std::uint8_t>(std::min(code, 255U));
    });
  }
  if (count <= 4) return predict_symmetric_rows(codes.data(), count, out);
  std::array<double, width> sums;
  sums.fill(start_);
  std::array<std::uint16_t, width> leaf;
  std::array<std::uint8_t, width> low;
  for (const SymmetricTree& tree : symmetric_) {
    const double* const leaves = leaves_.data() + tree.first_leaf;
    const SymmetricSplit* const splits = splits_.data() + tree.first_split;
    // Up to eight levels fit into bytes, which more rows share one instruction for.
    const auto down = [&](auto& places, std::uint32_t from, std::uint32_t to) {
      places.fill(0);
      for (std::uint32_t level = from; level < to; ++level) {
        const std::uint8_t* const column = codes.data() + splits[level].column * width;
        const std::uint8_t threshold = splits[level].threshold;
        using Place = std::decay_t<decltype(places[0])>;
        for (std::size_t row = 0; row < width; ++row)
          places[row] = static_cast<Place>(2 * places[row] + (column[row] >= threshold ? 1 : 0));
      }
    };
    if (tree.depth <= 8) {
      down(low, 0, tree.depth);
      for (std::size_t row = 0; row < width; ++row) sums[row] += leaves[low[row]];
    } else {
      down(leaf, 0, tree.depth);
      for (std::size_t row = 0; row < width; ++row) sums[row] += leaves[leaf[row]];
    }
  }
  for (Index row = 0; row < count; ++row) out[row] = finish(sums[static_cast<std::size_t>(row)]);
}

void ForeignForest::predict(Index rows, const CopyRow& copy, std::span<double> out, int threads) const {
  parallel_blocks(rows, 8 * foreign_block, threads, [&](Index begin, Index end) {
    std::vector<std::uint32_t> codes;
    for (Index first = begin; first < end; first += foreign_block) {
      const Index count = std::min(foreign_block, end - first);
      double* const to = out.data() + first;
      if (is_symmetric_)
        predict_symmetric(first, count, copy, to);
      else if (float_sums_)
        predict_block<float>(first, count, copy, to, &codes);
      else
        predict_block<double>(first, count, copy, to, &codes);
    }
  });
}

}  // namespace taut
