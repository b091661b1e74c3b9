// The share of every column in f(x). Predictors with an additive form (trees, linear) are taken apart exactly, others by walks.
#pragma once

#include <taut/explain/explainer.hpp>
#include <taut/explain/sampled_shares.hpp>
#include <taut/explain/tree_shap.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

class PredictionShares {
 public:
  // `parts` must outlive this, and predict f itself.
  PredictionShares(const ModelParts& parts, const ExplainOptions& options, int threads);

  // The predictors that are explained by sampling.
  const std::vector<std::string>& sampled() const { return sampled_names_; }

  // Of rows of cells, whose f is `f`, to `out`. Returns Explanation::rounding.
  double explain(const Matrix& cells, std::span<const double> f, Attribution& out, int threads) const;

 private:
  // Forests of all members for one output of one part, on the scale on which it learns the target: a mean of sums.
  struct Exact {
    const FoldedPredictor* predictor;
    double weight;  // in f
    double base = 0;
    std::vector<std::pair<TreeShap, ForestTerm>> forests = {};
    std::vector<double> weights = {};  // of inputs
  };

  bool add_exact(const PointPredictor::Part& part, Index output);
  void add_part(const Exact& part, const Matrix& cells, Attribution& out, int threads) const;
  Matrix sampled_at(const Matrix& rows, int threads) const;

  const ModelParts& parts_;
  const NumberTask& task_;
  std::vector<Exact> exact_;
  std::vector<const PointPredictor::Part*> others_;
  std::vector<std::string> sampled_names_;
  std::vector<SampledShares> walks_;  // one, or none where all is exact
};

// All rows of cells as an encoder's inputs.
MatrixF encoded(const Encoder& encoder, const Matrix& cells, int threads);

}  // namespace taut
