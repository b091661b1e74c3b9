// f(x): a point predictor. If predictions of f already exist as a column, no predictor is needed.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/direction.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/trees/forest.hpp>

#include <optional>

namespace taut {

enum class SearchEffort { quick, normal, thorough };

struct OwnTarget;  // taut/predict/own_loss.hpp

struct PredictorSettings {
  std::uint64_t seed = 0;
  Index knn_rows = 1000;  // maximum number of rows that knn keeps
  SearchEffort effort = SearchEffort::normal;
  Index companions = 1;             // number of folds whose members are averaged, including this one
  InputDirections directions = {};  // of the columns of the table; in Predictor::fit() of the inputs
  bool mean = false;                // the mean is wanted: squared errors instead of losses that limit the effect of a single row
  bool exact = false;               // the values are those of another model, without noise
  const OwnTarget* own = nullptr;   // a loss of the caller, for `boost` alone
};

// The target is in standard units (centre 0, mean deviation 1) and the inputs have the encoding needs(). A predictor therefore
// never gets units, categories or missing cells that it cannot handle.
class Predictor {
 public:
  virtual ~Predictor() = default;

  virtual Encoding needs() const = 0;
  // The number of predictions for a row: 1, f itself, or 2, the ends of an interval whose middle is f.
  virtual Index outputs() const { return 1; }
  // True if a stack tries this predictor for a table of this size.
  virtual bool joins_stack(Index /*rows*/, Index /*columns*/, SearchEffort /*effort*/) const { return false; }
  // True if more rows may lower its error by more than that of other predictors, so that a comparison on few rows says little.
  virtual bool gains_from_rows() const { return false; }
  // True if f never falls in an input with Direction::increasing and never rises in one with Direction::decreasing, exactly and
  // whatever the other inputs, as long as the input is not missing.
  virtual bool keeps_directions() const { return false; }
  // True if f is a sum of functions of single columns. The scale of the target matters more for such a predictor.
  virtual bool is_additive() const { return false; }
  // Trains on the rows `rows` of x. `y` has their targets in the same order.
  virtual void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
                   const ExecutionContext& context) = 0;
  // After fit(): the number of rows that the predictor was trained on, because more rows did not help. 0 if it used all.
  virtual Index rows_sufficing() const { return 0; }
  // `out`: rows x outputs(), row by row.
  virtual void predict(const Inputs& x, std::span<double> out, int threads) const = 0;

  // One output as a sum of trees and weighted inputs, if it has that form. Such a predictor is explained exactly, others by
  // sampling.
  virtual std::optional<AdditiveForm> additive_form(Index /*output*/) const { return {}; }

  // A description of the trained function for export. A predictor without one cannot be exported.
  virtual std::optional<DescribedFunction> describe() const { return {}; }

  virtual void save(Archive archive) const = 0;
  virtual void load(const Archive& archive, Index inputs) = 0;  // throws an Error if the file does not fit `inputs` columns
};

Registry<Predictor>& predictors();

}  // namespace taut
