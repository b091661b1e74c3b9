#include <taut/trees/vector_forest.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace taut {

VectorForest::VectorForest(Index inputs, Index outputs, Index depth) : outputs_(outputs), depth_(depth) {
  if (inputs < 1 || outputs < 1 || depth < 1 || depth > most_depth)
    throw Error("a forest of vectors needs inputs, outputs and a depth from 1 to " + std::to_string(most_depth) + ", got " +
                std::to_string(inputs) + ", " + std::to_string(outputs) + " and " + std::to_string(depth));
}

void VectorForest::add_tree(std::span<const TreeNode> tree, const MatrixF& leaves) {
  columns_.resize(columns_.size() + static_cast<std::size_t>(inner()));
  missing_left_.resize(columns_.size());
  thresholds_.resize(columns_.size());
  leaves_.resize(static_cast<std::size_t>(trees() * ends() * outputs_));
  fill(tree, 0, 0, leaves);
}

void VectorForest::fill(std::span<const TreeNode> tree, Index node, Index place, const MatrixF& leaves) {
  const TreeNode& here = tree[static_cast<std::size_t>(node)];
  const Index last = trees() - 1;
  if (place >= inner()) {
    if (here.left >= 0) throw Error("a tree is deeper than its forest allows");
    const Index end = last * ends() + place - inner();
    std::copy_n(leaves.row(static_cast<Index>(here.value)).data(), outputs_, leaves_.data() + end * outputs_);
    return;
  }
  const bool is_leaf = here.left < 0;
  const auto at = static_cast<std::size_t>(last * inner() + place);
  columns_[at] = is_leaf ? 0 : here.feature;
  missing_left_[at] = is_leaf || here.missing_left ? 1 : 0;
  thresholds_[at] = is_leaf ? 0 : here.value;
  fill(tree, is_leaf ? node : here.left, 2 * place + 1, leaves);
  fill(tree, is_leaf ? node : here.right, 2 * place + 2, leaves);
}

void VectorForest::truncate(Index trees) {
  if (trees >= this->trees()) return;
  columns_.resize(static_cast<std::size_t>(trees * inner()));
  missing_left_.resize(columns_.size());
  thresholds_.resize(columns_.size());
  leaves_.resize(static_cast<std::size_t>(trees * ends() * outputs_));
}

void VectorForest::add_row(const float* x, float* sums) const {
  const Index count = trees();
  for (Index tree = 0; tree < count; ++tree) {
    const Index first = tree * inner();
    Index place = 0;
    for (Index step = 0; step < depth_; ++step) {
      const auto at = static_cast<std::size_t>(first + place);
      const float cell = x[columns_[at]];
      const int absent_right = (cell != cell ? 1 : 0) & (missing_left_[at] == 0 ? 1 : 0);
      place = 2 * place + 1 + ((cell >= thresholds_[at] ? 1 : 0) | absent_right);
    }
    const float* leaf = leaves_.data() + (tree * ends() + place - inner()) * outputs_;
    for (Index k = 0; k < outputs_; ++k) sums[k] += leaf[k];
  }
}

void VectorForest::evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const {
  parallel_blocks(x.rows(), 1024, threads, [&](Index begin, Index end) {
    std::vector<float> sums(static_cast<std::size_t>(outputs_));
    for (Index row = begin; row < end; ++row) {
      std::fill(sums.begin(), sums.end(), 0.0F);
      add_row(x.row(row).data(), sums.data());
      for (Index k = 0; k < outputs_; ++k) out(row, k) = static_cast<double>(sums[static_cast<std::size_t>(k)]);
    }
  });
}

void VectorForest::save(Archive archive) const {
  archive.put("depth", static_cast<std::int64_t>(depth_));
  archive.put("features", columns_);
  archive.put("missing_left", missing_left_);
  archive.put("values", thresholds_);
  archive.put("leaves", leaves_);
}

VectorForest VectorForest::load(const Archive& archive, Index inputs, Index outputs) {
  VectorForest forest(inputs, outputs, archive.integer_in("depth", 1, most_depth));
  forest.columns_ = archive.get<std::vector<std::int32_t>>("features");
  forest.missing_left_ = archive.get<std::vector<std::uint8_t>>("missing_left");
  forest.thresholds_ = archive.get<std::vector<float>>("values");
  forest.leaves_ = archive.get<std::vector<float>>("leaves");
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(std::string("the trees of the model file are damaged: ") + what);
  };
  const auto nodes = forest.columns_.size();
  require(nodes % static_cast<std::size_t>(forest.inner()) == 0, "a tree is not complete");
  require(forest.missing_left_.size() == nodes && forest.thresholds_.size() == nodes, "their arrays differ in length");
  require(forest.leaves_.size() == static_cast<std::size_t>(forest.trees() * forest.ends() * outputs), "they lack leaves");
  const auto is_finite = [](float value) { return std::isfinite(value); };
  require(std::all_of(forest.columns_.begin(), forest.columns_.end(), [&](std::int32_t c) { return c >= 0 && c < inputs; }),
          "an input does not exist");
  require(std::all_of(forest.thresholds_.begin(), forest.thresholds_.end(), is_finite) &&
              std::all_of(forest.leaves_.begin(), forest.leaves_.end(), is_finite),
          "a value is not finite");
  return forest;
}

}  // namespace taut
