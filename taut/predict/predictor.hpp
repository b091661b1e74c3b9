// f(x): a point predictor. Where f already exists, its predictions are a column and no predictor is needed.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/trees/forest.hpp>

#include <optional>

namespace taut {

enum class SearchEffort { quick, normal, thorough };

struct PredictorSettings {
  std::uint64_t seed = 0;
  Index knn_rows = 1000;  // most rows that knn keeps
  SearchEffort effort = SearchEffort::normal;
  Index companions = 1;  // trainings like this one, on other folds, with which the result is averaged
};

// The target arrives in standard units (centre 0, scale 1), the inputs as needs() says; so a predictor never deals with
// units, categories or missing cells that it cannot take.
class Predictor {
 public:
  virtual ~Predictor() = default;

  virtual Encoding needs() const = 0;
  // How many numbers are predicted for a row: 1, f itself, or 2, the ends of an interval whose middle is f.
  virtual Index outputs() const { return 1; }
  // Whether a stack tries it, with so many rows and this effort.
  virtual bool joins_stack(Index /*rows*/, SearchEffort /*effort*/) const { return false; }
  // Whether f is a sum of what single columns say: then the scale of the target decides more than for others.
  virtual bool adds_up_columns() const { return false; }
  // From the rows `rows` of x, whose targets stand in the same order.
  virtual void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
                   const ExecutionContext& context) = 0;
  // After a fit: of the rows that it was given so many were enough, because more did not help. 0: it has used all.
  virtual Index rows_sufficing() const { return 0; }
  // `out`: rows x outputs(), row after row.
  virtual void predict(const Inputs& x, std::span<double> out, int threads) const = 0;

  // What one output is made of, where it is a sum of trees or of weighted inputs; such a predictor is explained exactly, others
  // by sampling.
  virtual std::optional<AdditiveForm> additive_form(Index /*output*/) const { return {}; }

  // What the trained predictor computes, where it can be said in plain terms; only such a predictor is exported.
  virtual std::optional<DescribedFunction> describe() const { return {}; }

  virtual void save(Archive archive) const = 0;
  virtual void load(const Archive& archive, Index inputs) = 0;  // checks everything against the number of input columns
};

Registry<Predictor>& predictors();

}  // namespace taut
