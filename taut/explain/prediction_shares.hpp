// The share of every column in f(x): exact for predictors with an additive form (trees, linear), sampled by walks for others.
#pragma once

#include <taut/explain/explainer.hpp>
#include <taut/explain/sampled_shares.hpp>
#include <taut/explain/tree_shap.hpp>
#include <taut/task/number/number_task.hpp>

namespace taut {

class PredictionShares {
 public:
  // `parts` must outlive this object. Predictions must not be given: the model must predict f itself.
  PredictionShares(const ModelParts& parts, const ExplainOptions& options, int threads);

  // The names of the predictors that are explained by sampling.
  const std::vector<std::string>& sampled() const { return sampled_names_; }

  // Writes the shares of the rows in `cells` to `out`; `f` holds their predictions. Returns Explanation::rounding.
  double explain(const Matrix& cells, std::span<const double> f, Attribution& out, int threads) const;

 private:
  // The additive form of one output of one part: the mean over its members, on the scale on which the part learns the target.
  struct Exact {
    const FoldedPredictor* predictor;
    double weight;  // of the output in f
    double base = 0;
    std::vector<std::pair<TreeShap, ForestTerm>> forests = {};
    std::vector<double> weights = {};  // one for each encoded input
  };

  bool add_exact(const PointPredictor::Part& part, Index output);
  void add_part(const Exact& part, const Matrix& cells, Attribution& out, int threads) const;
  Matrix sampled_at(const Matrix& rows, int threads) const;

  const ModelParts& parts_;
  const NumberTask& task_;
  std::vector<Exact> exact_;
  std::vector<const PointPredictor::Part*> others_;
  std::vector<std::string> sampled_names_;
  std::vector<SampledShares> walks_;  // one, or none if all parts are exact
};

// Encodes all rows of `cells`.
MatrixF encoded(const Encoder& encoder, const Matrix& cells, int threads);

}  // namespace taut
