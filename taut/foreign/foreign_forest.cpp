#include <taut/foreign/foreign_forest.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace taut {

namespace {

constexpr std::size_t foreign_lanes = 8;         // parallel walks, which hide the latency of memory
constexpr std::uint32_t set_flag = 0x80000000U;  // of a column: its codes are categories

}  // namespace

void ForeignForest::add_sets(const ForeignModel& model) {
  for (const auto& set : model.sets) {
    set_starts_.push_back(static_cast<std::uint32_t>(sets_.size()));
    sets_.push_back(static_cast<std::uint32_t>(32 * set.size()));
    sets_.insert(sets_.end(), set.begin(), set.end());
  }
}

template <class Code>
void ForeignForest::add_trees(const ForeignModel& model, Walk<Code>& walk) {
  for (const ForeignTree& tree : model.trees) {
    const auto root = static_cast<std::uint32_t>(values_.size());
    roots_.push_back(root);
    std::vector<std::uint32_t> depth(tree.size());
    for (std::size_t i = 0; i < tree.size(); ++i) {
      const ForeignNode& node = tree[i];
      values_.push_back(node.value);
      if (node.is_leaf()) {
        walk.nodes.push_back(
            {static_cast<Code>(ForeignCodes::right), static_cast<Code>(codes_.columns()), root + static_cast<std::uint32_t>(i)});
        continue;
      }
      const bool is_set = node.set >= 0;
      const std::uint32_t column = codes_.column_of(node) | (is_set ? set_flag : 0);
      walk.nodes.push_back(
          {static_cast<Code>(is_set ? set_starts_[static_cast<std::size_t>(node.set)] : codes_.threshold_of(node)),
           static_cast<Code>(column), root + static_cast<std::uint32_t>(node.left)});
      depth[static_cast<std::size_t>(node.left)] = depth[static_cast<std::size_t>(node.right)] = depth[i] + 1;
    }
    depths_.push_back(depth.back());  // in breadth-first order the last node is the deepest
  }
}

// Fills the symmetric trees; false if some tree is not symmetric. With at most 254 thresholds per column, codes are bytes, and
// many rows are evaluated at once.
bool ForeignForest::find_symmetry(const ForeignModel& model) {
  constexpr std::size_t max_thresholds = 254, max_splits = 8;
  if (model.float_sums || codes_.has_categories() || codes_.max_thresholds() > max_thresholds) return false;
  for (const ForeignTree& tree : model.trees) {
    std::size_t depth = 0;
    while ((std::size_t{2} << depth) - 1 < tree.size()) ++depth;
    if ((std::size_t{2} << depth) - 1 != tree.size() || depth > max_splits) return false;
    symmetric_.push_back({static_cast<std::uint32_t>(splits_.size()), static_cast<std::uint32_t>(depth),
                          static_cast<std::uint32_t>(leaves_.size())});
    for (std::size_t level = 0, at = 0; level < depth; ++level) {
      const ForeignNode& first = tree[at];
      for (std::size_t i = 0; i < std::size_t{1} << level; ++i, ++at) {
        const ForeignNode& node = tree[at];
        if (node.is_leaf() || node.feature != first.feature || node.value != first.value || node.missing != first.missing)
          return false;
      }
      splits_.push_back({codes_.column_of(first), static_cast<std::uint8_t>(codes_.threshold_of(first))});
    }
    for (std::size_t at = (std::size_t{1} << depth) - 1; at < tree.size(); ++at) {
      if (!tree[at].is_leaf()) return false;
      leaves_.push_back(tree[at].value);
    }
  }
  return true;
}

ForeignForest::ForeignForest(const ForeignModel& model)
    : float_sums_(model.float_sums),
      start_(model.start),
      divisor_(model.divisor),
      scale_(model.scale),
      bias_(model.bias),
      link_(model.link),
      codes_(model) {
  if (model.nodes() >= set_flag) throw Error(format_text("the model has too many nodes: {}", model.nodes()));
  is_symmetric_ = find_symmetry(model);
  if (is_symmetric_) return;
  symmetric_.clear();
  splits_.clear();
  leaves_.clear();
  add_sets(model);
  constexpr std::size_t max_narrow = 65000;
  if (!codes_.has_categories() && codes_.max_thresholds() < max_narrow && codes_.columns() < max_narrow)
    add_trees(model, narrow_);
  else
    add_trees(model, wide_);
}

template <bool has_sets, class Code>
std::uint32_t ForeignForest::step(const Walk<Code>& walk, std::uint32_t node, const Code* codes) const {
  const auto here = walk.nodes[node];
  if constexpr (has_sets) {
    if ((here.column & set_flag) != 0) {
      const std::uint32_t code = codes[here.column & ~set_flag];
      const std::uint32_t* set = sets_.data() + here.threshold;
      const bool is_in = code == ForeignCodes::category_in || (code < set[0] && ((set[1 + code / 32] >> (code % 32)) & 1U) != 0);
      return here.left + (is_in ? 0U : 1U);
    }
  }
  return here.left + (codes[here.column] >= here.threshold ? 1U : 0U);
}

// Shallow trees take as many steps as they are deep. In deeper trees, lanes walk until none moves: only leaves stay in place.
template <bool has_sets, class Sum, class Code>
void ForeignForest::add_block(const Walk<Code>& walk, const Code* codes, std::size_t rows, Sum* sums) const {
  constexpr std::uint32_t shallow = 8;
  const std::size_t stride = codes_.columns() + 1;
  for (std::size_t tree = 0; tree < roots_.size(); ++tree) {
    for (std::size_t first = 0; first < rows; first += foreign_lanes) {
      const Code* const from = codes + first * stride;
      std::array<std::uint32_t, foreign_lanes> at;
      at.fill(roots_[tree]);
      const auto steps = [&](std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i)
          for (std::size_t lane = 0; lane < foreign_lanes; ++lane)
            at[lane] = step<has_sets>(walk, at[lane], from + lane * stride);
      };
      steps(std::min(depths_[tree], shallow));
      for (bool moves = depths_[tree] > shallow; moves;) {
        steps(3);
        std::uint32_t moved = 0;
        for (std::size_t lane = 0; lane < foreign_lanes; ++lane) {
          const std::uint32_t next = step<has_sets>(walk, at[lane], from + lane * stride);
          moved |= next ^ at[lane];
          at[lane] = next;
        }
        moves = moved != 0;
      }
      for (std::size_t lane = 0; lane < foreign_lanes; ++lane) sums[first + lane] += static_cast<Sum>(values_[at[lane]]);
    }
  }
}

// Sums the trees for one row, eight trees at a time.
template <bool has_sets, class Sum, class Code>
Sum ForeignForest::add_row(const Walk<Code>& walk, const Code* codes) const {
  auto sum = static_cast<Sum>(start_);
  for (std::size_t tree = 0; tree < roots_.size(); tree += foreign_lanes) {
    const std::size_t count = std::min(foreign_lanes, roots_.size() - tree);
    std::array<std::uint32_t, foreign_lanes> at;
    for (std::size_t lane = 0; lane < foreign_lanes; ++lane) at[lane] = roots_[std::min(tree + lane, roots_.size() - 1)];
    for (std::uint32_t moved = 1; moved != 0;) {
      moved = 0;
      for (std::size_t lane = 0; lane < foreign_lanes; ++lane) {
        const std::uint32_t next = step<has_sets>(walk, at[lane], codes);
        moved |= next ^ at[lane];
        at[lane] = next;
      }
    }
    for (std::size_t lane = 0; lane < count; ++lane) sum += static_cast<Sum>(values_[at[lane]]);
  }
  return sum;
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
    case ForeignLink::exp:
      return std::exp(value);
    case ForeignLink::signed_square:
      return value < 0 ? -1.0 * value * value : value * value;
    default:
      return value;
  }
}

template <bool has_sets, class Sum, class Code>
void ForeignForest::predict_block(const Walk<Code>& walk, double* cells, std::size_t count, double* out) const {
  const std::size_t stride = codes_.columns() + 1;
  const std::size_t padded = (count + foreign_lanes - 1) / foreign_lanes * foreign_lanes;
  std::vector<Code> codes(padded * stride);
  codes_.encode(cells, count, codes.data(), 1, stride);
  if (count <= foreign_lanes / 2) {
    for (std::size_t row = 0; row < count; ++row)
      out[row] = finish(static_cast<double>(add_row<has_sets, Sum>(walk, codes.data() + row * stride)));
    return;
  }
  std::array<Sum, ForeignCodes::width> sums;
  sums.fill(static_cast<Sum>(start_));
  add_block<has_sets>(walk, codes.data(), padded, sums.data());
  for (std::size_t row = 0; row < count; ++row) out[row] = finish(static_cast<double>(sums[row]));
}

template <bool has_sets, class Code>
void ForeignForest::predict_block(const Walk<Code>& walk, double* cells, std::size_t count, double* out) const {
  float_sums_ ? predict_block<has_sets, float>(walk, cells, count, out)
              : predict_block<has_sets, double>(walk, cells, count, out);
}

void ForeignForest::predict_symmetric(double* cells, std::size_t count, double* out) const {
  constexpr std::size_t width = ForeignCodes::width, together = 64;
  using Bytes = std::uint8_t __attribute__((vector_size(together)));
  std::vector<std::uint8_t> codes((codes_.columns() + 1) * width);
  codes_.encode(cells, count, codes.data(), width, 1);
  std::array<double, width> sums;
  sums.fill(start_);
  if (count <= 4) {
    for (const SymmetricTree& tree : symmetric_)
      for (std::size_t row = 0; row < count; ++row) {
        std::size_t place = 0;
        for (const SymmetricSplit *split = splits_.data() + tree.first_split, *end = split + tree.depth; split != end; ++split)
          place = 2 * place + (codes[split->column * width + row] >= split->threshold ? 1 : 0);
        sums[row] += leaves_[tree.first_leaf + place];
      }
  } else {
    // Four trees at a time, so that a sum stays in a register while their leaves are added in order.
    std::array<std::array<std::uint8_t, together>, 4> places;
    const auto find_places = [&](const SymmetricTree& tree, std::size_t first, std::array<std::uint8_t, together>& to) {
      Bytes place = {};
      for (const SymmetricSplit *split = splits_.data() + tree.first_split, *end = split + tree.depth; split != end; ++split) {
        Bytes code;
        std::memcpy(&code, codes.data() + split->column * width + first, together);
        const Bytes is_right = reinterpret_cast<Bytes>(code >= (Bytes{} + split->threshold));  // all bits, or none
        place = place + place - is_right;
      }
      std::memcpy(to.data(), &place, together);
    };
    const std::size_t whole = symmetric_.size() / 4 * 4;
    for (std::size_t t = 0; t < whole; t += 4) {
      const SymmetricTree* const tree = symmetric_.data() + t;
      const double *const a = leaves_.data() + tree[0].first_leaf, *const b = leaves_.data() + tree[1].first_leaf;
      const double *const c = leaves_.data() + tree[2].first_leaf, *const d = leaves_.data() + tree[3].first_leaf;
      for (std::size_t first = 0; first < count; first += together) {
        for (std::size_t k = 0; k < 4; ++k) find_places(tree[k], first, places[k]);
        for (std::size_t row = 0; row < together; ++row)
          sums[first + row] =
              (((sums[first + row] + a[places[0][row]]) + b[places[1][row]]) + c[places[2][row]]) + d[places[3][row]];
      }
    }
    for (std::size_t t = whole; t < symmetric_.size(); ++t)
      for (std::size_t first = 0; first < count; first += together) {
        find_places(symmetric_[t], first, places[0]);
        const double* const leaves = leaves_.data() + symmetric_[t].first_leaf;
        for (std::size_t row = 0; row < together; ++row) sums[first + row] += leaves[places[0][row]];
      }
  }
  for (std::size_t row = 0; row < count; ++row) out[row] = finish(sums[row]);
}

double ForeignForest::predict(const double* cells) const {
  double result = 0;
  const auto copy = [&](Index, Index, double* to) {
    for (std::size_t f = 0; f < codes_.features(); ++f) to[f * ForeignCodes::width] = cells[f];
  };
  predict(1, copy, {&result, 1}, 1);
  return result;
}

void ForeignForest::predict(Index rows, const CopyCells& copy, std::span<double> out, int threads) const {
  constexpr auto block = static_cast<Index>(ForeignCodes::width);
  parallel_blocks(rows, 8 * block, threads, [&](Index begin, Index end) {
    std::vector<double> cells(codes_.features() * ForeignCodes::width);
    for (Index first = begin; first < end; first += block) {
      const Index count = std::min(block, end - first);
      copy(first, count, cells.data());
      double* const to = out.data() + first;
      const auto n = static_cast<std::size_t>(count);
      if (is_symmetric_)
        predict_symmetric(cells.data(), n, to);
      else if (!narrow_.nodes.empty())
        predict_block<false>(narrow_, cells.data(), n, to);
      else
        predict_block<true>(wide_, cells.data(), n, to);
    }
  });
}

}  // namespace taut
