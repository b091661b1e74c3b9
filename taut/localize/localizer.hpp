// g(x): the trained function that returns the parameters of the transformation. It is a network, boosted trees or a constant;
// other code uses only this interface.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/direction.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>
#include <taut/data/inputs/input_pool.hpp>
#include <taut/trees/forest.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace taut {

struct LocalizerSettings {
  std::uint64_t seed = 0;
  std::vector<Index> hidden = {100, 100, 100, 100, 100};  // mlp: neurons of each hidden layer
  double rate = 0;                                        // learning rate; 0: the localizer's own default
  Index depth = 0;                                        // boost: depth of a tree; 0: default
  double min_weight = 0;                                  // boost: minimum sum of curvatures in a leaf; 0: default
  double min_gain = 0;              // boost: minimum gain of a split, which is twice the decrease of the loss over all rows
  Index batch = 0;                  // rows in an update; 0: the localizer's own default
  InputDirections directions = {};  // of every input: any or unused
};

// A localizer is trained in a session. start() sets the training rows and the validation rows once. Then
//   g = forward(rows); [an objective computes ∂loss/∂g from g]; update(rows, ∂loss/∂g, curvature)
// is repeated. validation() returns g on the validation rows after the updates so far. snapshot() saves the current state,
// restore() returns to the last snapshot. finish() frees the memory that only training needs.
class Localizer {
 public:
  virtual ~Localizer() = default;

  virtual bool adapts() const { return true; }             // whether g differs between rows; otherwise there is nothing to train
  virtual bool keeps_directions() const { return false; }  // whether it can leave inputs unused (LocalizerSettings::directions)
  virtual bool accepts_missing() const = 0;                // whether it accepts missing cells and category codes without encoding
  virtual bool uses_prediction_by_default() const = 0;     // whether f(x) is an additional input by default
  virtual bool trains_per_fold() const = 0;  // whether it is cheap enough to train once per fold and to average the folds

  // `train` and `validation` are rows of `x`, which need not outlive the call. The rows of later calls are positions in `train`.
  // `initial` has one number per output: g of every row before the first update.
  virtual void start(const InputPool& x, RowsView train, RowsView validation, std::span<const double> initial,
                     const LocalizerSettings& settings, const ExecutionContext& context) = 0;
  virtual Index batch() const = 0;                   // rows in one update; 0: all of them
  virtual Index default_epochs() const = 0;          // passes over the data if the user gives none
  virtual Index default_patience() const = 0;        // passes without improvement before training stops
  virtual const Matrix& forward(RowsView rows) = 0;  // rows x outputs
  virtual void update(RowsView rows, const Matrix& gradient, const Matrix& curvature) = 0;  // of the rows of the last forward()
  virtual const Matrix& validation() = 0;
  virtual void snapshot() = 0;
  virtual void restore() = 0;
  virtual void finish() = 0;

  // g of any rows: N x outputs.
  virtual void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const = 0;

  // The terms of one output if it is a sum of trees. Such a localizer is explained exactly, others by sampling.
  virtual std::optional<AdditiveForm> additive_form(Index /*output*/) const { return {}; }

  // A description of the trained localizer for export. A localizer without one cannot be exported.
  virtual std::optional<DescribedLocalizer> describe() const { return {}; }

  virtual void save(Archive archive) const = 0;
  virtual void load(const Archive& archive, Index inputs, Index outputs) = 0;
};

Registry<Localizer>& localizers();

}  // namespace taut
