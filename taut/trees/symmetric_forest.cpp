#include <taut/trees/symmetric_forest.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace taut {

namespace {

constexpr Index rows_of_symmetric_block = 64;
constexpr Index trees_of_block = 64;

void require_symmetric(bool good) {
  if (!good) throw Error("a tree that should be symmetric has different splits on one level");
}

}  // namespace

SymmetricForest::SymmetricForest(const Forest& forest)
    : inputs_(forest.inputs()),
      trees_(forest.trees()),
      depth_(forest.depth()),
      features_(static_cast<std::size_t>(trees_ * depth_)),
      thresholds_(features_.size()),
      missing_left_(features_.size()) {
  require_symmetric(forest.outputs() == 1 && depth_ <= max_depth);
  values_.resize(static_cast<std::size_t>(trees_ << depth_));
  covers_.resize(forest.has_covers() ? values_.size() : 0);
  for (Index which = 0; which < trees_; ++which) {
    const std::vector<TreeNode> nodes = forest.tree(which);
    std::size_t first = 0;  // node of a level, breadth first
    Index depth = 0;
    for (; first < nodes.size() && nodes[first].left >= 0; first = 2 * first + 1, ++depth) {
      require_symmetric(nodes.size() > 2 * first + 1);
      for (std::size_t i = first; i < 2 * first + 1; ++i)
        require_symmetric(nodes[i].left == static_cast<std::int32_t>(2 * i + 1) && nodes[i].feature == nodes[first].feature &&
                          nodes[i].value == nodes[first].value && nodes[i].missing_left == nodes[first].missing_left);
      const auto at = static_cast<std::size_t>(depth * trees_ + which);
      features_[at] = nodes[first].feature;
      thresholds_[at] = nodes[first].value;
      missing_left_[at] = nodes[first].missing_left ? 1 : 0;
    }
    require_symmetric(nodes.size() == 2 * first + 1);
    for (std::size_t leaf = 0; leaf < std::size_t{1} << depth_; ++leaf)
      values_[(static_cast<std::size_t>(which) << depth_) + leaf] = nodes[first + (leaf >> (depth_ - depth))].value;
    // A shallower tree has unused levels; the rows of its leaf are divided equally among its copies.
    for (std::size_t leaf = 0; leaf < std::size_t{1} << depth_ && !covers_.empty(); ++leaf)
      covers_[(static_cast<std::size_t>(which) << depth_) + leaf] =
          std::ldexp(nodes[first + (leaf >> (depth_ - depth))].cover, static_cast<int>(depth - depth_));
  }
}

Forest SymmetricForest::forest() const {
  Forest result(inputs_, 1);
  for (Index which = 0; which < trees_; ++which) {
    std::vector<TreeNode> nodes;
    for (Index level = 0; level < depth_; ++level) {
      const auto at = static_cast<std::size_t>(level * trees_ + which);
      for (std::size_t node = 0; node < std::size_t{1} << level; ++node) {
        const auto child = static_cast<std::int32_t>(2 * nodes.size() + 1);
        nodes.push_back({child, child + 1, features_[at], missing_left_[at] != 0, thresholds_[at]});
      }
    }
    for (std::size_t leaf = 0; leaf < std::size_t{1} << depth_; ++leaf) {
      const std::size_t at = (static_cast<std::size_t>(which) << depth_) + leaf;
      nodes.push_back({-1, -1, -1, false, values_[at], covers_.empty() ? 0 : covers_[at]});
    }
    result.add_tree(nodes);
  }
  return result;
}

// Processes the trees of a block together: each level is one vector comparison for all of them.
template <bool has_missing>
float SymmetricForest::evaluate_row(const float* row) const {
  float sum = 0;
  std::array<std::uint32_t, trees_of_block> leaf;
  for (Index first = 0; first < trees_; first += trees_of_block) {
    const Index count = std::min(trees_of_block, trees_ - first);
    leaf.fill(0);
    for (Index level = 0; level < depth_; ++level) {
      const Index at = level * trees_ + first;
      const std::int32_t* feature = features_.data() + at;
      const float* threshold = thresholds_.data() + at;
      const std::uint8_t* missing_left = missing_left_.data() + at;
      for (Index k = 0; k < count; ++k) {
        const float x = row[feature[k]];
        std::uint32_t right = x >= threshold[k] ? 1U : 0U;
        if constexpr (has_missing) right |= (x != x ? 1U : 0U) & (missing_left[k] ^ 1U);
        leaf[static_cast<std::size_t>(k)] = 2 * leaf[static_cast<std::size_t>(k)] + right;
      }
    }
    const float* values = values_.data() + (first << depth_);
    for (Index k = 0; k < count; ++k) sum += values[(k << depth_) + static_cast<Index>(leaf[static_cast<std::size_t>(k)])];
  }
  return sum;
}

// `columns` has the cells of rows_of_symmetric_block rows, column by column, so that a level is one vector comparison.
void SymmetricForest::add_block(const float* columns, float* sums) const {
  const auto depth = static_cast<std::size_t>(depth_);
  std::array<std::uint32_t, rows_of_symmetric_block> leaf;
  for (std::size_t tree = 0; tree < static_cast<std::size_t>(trees_); ++tree) {
    leaf.fill(0);
    for (std::size_t at = 0; at < depth; ++at) {
      const std::size_t level = at * static_cast<std::size_t>(trees_) + tree;
      const float* x = columns + features_[level] * rows_of_symmetric_block;
      const float threshold = thresholds_[level];
      if (missing_left_[level] != 0)
        for (std::size_t r = 0; r < leaf.size(); ++r) leaf[r] = 2 * leaf[r] + (x[r] >= threshold ? 1U : 0U);
      else
        for (std::size_t r = 0; r < leaf.size(); ++r) leaf[r] = 2 * leaf[r] + (x[r] < threshold ? 0U : 1U);
    }
    const float* values = values_.data() + (tree << depth);
    for (std::size_t r = 0; r < leaf.size(); ++r) sums[r] += values[leaf[r]];
  }
}

void SymmetricForest::evaluate(const Inputs& x, std::span<double> out, int threads) const {
  constexpr Index few = 8;  // so few rows are evaluated one by one, because most of a block would be idle
  if (x.rows() <= few) {
    for (Index r = 0; r < x.rows(); ++r) {
      const float* row = x.row(r).data();
      const bool has_missing = std::any_of(row, row + inputs_, [](float cell) { return cell != cell; });
      out[static_cast<std::size_t>(r)] = static_cast<double>(has_missing ? evaluate_row<true>(row) : evaluate_row<false>(row));
    }
    return;
  }
  parallel_blocks(x.rows(), 16 * rows_of_symmetric_block, threads, [&](Index begin, Index end) {
    std::vector<float> columns(static_cast<std::size_t>(inputs_ * rows_of_symmetric_block));
    for (Index first = begin; first < end; first += rows_of_symmetric_block) {
      const Index count = std::min(rows_of_symmetric_block, end - first);
      Eigen::Map<MatrixF>(columns.data(), inputs_, rows_of_symmetric_block).leftCols(count) =
          x.middleRows(first, count).transpose();
      std::array<float, rows_of_symmetric_block> sums{};
      add_block(columns.data(), sums.data());
      for (Index r = 0; r < count; ++r)
        out[static_cast<std::size_t>(first + r)] = static_cast<double>(sums[static_cast<std::size_t>(r)]);
    }
  });
}

void SymmetricForest::save(Archive archive) const {
  archive.put("depth", static_cast<std::int64_t>(depth_));
  archive.put("features", features_);
  archive.put("thresholds", thresholds_);
  archive.put("missing_left", missing_left_);
  archive.put("values", values_);
  if (!covers_.empty()) archive.put("covers", covers_);
}

SymmetricForest SymmetricForest::load(const Archive& archive, Index inputs) {
  SymmetricForest forest;
  forest.inputs_ = inputs;
  forest.depth_ = archive.integer_in("depth", 0, max_depth);
  forest.features_ = archive.get<std::vector<std::int32_t>>("features");
  forest.thresholds_ = archive.get<std::vector<float>>("thresholds");
  forest.missing_left_ = archive.get<std::vector<std::uint8_t>>("missing_left");
  forest.values_ = archive.get<std::vector<float>>("values");
  forest.trees_ = std::ssize(forest.values_) >> forest.depth_;
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(std::string("the symmetric trees of the model file are damaged: ") + what);
  };
  require(forest.trees_ << forest.depth_ == std::ssize(forest.values_), "a tree lacks leaves");
  if (archive.has("covers")) {
    forest.covers_ = archive.get<std::vector<float>>("covers");
    require(forest.covers_.size() == forest.values_.size() &&
                std::all_of(forest.covers_.begin(), forest.covers_.end(),
                            [](float rows) { return rows >= 0 && std::isfinite(rows); }),
            "the number of rows of a leaf is negative or not finite");
  }
  const auto levels = static_cast<std::size_t>(forest.trees_ * forest.depth_);
  require(forest.features_.size() == levels && forest.thresholds_.size() == levels && forest.missing_left_.size() == levels,
          "their arrays differ in length");
  const auto is_finite = [](float value) { return std::isfinite(value); };
  require(std::all_of(forest.values_.begin(), forest.values_.end(), is_finite) &&
              std::all_of(forest.thresholds_.begin(), forest.thresholds_.end(), is_finite),
          "a number is not finite");
  require(std::all_of(forest.features_.begin(), forest.features_.end(), [&](std::int32_t f) { return f >= 0 && f < inputs; }),
          "an input does not exist");
  return forest;
}

}  // namespace taut
