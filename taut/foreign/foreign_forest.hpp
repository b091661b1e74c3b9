// Evaluates a model of another library: the same bits, faster. A cell is compared once with all thresholds of its column; trees
// then compare whole numbers, so that double thresholds, floats, '<' and '<=' and every way to treat missing cells are one case.
#pragma once

#include <taut/foreign/foreign_model.hpp>

#include <functional>

namespace taut {

class ForeignForest {
 public:
  ForeignForest() = default;
  explicit ForeignForest(const ForeignModel& model);

  Index inputs() const { return std::ssize(features_); }
  // One row: a cell for each feature; NaN is missing, a category by text is its position in the feature's texts.
  double predict(const double* cells) const;
  // Many: copy(row, cells) writes the cells of a row.
  using CopyRow = std::function<void(Index row, double* cells)>;
  void predict(Index rows, const CopyRow& copy, std::span<double> out, int threads) const;

 private:
  // A column of codes: how many thresholds of a feature lie below a cell, or a category. One for each way to treat missing cells.
  struct CodeColumn {
    std::int32_t feature;
    bool is_category;
    ForeignMissing missing;
  };
  struct Feature {
    std::vector<double> thresholds;  // ascending
    std::vector<double> numbers;     // categories that are numbers
    std::uint32_t categories = 0;    // of texts; 0: none
    std::vector<std::uint32_t> columns;
    std::uint32_t code_of_zero = 0;
  };
  // Children stand side by side: one comparison picks between them without a branch. A leaf is its own left child.
  struct Node {
    std::uint32_t threshold;  // right when the code is at least this; of a category, where its set begins
    std::uint32_t column;
    std::uint32_t left;
  };
  // All nodes of a level ask the same.
  struct SymmetricTree {
    std::uint32_t first_split, depth, first_leaf;
  };
  struct SymmetricSplit {
    std::uint32_t column;
    std::uint8_t threshold;
  };

  std::uint32_t column_for(const ForeignNode& node);
  std::uint32_t threshold_of(const ForeignNode& node) const;
  bool find_symmetry(const ForeignModel& model);
  void add_trees(const ForeignModel& model);
  void add_sets(const ForeignModel& model);

  std::uint32_t rank(const Feature& feature, double cell) const;
  template <class Put>
  void encode(const double* cells, Put put) const;
  std::uint32_t category_of(const Feature& feature, double cell) const;

  template <bool has_sets>
  std::uint32_t step(std::uint32_t node, const std::uint32_t* codes) const;
  template <bool has_sets, class Sum>
  void add_block(const std::uint32_t* codes, Index rows, Sum* sums) const;
  template <bool has_sets, class Sum>
  double add_row(const std::uint32_t* codes) const;
  template <class Sum>
  void predict_block(Index first, Index count, const CopyRow& copy, double* out, void* scratch) const;
  void predict_symmetric_rows(const std::uint8_t* codes, Index count, double* out) const;
  void predict_symmetric(Index first, Index count, const CopyRow& copy, double* out) const;
  double finish(double sum) const;

  bool strict_ = false, float_inputs_ = false, float_sums_ = false, tiny_is_zero_ = false;
  double start_ = 0, divisor_ = 1, scale_ = 1, bias_ = 0;
  ForeignLink link_ = ForeignLink::identity;

  std::vector<Feature> features_;
  std::vector<CodeColumn> columns_;
  std::vector<Node> nodes_;
  std::vector<double> values_;         // of the same nodes
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint32_t> sets_;    // the number of bits of a set, then its words
  std::vector<std::uint32_t> set_starts_;
  bool has_sets_ = false;

  bool is_symmetric_ = false;
  std::vector<SymmetricTree> symmetric_;
  std::vector<SymmetricSplit> splits_;
  std::vector<double> leaves_;
};

}  // namespace taut
