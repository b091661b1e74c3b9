// Evaluates a tree model of another library: the same bits, faster. Cells become integer codes first (see ForeignCodes). The
// trees then have one case for doubles and floats, '<' and '<=', and every treatment of missing cells.
#pragma once

#include <taut/foreign/foreign_codes.hpp>

#include <functional>

namespace taut {

class ForeignForest {
 public:
  ForeignForest() = default;
  explicit ForeignForest(const ForeignModel& model);

  // Predicts one row: a cell for each feature. NaN is missing; a category given by text is its position in the feature's texts.
  double predict(const double* cells) const;
  // Predicts many rows. copy(first, count, cells) writes the cells of some rows: ForeignCodes::width cells for each feature.
  using CopyCells = std::function<void(Index first, Index count, double* cells)>;
  void predict(Index rows, const CopyCells& copy, std::span<double> out, int threads) const;

 private:
  // Siblings are adjacent, so that one comparison selects a child without a branch. A leaf is its own left child and uses an
  // extra last column, whose code is always 0.
  template <class CodeType>
  struct Walk {
    using Code = CodeType;
    struct Node {
      Code threshold;  // right if the code is at least this; for a category, the start of its set
      Code column;
      std::uint32_t left;
    };
    std::vector<Node> nodes;
  };
  // A tree in which all nodes of a level have the same split.
  struct SymmetricTree {
    std::uint32_t first_split, depth, first_leaf;
  };
  struct SymmetricSplit {
    std::uint32_t column;
    std::uint8_t threshold;
  };

  bool find_symmetry(const ForeignModel& model);
  void add_sets(const ForeignModel& model);
  template <class Code>
  void add_trees(const ForeignModel& model, Walk<Code>& walk);

  template <bool has_sets, class Code>
  std::uint32_t step(const Walk<Code>& walk, std::uint32_t node, const Code* codes) const;
  template <bool has_sets, class Sum, class Code>
  void add_block(const Walk<Code>& walk, const Code* codes, std::size_t rows, Sum* sums) const;
  template <bool has_sets, class Sum, class Code>
  Sum add_row(const Walk<Code>& walk, const Code* codes) const;
  template <bool has_sets, class Sum, class Code>
  void predict_block(const Walk<Code>& walk, double* cells, std::size_t count, double* out) const;
  template <bool has_sets, class Code>
  void predict_block(const Walk<Code>& walk, double* cells, std::size_t count, double* out) const;
  void predict_symmetric(double* cells, std::size_t count, double* out) const;
  double finish(double sum) const;

  bool float_sums_ = false;
  double start_ = 0, divisor_ = 1, scale_ = 1, bias_ = 0;
  ForeignLink link_ = ForeignLink::identity;
  ForeignCodes codes_;

  Walk<std::uint16_t> narrow_;
  Walk<std::uint32_t> wide_;
  std::vector<double> values_;  // of the nodes
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint32_t> depths_;
  std::vector<std::uint32_t> sets_;  // the number of bits of a set, then its words
  std::vector<std::uint32_t> set_starts_;

  bool is_symmetric_ = false;
  std::vector<SymmetricTree> symmetric_;
  std::vector<SymmetricSplit> splits_;
  std::vector<double> leaves_;
};

}  // namespace taut
