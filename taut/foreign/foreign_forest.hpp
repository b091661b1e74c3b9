// Evaluates a model of another library: the same bits, faster. Cells become whole numbers first (see ForeignCodes), so that
// double thresholds, floats, '<' and '<=' and every way to treat missing cells are one case for the trees.
#pragma once

#include <taut/foreign/foreign_codes.hpp>

#include <functional>

namespace taut {

class ForeignForest {
 public:
  ForeignForest() = default;
  explicit ForeignForest(const ForeignModel& model);

  // One row: a cell for each feature; NaN is missing, a category by text is its position in the feature's texts.
  double predict(const double* cells) const;
  // Many: copy(first, count, cells) writes the cells of some rows, feature after feature, each ForeignCodes::width cells long.
  using CopyCells = std::function<void(Index first, Index count, double* cells)>;
  void predict(Index rows, const CopyCells& copy, std::span<double> out, int threads) const;

 private:
  // Children stand side by side: one comparison picks between them without a branch. A leaf is its own left child and looks at a
  // column behind the last whose code is 0.
  template <class CodeType>
  struct Walk {
    using Code = CodeType;
    struct Node {
      Code threshold;  // right when the code is at least this; of a category, where its set begins
      Code column;
      std::uint32_t left;
    };
    std::vector<Node> nodes;
  };
  // All nodes of a level ask the same.
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
