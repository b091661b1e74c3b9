#include <taut/explain/tree_shap.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace taut {

namespace {

// Newton's method on the Legendre polynomial of degree n, from Tricomi's initial guess.
Quadrature computed(int n) {
  Quadrature result;
  for (int i = 0; i < n; ++i) {
    double x = std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 20; ++step) {
      double before = 1, here = x;
      for (int k = 2; k <= n; ++k) {
        const double next = ((2 * k - 1) * x * here - (k - 1) * before) / k;
        before = here;
        here = next;
      }
      slope = n * (x * here - before) / (x * x - 1);
      x -= here / slope;
    }
    result.nodes.push_back((1 - x) / 2);
    result.weights.push_back(1 / ((1 - x * x) * slope * slope));
  }
  return result;
}

}  // namespace

const Quadrature& gauss_legendre(int points) {
  static const auto all = [] {
    std::array<Quadrature, max_points + 1> table;
    for (int n = 1; n <= max_points; ++n) table[static_cast<std::size_t>(n)] = computed(n);
    return table;
  }();
  if (points < 1 || points > max_points)
    throw Error(format_text("Gauss-Legendre quadrature takes 1 to {} nodes, got {}", max_points, points));
  return all[static_cast<std::size_t>(points)];
}

namespace {

constexpr std::size_t lanes = 8;      // rows in one vector
constexpr Index rows_per_block = 64;  // rows for which a tree is loaded into the cache once
constexpr std::size_t kinds = 3;      // kinds of factors: taken, left, pull

// Vectors with the numbers of eight rows, which compilers map to SIMD instructions. Plain arrays take seven times as long,
// because the compiler cannot exclude that two of them overlap.
using Doubles = double __attribute__((vector_size(lanes * sizeof(double))));
using Floats = float __attribute__((vector_size(lanes * sizeof(float))));
using Answers32 = std::int32_t __attribute__((vector_size(lanes * sizeof(std::int32_t))));
using LaneAnswers = std::int64_t __attribute__((vector_size(lanes * sizeof(std::int64_t))));

struct alignas(64) Lanes {
  Doubles of;
};
struct alignas(64) Taken {
  LaneAnswers of;  // all bits are set for rows that take an edge
};
struct alignas(32) Cells {
  Floats of;
};

}  // namespace

// The factors of each node and each t, for the edge that leads to the node, in this order:
//   taken  the product is multiplied by it if the row takes this edge and took all earlier edges of the same player
//   left   the same if the row does not take this edge but took the earlier ones; if it did not take them, the factor is the
//          edge's share of rows
//   pull   (o − z) / (t o + (1−t) z) for o = 1, times the weight of t; for o = 0 it is −1/(1−t) on every edge
// The edges of a fixed player have the factor o if it is in the coalition, else z, and their pull is 0.
void TreeShap::add_factors(const Tree& tree, std::span<const double> met) {
  const Quadrature& rule = gauss_legendre(tree.points);
  const auto points = static_cast<std::size_t>(tree.points);
  factors_.resize(tree.factors + tree.nodes * points * kinds);
  for (std::size_t i = 0; i < tree.nodes; ++i) {
    const Node& parent = nodes_[tree.first + i];
    if (parent.left < 0) continue;
    const double met_before = parent.above < 0 ? 1 : met[static_cast<std::size_t>(parent.above)];
    for (std::size_t c = static_cast<std::size_t>(parent.left); c < static_cast<std::size_t>(parent.left) + 2; ++c) {
      const double share = nodes_[tree.first + c].share, z = met[c];
      double* out = factors_.data() + tree.factors + c * points * kinds;
      for (std::size_t q = 0; q < points; ++q) {
        const double t = rule.nodes[q], taken = t + (1 - t) * z, before = parent.above < 0 ? 1 : t + (1 - t) * met_before;
        out[q] = taken / before;
        out[points + q] = (1 - t) * z / before;
        out[2 * points + q] = rule.weights[q] * (1 - z) / taken;
        if (parent.player != fixed_player_.player) continue;
        out[q] = fixed_player_.is_in ? 1 : share;
        out[points + q] = fixed_player_.is_in ? 0 : share;
        out[2 * points + q] = 0;
      }
    }
  }
}

TreeShap::TreeShap(const Forest& forest, std::span<const Index> player_of, Index players, FixedPlayer fixed_player)
    : players_(players),
      fixed_player_(fixed_player),
      bases_(static_cast<std::size_t>(forest.outputs())),
      trees_(static_cast<std::size_t>(forest.outputs())) {
  if (std::ssize(player_of) != forest.inputs()) throw Error("explaining a forest takes one player for each of its inputs");
  if (!forest.has_covers())
    throw Error(
        "the trees of this model do not store how many training rows reached each leaf, so they have no mean to compare with: "
        "another library grew them; fit the model with Taut to explain it");
  for (Index tree = 0; tree < forest.trees(); ++tree) compile(forest.tree(tree), player_of, tree % forest.outputs());
}

void TreeShap::compile(std::span<const TreeNode> source, std::span<const Index> player_of, Index output) {
  const std::size_t count = source.size();
  const auto place = [](std::int32_t node) { return static_cast<std::size_t>(node); };
  std::vector<double> cover(count);
  for (std::size_t i = count; i-- > 0;)
    cover[i] =
        source[i].left < 0 ? static_cast<double>(source[i].cover) : cover[place(source[i].left)] + cover[place(source[i].right)];
  // For each node: its share of the parent's rows (share), of all rows (reach), and the product of the shares of its player's
  // edges down to it (met); the number of players on the path to it (known), and its parent.
  std::vector<double> share(count, 1), reach(count, 1), met(count, 1);
  std::vector<int> known(count);
  std::vector<std::int32_t> parent(count, -1);
  Tree tree{nodes_.size(), count, factors_.size(), 1};
  for (std::size_t i = 0; i < count; ++i) {
    const TreeNode& from = source[i];
    Node node{.value = from.value, .left = from.left, .share = share[i]};
    tree.points = std::max(tree.points, (known[i] + 1) / 2);
    if (from.left < 0) {
      bases_[static_cast<std::size_t>(output)] += reach[i] * static_cast<double>(from.value);
      nodes_.push_back(node);
      continue;
    }
    node.input = static_cast<std::uint32_t>(from.feature);
    node.player = static_cast<std::int32_t>(player_of[place(from.feature)]);
    node.missing_left = from.missing_left;
    auto at = static_cast<std::int32_t>(i);
    while (at > 0 && nodes_[tree.first + place(parent[place(at)])].player != node.player) at = parent[place(at)];
    node.above = at > 0 ? at : -1;
    nodes_.push_back(node);
    for (const std::int32_t child : {from.left, from.right}) {
      const std::size_t c = place(child);
      parent[c] = static_cast<std::int32_t>(i);
      share[c] = cover[i] > 0 ? cover[c] / cover[i] : 0.5;
      reach[c] = reach[i] * share[c];
      met[c] = share[c] * (node.above < 0 ? 1 : met[place(node.above)]);
      known[c] = known[i] + (node.above < 0 ? 1 : 0);
    }
  }
  if (count == 1) {  // a tree of a single leaf contributes to the base only
    nodes_.resize(tree.first);
    return;
  }
  trees_[static_cast<std::size_t>(output)].push_back(tree);
  add_factors(tree, met);
}

// Up to rows_per_block rows, stored by column. Nodes are in breadth-first order: a forward loop goes down the tree, a backward
// loop goes up.
class TreeShap::Block {
 public:
  Block(const TreeShap& shap, Index inputs, std::size_t max_nodes, std::size_t max_products)
      : shap_(shap),
        inputs_(static_cast<std::size_t>(inputs)),
        cells_(inputs_ * static_cast<std::size_t>(rows_per_block) / lanes),
        taken_(max_nodes),
        products_(max_products),
        sums_(static_cast<std::size_t>(shap.players_) * static_cast<std::size_t>(rows_per_block) / lanes) {}

  void run(const Inputs& x, Index first, Index count, Index output, double weight, Matrix& shares) {
    const std::size_t groups = (static_cast<std::size_t>(count) + lanes - 1) / lanes;
    for (std::size_t i = 0; i < groups * lanes; ++i) {
      const float* row = x.row(first + std::min(static_cast<Index>(i), count - 1)).data();
      for (std::size_t c = 0; c < inputs_; ++c) cells_[i / lanes * inputs_ + c].of[i % lanes] = row[c];
    }
    for (Lanes& sum : sums_) sum.of = Doubles{};
    for (const Tree& tree : shap_.trees_[static_cast<std::size_t>(output)])
      for (std::size_t group = 0; group < groups; ++group) dispatch(tree, group);
    const auto players = static_cast<std::size_t>(shap_.players_);
    for (Index i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      for (std::size_t p = 0; p < players; ++p)
        shares(first + i, static_cast<Index>(p)) += weight * sums_[at / lanes * players + p].of[at % lanes];
    }
  }

 private:
  void dispatch(const Tree& tree, std::size_t group) {
    switch (tree.points) {
      case 1:
        return add<1>(tree, group);
      case 2:
        return add<2>(tree, group);
      case 3:
        return add<3>(tree, group);
      case 4:
        return add<4>(tree, group);
      default:
        return add<0>(tree, group);
    }
  }

  // `fixed` is the number of points as a compile-time constant; 0 reads it from the tree.
  template <int fixed>
  void add(const Tree& tree, std::size_t group) {
    const std::size_t points = fixed > 0 ? static_cast<std::size_t>(fixed) : static_cast<std::size_t>(tree.points);
    const Node* const nodes = shap_.nodes_.data() + tree.first;
    const double* const factors = shap_.factors_.data() + tree.factors;
    down(tree.nodes, nodes, factors, cells_.data() + group * inputs_, points);
    up(tree.nodes, nodes, factors, sums_.data() + group * static_cast<std::size_t>(shap_.players_), points);
  }

  // Fills two vectors for each node. taken_: whether a row takes this edge and all earlier edges of the same player. products_:
  // the product of the factors on the path to the node, at a leaf times its value.
  inline void down(std::size_t count, const Node* nodes, const double* factors, const Cells* cells, std::size_t points) {
    for (std::size_t q = 0; q < points; ++q) products_[q].of = Doubles{} + 1.0;
    for (std::size_t i = 0; i < count; ++i) {
      const Node& node = nodes[i];
      if (node.left < 0) continue;
      const Floats x = cells[node.input].of;
      Answers32 right = x >= node.value;
      if (!node.missing_left) right |= x != x;
      const LaneAnswers to_right = __builtin_convertvector(right, LaneAnswers);
      const bool is_first = node.above < 0;
      const LaneAnswers before = is_first ? ~LaneAnswers{} : taken_[static_cast<std::size_t>(node.above)].of;
      const Lanes* const from = products_.data() + i * points;
      for (std::size_t side = 0; side < 2; ++side) {
        const auto c = static_cast<std::size_t>(node.left) + side;
        const LaneAnswers taken = (side == 1 ? to_right : ~to_right) & before;
        taken_[c].of = taken;
        const double* const own = factors + c * points * kinds;
        const double value = nodes[c].left < 0 ? static_cast<double>(nodes[c].value) : 1.0;
        Lanes* const to = products_.data() + c * points;
        const Doubles if_before = Doubles{} + nodes[c].share * value;
        for (std::size_t q = 0; q < points; ++q) {
          const Doubles factor = taken ? Doubles{} + own[q] * value : Doubles{} + own[points + q] * value;
          to[q].of = from[q].of * (is_first ? factor : before ? factor : if_before);
        }
      }
    }
  }

  // Replaces products_ by sums over the leaves below each node and adds the shares to `sums`.
  inline void up(std::size_t count, const Node* nodes, const double* factors, Lanes* sums, std::size_t points) {
    const Quadrature& rule = gauss_legendre(static_cast<int>(points));
    for (std::size_t i = count; i-- > 0;) {
      const Node& node = nodes[i];
      if (node.left < 0) continue;
      const auto left = static_cast<std::size_t>(node.left), right = left + 1;
      const LaneAnswers left_taken = taken_[left].of, right_taken = taken_[right].of;
      const double* const left_pull = factors + (left * kinds + 2) * points;
      const double* const right_pull = factors + (right * kinds + 2) * points;
      Doubles share = Doubles{};
      for (std::size_t q = 0; q < points; ++q) {
        const Doubles of_left = products_[left * points + q].of, of_right = products_[right * points + q].of;
        const Doubles both = of_left + of_right, away = Doubles{} - rule.weights[q] / (1 - rule.nodes[q]);
        products_[i * points + q].of = both;
        share += of_left * (left_taken ? Doubles{} + left_pull[q] : away) +
                 of_right * (right_taken ? Doubles{} + right_pull[q] : away);
        if (node.above < 0) continue;
        const auto above = static_cast<std::size_t>(node.above);
        share -= both * (taken_[above].of ? Doubles{} + factors[(above * kinds + 2) * points + q] : away);
      }
      if (node.player != shap_.fixed_player_.player) sums[static_cast<std::size_t>(node.player)].of += share;
    }
  }

  const TreeShap& shap_;
  std::size_t inputs_;
  std::vector<Cells> cells_;
  std::vector<Taken> taken_;
  std::vector<Lanes> products_, sums_;
};

void TreeShap::add(const Inputs& x, Index output, double weight, Matrix& shares, int threads) const {
  std::size_t max_nodes = 1, max_products = 1;
  for (const Tree& tree : trees_[static_cast<std::size_t>(output)]) {
    max_nodes = std::max(max_nodes, tree.nodes);
    max_products = std::max(max_products, tree.nodes * static_cast<std::size_t>(tree.points));
  }
  parallel_blocks(x.rows(), 8 * rows_per_block, threads, [&](Index begin, Index end) {
    Block block(*this, x.cols(), max_nodes, max_products);
    for (Index first = begin; first < end; first += rows_per_block)
      block.run(x, first, std::min(rows_per_block, end - first), output, weight, shares);
  });
}

}  // namespace taut
