// Exact Shapley values of a forest, by Gauss and Legendre's quadrature.
#pragma once

#include <taut/core/types.hpp>
#include <taut/trees/forest.hpp>

#include <span>
#include <vector>

namespace taut {

// Gauss and Legendre's nodes and weights on [0, 1]: n of them integrate polynomials of degree 2n − 1 exactly.

struct Quadrature {
  std::vector<double> nodes, weights;
};

const Quadrature& gauss_legendre(int points);  // 1 to most_points

inline constexpr int most_points = 64;

// Exact Shapley values of a forest: what each player (a column of the table) adds to the output of a row, compared with the mean.
//
// The game: players of the coalition S are known, so their splits are followed; at all others both branches are taken, weighted
// by the training rows that took them (path-dependent, as in Lundberg et al., 2018). A leaf with value v is reached with weight
// Π_j (o_j if j is known, else z_j) over the players j on its path, o_j = 1 if the row takes all of j's branches, else 0, and
// z_j the share of rows that do. Since s!(d−1−s)!/d! = ∫ t^s (1−t)^(d−1−s) dt on [0, 1], its Shapley values are
//   v (o_k − z_k) ∫ Π_{j≠k} (t o_j + (1−t) z_j) dt,
// a polynomial of degree d−1 in t: ⌈d/2⌉ nodes of Gauss and Legendre integrate it exactly. Products are shared on the way down
// and sums over leaves on the way up, so a tree costs its edges times its nodes t, with positive weights throughout.

// A player who takes no part because it is known to be in the coalition, or out of it: for interactions.
struct SettledPlayer {
  Index player = -1;  // -1: everybody plays
  bool is_in = false;
};

class TreeShap {
 public:
  // player_of[input]: several inputs may belong to one player, who knows all of them or none. The forest must have covers.
  TreeShap(const Forest& forest, std::span<const Index> player_of, Index players, SettledPlayer settled = {});

  Index outputs() const { return std::ssize(bases_); }
  Index players() const { return players_; }
  // The output with no player: the mean over training rows. With a settled player it depends on the row, and this is not it.
  double base(Index output) const { return bases_[static_cast<std::size_t>(output)]; }

  // Adds the shares of one output, times `weight`, to `shares`, rows x players.
  void add(const Inputs& x, Index output, double weight, Matrix& shares, int threads) const;

 private:
  // One node of a tree. What stands for a child is about the edge that leads to it.
  struct Node {
    float value = 0;  // threshold, or the leaf's
    std::uint32_t input = 0;
    std::int32_t left = -1;   // -1: a leaf; the right child comes next
    std::int32_t above = -1;  // the nearest node above, or this one, that an edge of the split's player leads to; -1: none
    std::int32_t player = 0;  // of its split
    bool missing_left = false;
    double share = 0;  // of the rows of its parent
  };
  struct Tree {
    std::size_t first = 0, nodes = 0;
    std::size_t factors = 0;  // where its factors begin
    int points = 0;           // t at which integrands are evaluated
  };
  class Block;

  void compile(std::span<const TreeNode> tree, std::span<const Index> player_of, Index output);
  void add_factors(const Tree& tree, std::span<const double> met);

  Index players_;
  SettledPlayer settled_;
  std::vector<double> bases_;
  std::vector<Node> nodes_;
  std::vector<double> factors_;           // of each node and each t: taken, left, pull (see the source)
  std::vector<std::vector<Tree>> trees_;  // of each output
};

}  // namespace taut
