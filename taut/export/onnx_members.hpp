// Members of a predictor as parts of a graph of ONNX: trees, networks, Gaussian processes.
#pragma once

#include <taut/export/exported.hpp>
#include <taut/export/onnx_maths.hpp>
#include <taut/export/onnx_writer.hpp>

namespace taut {

// Trees as a node of ONNX, and how far a sum of their floats may be from the true one.

inline constexpr double half_float_ulp = 5.9604644775390625e-08;  // 2^-24

// Of floats that are added in order: every partial sum is rounded once. A runtime that adds doubles rounds their sum to a float,
// as the standard says.
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

// The attributes of one TreeEnsembleRegressor, tree after tree.
class OnnxTrees {
 public:
  explicit OnnxTrees(std::int64_t targets) : targets_(targets) {}

  void node(std::int64_t tree, std::int64_t id, const char* mode, std::int64_t feature, double value, std::int64_t left,
            std::int64_t right, bool missing_left);
  void leaf(std::int64_t tree, std::int64_t id) { node(tree, id, "LEAF", 0, 0, 0, 0, false); }
  void weight(std::int64_t tree, std::int64_t id, std::int64_t target, double value);

  // Trees of one output each, or alternating between several, to targets from `first` on; what floats may lose to `error`, one
  // number a target.
  static void add(const DescribedTrees& trees, std::int64_t first, std::int64_t& tree_id, OnnxTrees& to,
                  std::vector<double>& error);
  // Complete trees whose leaves add to every target. Returns what floats may lose.
  static double add(const DescribedQuantiles::Member& member, std::int64_t& tree, OnnxTrees& to);

  // The sums, rows x targets.
  std::string add_to(OnnxGraph& graph, const std::string& inputs) const;

 private:
  std::int64_t targets_;
  std::vector<std::int64_t> trees_, ids_, features_, true_, false_, missing_, weight_trees_, weight_ids_, weight_targets_;
  std::vector<double> values_, weights_;
  std::vector<std::string> modes_;
};

// Members of a predictor as parts of a graph of ONNX.

// The mean over members, and how far it may be from the library's: rows x 1, or one number.
struct OnnxSum {
  std::string value, error;
};

// `inputs`: what the part sees; `columns`: how many standardised ones there are.
OnnxSum onnx_sum(const ExportedPart& part, const std::string& inputs, Index columns, OnnxMaths& maths);

// The same for parts of networks and of processes.
OnnxSum onnx_smooth_sum(const ExportedPart& part, const std::string& inputs, OnnxMaths& maths);

}  // namespace taut
