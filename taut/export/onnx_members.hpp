// Members of a predictor as nodes of an ONNX graph: trees, networks, Gaussian processes.
#pragma once

#include <taut/export/exported.hpp>
#include <taut/export/onnx_maths.hpp>
#include <taut/export/onnx_writer.hpp>

namespace taut {

inline constexpr double half_float_ulp = 5.9604644775390625e-08;  // 2^-24

// A bound of the rounding error of floats that are added in order: every partial sum is rounded once. A runtime that adds doubles
// rounds only the result to a float, as the ONNX standard requires; of_result() bounds that error.
class FloatSum {
 public:
  void add(double largest) {
    reach_ += largest;
    error_ += half_float_ulp * reach_;
  }
  double error() const { return 1.01 * (error_ + half_float_ulp * reach_); }
  double of_result() const { return 1.01 * half_float_ulp * reach_; }

 private:
  double reach_ = 0, error_ = 0;
};

// The attributes of one TreeEnsembleRegressor node, tree after tree.
class OnnxTrees {
 public:
  explicit OnnxTrees(std::int64_t targets) : targets_(targets) {}

  void node(std::int64_t tree, std::int64_t id, const char* mode, std::int64_t feature, double value, std::int64_t left,
            std::int64_t right, bool missing_left);
  void leaf(std::int64_t tree, std::int64_t id) { node(tree, id, "LEAF", 0, 0, 0, 0, false); }
  void weight(std::int64_t tree, std::int64_t id, std::int64_t target, double value);

  // Adds tree t of `trees`, whose first node is at `at`, to a target. Returns the largest size of its leaves.
  double add_tree(const DescribedTrees& trees, std::int64_t t, std::size_t at, std::int64_t id, std::int64_t target);

  // Adds trees; tree t belongs to the target `first` + t modulo the number of outputs. Appends the error bound of the float sums
  // of each target to `error`.
  static void add(const DescribedTrees& trees, std::int64_t first, std::int64_t& tree_id, OnnxTrees& to,
                  std::vector<double>& error);
  // Adds complete trees whose leaves contribute to every target. Returns the error bound of their float sums.
  static double add(const DescribedQuantiles::Member& member, std::int64_t& tree, OnnxTrees& to);

  // Adds the node to the graph and returns the name of the sums, rows x targets.
  std::string add_to(OnnxGraph& graph, const std::string& inputs) const;

 private:
  std::int64_t targets_;
  std::vector<std::int64_t> trees_, ids_, features_, true_, false_, missing_, weight_trees_, weight_ids_, weight_targets_;
  std::vector<double> values_, weights_;
  std::vector<std::string> modes_;
};

// The mean over members, and a bound of its difference to the library's mean: each is rows x 1, or one number.
struct OnnxSum {
  std::string value, error;
};

// `inputs` names the encoded inputs of the part; `columns` is the number of standardised inputs of the model.
OnnxSum onnx_sum(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths);

// The same for parts whose members are networks or Gaussian processes.
OnnxSum onnx_smooth_sum(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths);

}  // namespace taut
