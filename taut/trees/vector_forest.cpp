#include <taut/trees/vector_forest.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace taut {

VectorForest::VectorForest(Index inputs, Index outputs, Index depth) : outputs_(outputs), depth_(depth) {
  if (inputs < 1 || outputs < 1 || depth < 1 || depth > max_depth)
    throw Error(format_text("a vector forest needs inputs, outputs and a depth from 1 to {}, got {}, {} and {}", max_depth,
                            inputs, outputs, depth));
}

void VectorForest::add_tree(std::span<const TreeNode> tree, const MatrixF& leaves) {
  nodes_.resize(nodes_.size() + static_cast<std::size_t>(inner()));
  leaves_.resize(static_cast<std::size_t>(first_line(trees(), 0)));
  fill(tree, 0, 0, leaves);
}

void VectorForest::fill(std::span<const TreeNode> tree, Index node, Index place, const MatrixF& leaves) {
  const TreeNode& here = tree[static_cast<std::size_t>(node)];
  const Index last = trees() - 1;
  if (place >= inner()) {
    if (here.left >= 0) throw Error("a tree is deeper than its forest allows");
    Line* const lines = leaves_.data() + first_line(last, place - inner());
    for (Index k = 0; k < outputs_; ++k) number(lines, k) = leaves(static_cast<Index>(here.value), k);
    return;
  }
  const bool is_leaf = here.left < 0;
  if (!is_leaf)
    nodes_[static_cast<std::size_t>(last * inner() + place)] = {
        here.value, 2 * static_cast<std::uint32_t>(here.feature) + (here.missing_left ? 0U : 1U)};
  fill(tree, is_leaf ? node : here.left, 2 * place + 1, leaves);
  fill(tree, is_leaf ? node : here.right, 2 * place + 2, leaves);
}

void VectorForest::truncate(Index trees) {
  if (trees >= this->trees()) return;
  nodes_.resize(static_cast<std::size_t>(trees * inner()));
  leaves_.resize(static_cast<std::size_t>(first_line(trees, 0)));
}

// `depth` is the depth of the trees if it is a compile-time constant, else 0.
template <int depth>
Index VectorForest::end_of(const Node* tree, const float* x) const {
  Index place = 0;
  for (Index step = 0; step < (depth > 0 ? depth : depth_); ++step) {
    const Node node = tree[place];
    const float cell = x[node.column / 2];
    const unsigned missing_right = (cell != cell ? 1U : 0U) & node.column;
    place = 2 * place + 1 + static_cast<Index>((cell >= node.threshold ? 1U : 0U) | missing_right);
  }
  return place - (depth > 0 ? (Index{1} << depth) - 1 : inner());
}

template <int depth>
void VectorForest::add_trees(const float* x, Line* sums) const {
  constexpr Index in_flight = 32;  // trees whose leaves are prefetched before the first of them is used
  const Index count = trees(), lines = lines_of_leaf();
  std::array<const Line*, in_flight> leaf;
  for (Index first = 0; first < count; first += in_flight) {
    const auto now = static_cast<std::size_t>(std::min(in_flight, count - first));
    for (std::size_t k = 0; k < now; ++k) {
      const Index tree = first + static_cast<Index>(k);
      leaf[k] = leaves_.data() + first_line(tree, end_of<depth>(nodes_.data() + tree * inner(), x));
      __builtin_prefetch(leaf[k]);
    }
    for (Index line = 0; line < lines; ++line) {
      Line sum = sums[line];
      for (std::size_t k = 0; k < now; ++k)
        for (std::size_t i = 0; i < Line::numbers; ++i) sum.value[i] += leaf[k][line].value[i];
      sums[line] = sum;
    }
  }
}

void VectorForest::evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const {
  constexpr int usual_depth = 3;
  parallel_blocks(x.rows(), 1024, threads, [&](Index begin, Index end) {
    std::vector<Line> sums(static_cast<std::size_t>(lines_of_leaf()));
    for (Index row = begin; row < end; ++row) {
      std::fill(sums.begin(), sums.end(), Line{});
      if (depth_ == usual_depth)
        add_trees<usual_depth>(x.row(row).data(), sums.data());
      else
        add_trees<0>(x.row(row).data(), sums.data());
      for (Index k = 0; k < outputs_; ++k) out(row, k) = static_cast<double>(number(sums.data(), k));
    }
  });
}

// The description, and the file, have a separate array for each member of the nodes, and leaves without the padding of lines.
DescribedCompleteTrees VectorForest::describe() const {
  DescribedCompleteTrees trees{.depth = depth_};
  for (const Node& node : nodes_) {
    trees.features.push_back(static_cast<std::int32_t>(node.column / 2));
    trees.missing_left.push_back(node.column % 2 == 0 ? 1 : 0);
    trees.values.push_back(node.threshold);
  }
  for (Index end = 0; end < this->trees() * ends(); ++end)
    for (Index k = 0; k < outputs_; ++k) {
      const Line& line = leaves_[static_cast<std::size_t>(end * lines_of_leaf() + k / Line::numbers)];
      trees.leaves.push_back(line.value[k % Line::numbers]);
    }
  return trees;
}

void VectorForest::save(Archive archive) const {
  const DescribedCompleteTrees trees = describe();
  archive.put("depth", static_cast<std::int64_t>(depth_));
  archive.put("features", trees.features);
  archive.put("missing_left", trees.missing_left);
  archive.put("values", trees.values);
  archive.put("leaves", trees.leaves);
}

VectorForest VectorForest::load(const Archive& archive, Index inputs, Index outputs) {
  VectorForest forest(inputs, outputs, archive.integer_in("depth", 1, max_depth));
  const auto columns = archive.get<std::vector<std::int32_t>>("features");
  const auto missing_left = archive.get<std::vector<std::uint8_t>>("missing_left");
  const auto thresholds = archive.get<std::vector<float>>("values"), values = archive.get<std::vector<float>>("leaves");
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(std::string("the trees of the model file are damaged: ") + what);
  };
  require(columns.size() % static_cast<std::size_t>(forest.inner()) == 0, "a tree is not complete");
  require(missing_left.size() == columns.size() && thresholds.size() == columns.size(), "their arrays differ in length");
  const Index ends = std::ssize(columns) / forest.inner() * forest.ends();
  require(std::ssize(values) == ends * outputs, "they lack leaves");
  const auto is_finite = [](float value) { return std::isfinite(value); };
  require(std::all_of(columns.begin(), columns.end(), [&](std::int32_t c) { return c >= 0 && c < inputs; }),
          "an input does not exist");
  require(std::all_of(thresholds.begin(), thresholds.end(), is_finite) && std::all_of(values.begin(), values.end(), is_finite),
          "a value is not finite");
  for (std::size_t i = 0; i < columns.size(); ++i)
    forest.nodes_.push_back({thresholds[i], 2 * static_cast<std::uint32_t>(columns[i]) + (missing_left[i] != 0 ? 0U : 1U)});
  forest.leaves_.resize(static_cast<std::size_t>(forest.first_line(forest.trees(), 0)));
  for (Index end = 0; end < ends; ++end)
    for (Index k = 0; k < outputs; ++k)
      number(forest.leaves_.data() + end * forest.lines_of_leaf(), k) = values[static_cast<std::size_t>(end * outputs + k)];
  return forest;
}

}  // namespace taut
