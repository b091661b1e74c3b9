#include <taut/trees/forest.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/trees/block_forest.hpp>
#include <taut/trees/row_forest.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <mutex>
#include <string>
#include <variant>

namespace taut {

namespace {

constexpr Index block_rows = 64;  // with 50 columns the block and a tree of depth 6 stay in the L1 cache
constexpr std::size_t lanes = 8;  // concurrent traversals: each waits for memory, so eight cost little more than one
constexpr float no_value = std::numeric_limits<float>::quiet_NaN();

// Copies one row and sets the column after its inputs to NaN. Returns whether a cell is missing.
bool copy_row(const float* row, std::size_t inputs, float* out) {
  bool has_missing = false;
  for (std::size_t i = 0; i < inputs; ++i) {
    out[i] = row[i];
    has_missing |= std::isnan(row[i]);
  }
  out[inputs] = no_value;
  return has_missing;
}

}  // namespace

struct Forest::ForRows {
  std::atomic<int> rows_seen = 0;
  std::once_flag once;
  std::variant<std::monostate, CompleteForest, RowForest> ready;  // the fastest form that these trees allow
};

Forest::Forest(Index inputs, Index outputs) : inputs_(inputs), outputs_(outputs) {
  if (inputs < 1 || inputs > std::numeric_limits<std::int32_t>::max() / 2 || outputs < 1)
    throw Error(format_text("a forest needs at least one input and one output, got {} and {}", inputs, outputs));
}

void Forest::add_tree(std::span<const TreeNode> tree) {
  const auto root = nodes_.size();
  std::vector<std::int32_t> order = {0}, depth = {0};  // breadth first: position in `tree`, distance from the root
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || static_cast<std::size_t>(order[i]) >= tree.size() || order.size() > tree.size())
      throw Error("a tree refers to a node that does not exist");
    const TreeNode& node = tree[static_cast<std::size_t>(order[i])];
    const bool leaf = node.left < 0;
    if (!std::isfinite(node.value) || (!leaf && (node.feature < 0 || node.feature >= inputs_)))
      throw Error("a tree holds a value that is not finite or an input that does not exist");
    const auto column = 2 * static_cast<std::uint32_t>(leaf ? inputs_ : node.feature) + (!leaf && !node.missing_left ? 1U : 0U);
    if (!(node.cover >= 0) || !std::isfinite(node.cover))
      throw Error("a tree holds a number of rows that is negative or not finite");
    nodes_.push_back({node.value, column, static_cast<std::uint32_t>(root + (leaf ? i : order.size()))});
    covers_.push_back(leaf ? node.cover : 0);
    if (leaf) continue;
    order.insert(order.end(), {node.left, node.right});
    depth.insert(depth.end(), 2, depth[i] + 1);
  }
  roots_.push_back(static_cast<std::uint32_t>(root));
  depths_.push_back(depth.back());
  for_rows_ = std::make_shared<ForRows>();
}

void Forest::truncate(Index rounds) {
  if (rounds >= this->rounds()) return;
  const auto kept = static_cast<std::size_t>(rounds * outputs_);
  nodes_.resize(roots_[kept]);
  covers_.resize(nodes_.size());
  roots_.resize(kept);
  depths_.resize(kept);
  for_rows_ = std::make_shared<ForRows>();
}

Index Forest::depth() const { return depths_.empty() ? 0 : *std::max_element(depths_.begin(), depths_.end()); }

std::vector<TreeNode> Forest::tree(Index which) const {
  const std::size_t begin = roots_[static_cast<std::size_t>(which)], end = end_of(static_cast<std::size_t>(which));
  std::vector<TreeNode> result;
  for (std::size_t i = begin; i < end; ++i) {
    const Node& node = nodes_[i];
    if (is_leaf(i)) {
      result.push_back({-1, -1, -1, false, node.value, covers_[i]});
      continue;
    }
    const auto left = static_cast<std::int32_t>(node.left - begin);
    result.push_back({left, left + 1, static_cast<std::int32_t>(node.column >> 1), node.column % 2 == 0, node.value});
  }
  return result;
}

bool Forest::has_covers() const {
  for (std::size_t tree = 0; tree < roots_.size(); ++tree) {
    const auto begin = covers_.begin() + static_cast<std::ptrdiff_t>(roots_[tree]);
    const auto end = covers_.begin() + static_cast<std::ptrdiff_t>(end_of(tree));
    if (std::all_of(begin, end, [](float cover) { return cover == 0; })) return false;
  }
  return true;
}

template <bool has_missing>
std::uint32_t Forest::step(const Node* nodes, std::uint32_t node, const float* row) {
  const Node& here = nodes[node];
  const float x = row[here.column >> 1];
  std::uint32_t right = x >= here.value ? 1U : 0U;
  if constexpr (has_missing) right |= (x != x ? 1U : 0U) & here.column;
  return here.left + right;
}

// Adds to the sums of block_rows rows. The outer loop is over trees, so that a tree is fetched once for the whole block.
template <bool has_missing>
void Forest::add_block(const float* rows, float* sums) const {
  const Node* nodes = nodes_.data();
  const auto outputs = static_cast<std::size_t>(outputs_);
  for (std::size_t tree = 0; tree < roots_.size(); ++tree) {
    float* out = sums + tree % outputs;
    for (std::size_t first = 0; first < block_rows; first += lanes) {
      std::array<std::uint32_t, lanes> at;
      at.fill(roots_[tree]);
      const float* lane = rows + first * stride();
      for (std::int32_t depth = 0; depth < depths_[tree]; ++depth)
        for (std::size_t k = 0; k < lanes; ++k) at[k] = step<has_missing>(nodes, at[k], lane + k * stride());
      for (std::size_t k = 0; k < lanes; ++k) out[(first + k) * outputs] += nodes[at[k]].value;
    }
  }
}

// Adds to the sums of one row. Here the lanes are trees.
template <bool has_missing>
void Forest::add_row(const float* row, float* sums) const {
  const Node* nodes = nodes_.data();
  for (std::size_t first = 0; first < roots_.size(); first += lanes) {
    const std::size_t count = std::min(lanes, roots_.size() - first);
    std::array<std::uint32_t, lanes> at{};
    std::int32_t steps = 0;
    for (std::size_t k = 0; k < count; ++k) {
      at[k] = roots_[first + k];
      steps = std::max(steps, depths_[first + k]);
    }
    for (std::int32_t taken = 0; taken < steps; ++taken)
      for (std::size_t k = 0; k < lanes; ++k) at[k] = step<has_missing>(nodes, at[k], row);
    for (std::size_t k = 0; k < count; ++k) sums[(first + k) % static_cast<std::size_t>(outputs_)] += nodes[at[k]].value;
  }
}

void Forest::evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const {
  if (trees() == 0) {
    out.setZero();
    return;
  }
  const TracedPart traced("evaluate trees");
  constexpr Index few = 8;  // so few rows are evaluated one by one, because most of a block would be idle
  if (x.rows() <= few) {
    for (Index i = 0; i < x.rows(); ++i)
      evaluate_row({x.row(i).data(), static_cast<std::size_t>(inputs_)}, {out.row(i).data(), static_cast<std::size_t>(outputs_)});
    return;
  }
  // Preparing a BlockForest takes as long as traversing the trees with about twenty rows for each node of an average tree.
  constexpr Index rows_for_a_node = 64;
  if (x.rows() * trees() >= rows_for_a_node * nodes())
    if (const auto blocks = BlockForest::of(*this)) return blocks->evaluate(x, out, threads);
  const auto columns = static_cast<std::size_t>(inputs_);
  parallel_blocks(x.rows(), 16 * block_rows, threads, [&](Index begin, Index end) {
    std::vector<float> rows(static_cast<std::size_t>(block_rows) * stride(), no_value);
    std::vector<float> sums(static_cast<std::size_t>(block_rows * outputs_));
    for (Index first = begin; first < end; first += block_rows) {
      const Index count = std::min(block_rows, end - first);
      bool has_missing = false;
      for (Index i = 0; i < count; ++i)
        has_missing |= copy_row(x.row(first + i).data(), columns, rows.data() + static_cast<std::size_t>(i) * stride());
      std::fill(sums.begin(), sums.end(), 0.0F);
      has_missing ? add_block<true>(rows.data(), sums.data()) : add_block<false>(rows.data(), sums.data());
      out.middleRows(first, count) = Eigen::Map<const MatrixF>(sums.data(), count, outputs_).cast<double>();
    }
  });
}

// Preparing the faster form takes as long as evaluating about a hundred rows.
bool Forest::add_ready_row(const float* row, float* sums) const {
  constexpr int min_rows = 64;
  if (for_rows_->rows_seen.load(std::memory_order_relaxed) < min_rows) {
    ++for_rows_->rows_seen;
    return false;
  }
  auto& ready = for_rows_->ready;
  std::call_once(for_rows_->once, [&] {
    if (auto complete = CompleteForest::of(*this))
      ready = std::move(*complete);
    else if (auto walked = RowForest::of(*this))
      ready = std::move(*walked);
  });
  if (const auto* complete = std::get_if<CompleteForest>(&ready))
    complete->add_row(row, sums);
  else if (const auto* walked = std::get_if<RowForest>(&ready))
    walked->add_row(row, sums);
  else
    return false;
  return true;
}

void Forest::evaluate_row(std::span<const float> x, std::span<double> out) const {
  constexpr std::size_t few = 128;  // up to this many columns and outputs need no allocation
  if (trees() == 0) {
    std::fill(out.begin(), out.end(), 0.0);
    return;
  }
  std::array<float, few + 1> near_row;
  std::array<float, few> near_sums{};
  std::vector<float> far_row(stride() > near_row.size() ? stride() : 0), far_sums(out.size() > few ? out.size() : 0);
  float* row = far_row.empty() ? near_row.data() : far_row.data();
  float* sums = far_sums.empty() ? near_sums.data() : far_sums.data();
  if (!add_ready_row(x.data(), sums))
    copy_row(x.data(), static_cast<std::size_t>(inputs_), row) ? add_row<true>(row, sums) : add_row<false>(row, sums);
  std::copy_n(sums, out.size(), out.begin());
}

// Nodes are stored breadth first, so the k-th inner node of a tree has its children at 2k + 1 and 2k + 2. The file therefore
// needs no links.
DescribedTrees Forest::describe() const {
  DescribedTrees trees{.outputs = outputs_};
  for (std::size_t tree = 0; tree < roots_.size(); ++tree)
    trees.sizes.push_back(static_cast<std::int32_t>(end_of(tree) - roots_[tree]));
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    trees.features.push_back(is_leaf(i) ? -1 : static_cast<std::int32_t>(nodes_[i].column >> 1));
    trees.missing_left.push_back(!is_leaf(i) && nodes_[i].column % 2 == 0);
    trees.values.push_back(nodes_[i].value);
  }
  return trees;
}

void Forest::save(Archive archive) const {
  DescribedTrees trees = describe();
  archive.put("sizes", std::move(trees.sizes));
  archive.put("features", std::move(trees.features));
  archive.put("missing_left", std::move(trees.missing_left));
  archive.put("values", std::move(trees.values));
  if (!has_covers()) return;
  std::vector<float> covers;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (is_leaf(i)) covers.push_back(covers_[i]);
  archive.put("covers", std::move(covers));
}

Forest Forest::load(const Archive& archive, Index inputs, Index outputs) {
  const auto& sizes = archive.get<std::vector<std::int32_t>>("sizes");
  const auto& features = archive.get<std::vector<std::int32_t>>("features");
  const auto& missing_left = archive.get<std::vector<std::uint8_t>>("missing_left");
  const auto& values = archive.get<std::vector<float>>("values");
  const auto require = [](bool good, const char* what) {
    if (!good) throw Error(std::string("the trees of the model file are damaged: ") + what);
  };
  require(features.size() == values.size() && missing_left.size() == values.size(), "their arrays differ in length");
  static const std::vector<float> unknown;
  // Trees of other libraries have no covers.
  const auto& covers = archive.has("covers") ? archive.get<std::vector<float>>("covers") : unknown;
  const auto leaves = std::count(features.begin(), features.end(), -1);
  require(covers.empty() || std::ssize(covers) == leaves, "not every leaf has its number of rows");
  Forest forest(inputs, outputs);
  require(static_cast<Index>(sizes.size()) % outputs == 0, "the outputs have different numbers of trees");
  std::size_t begin = 0, leaf = 0;
  std::vector<TreeNode> tree;
  for (const std::int32_t size : sizes) {
    require(size > 0 && static_cast<std::size_t>(size) <= values.size() - begin, "a tree is longer than its arrays");
    tree.clear();
    std::int32_t child = 1;
    for (std::int32_t i = 0; i < size; ++i, ++begin) {
      tree.push_back({-1, -1, features[begin], missing_left[begin] != 0, values[begin]});
      if (features[begin] == -1) {
        if (!covers.empty()) tree.back().cover = covers[leaf++];
        continue;
      }
      require(child > i && child < size - 1, "a node is not below its parent");
      tree.back().left = child++;
      tree.back().right = child++;
    }
    require(child == size, "a node has no parent");
    forest.add_tree(tree);
  }
  require(begin == values.size(), "nodes are left over");
  return forest;
}

}  // namespace taut
