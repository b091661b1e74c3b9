// Exact Shapley values of a forest by Gauss-Legendre quadrature.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <span>
#include <vector>

namespace taut {

// Gauss-Legendre nodes and weights on [0, 1]: n of them integrate polynomials of degree 2n − 1 exactly.
struct Quadrature {
  std::vector<double> nodes, weights;
};

// `points`: 1 to max_points, else an Error.
const Quadrature& gauss_legendre(int points);

inline constexpr int max_points = 64;

// Exact Shapley values of a forest: what each player (a column of the table) adds to the output of a row, relative to the mean.
//
// The game: players of the coalition S are known, so their splits are followed; at all others both branches are taken, weighted
// by the training rows that took them (path-dependent, as in Lundberg et al., 2018). A leaf with value v is reached with weight
// Π_j (o_j if j is known, else z_j) over the players j on its path, o_j = 1 if the row takes all of j's branches, else 0, and
// z_j the share of rows that do. Since s!(d−1−s)!/d! = ∫ t^s (1−t)^(d−1−s) dt on [0, 1], its Shapley values are
//   v (o_k − z_k) ∫ Π_{j≠k} (t o_j + (1−t) z_j) dt,
// the integral of a polynomial of degree d−1 in t, which ⌈d/2⌉ Gauss-Legendre nodes compute exactly. Products are shared on the
// way down and sums over leaves on the way up, so the cost of a tree is its number of edges times the number of nodes t. All
// weights are positive.

// A player that is always in the coalition, or always out of it. Interactions are differences between the two.
struct FixedPlayer {
  Index player = -1;  // -1: no player is fixed
  bool is_in = false;
};

class TreeShap {
 public:
  // player_of[input]: several inputs may belong to one player; they are known together or not at all. Throws an Error if the
  // forest has no covers, the numbers of training rows that reached each leaf.
  TreeShap(const Forest& forest, std::span<const Index> player_of, Index players, FixedPlayer fixed_player = {});

  Index outputs() const { return std::ssize(bases_); }
  Index players() const { return players_; }
  // The output of the empty coalition: the mean over training rows. Not valid with a fixed player, as it then depends on the row.
  double base(Index output) const { return bases_[static_cast<std::size_t>(output)]; }

  // Adds the shares of one output, times `weight`, to `shares` (rows x players).
  void add(const Inputs& x, Index output, double weight, Matrix& shares, int threads) const;

 private:
  // One node of a tree. `share` and the factors of a node belong to the edge that leads to it.
  struct Node {
    float value = 0;  // the threshold of a split or the value of a leaf
    std::uint32_t input = 0;
    std::int32_t left = -1;   // -1: a leaf; the right child is left + 1
    std::int32_t above = -1;  // the nearest of this node and its ancestors whose edge belongs to the split's player; -1: none
    std::int32_t player = 0;  // the player of its split
    bool missing_left = false;
    double share = 0;  // the share of its parent's rows
  };
  struct Tree {
    std::size_t first = 0, nodes = 0;
    std::size_t factors = 0;  // index of its first factor
    int points = 0;           // the number of quadrature nodes t
  };
  class Block;

  void compile(std::span<const TreeNode> tree, std::span<const Index> player_of, Index output);
  void add_factors(const Tree& tree, std::span<const double> met);

  Index players_;
  FixedPlayer fixed_player_;
  std::vector<double> bases_;
  std::vector<Node> nodes_;
  std::vector<double> factors_;           // for each node and each t: taken, left, pull (see add_factors)
  std::vector<std::vector<Tree>> trees_;  // for each output
};

}  // namespace taut
