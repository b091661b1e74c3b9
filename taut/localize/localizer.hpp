// g(x): the trained function that sets the parameters of the transformation. A network, boosted trees or a constant: no other
// code knows which.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
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
  double min_weight = 0;                                  // boost: least sum of curvatures in a leaf; 0: default
  double min_gain = 0;  // boost: least gain of a split, twice the fall of the loss over all rows
  Index batch = 0;      // rows in an update; 0: the localizer's own default
};

// A localizer is trained in a session: start() names the training rows and the validation rows once, then
//   g = forward(rows); [an objective turns g into ∂loss/∂g]; update(rows, ∂loss/∂g, curvature)
// repeats; validation() gives g on the validation rows after the updates so far. snapshot() keeps the present state,
// restore() returns to the last one. finish() drops what only training needs.
class Localizer {
 public:
  virtual ~Localizer() = default;

  virtual bool adapts() const { return true; }  // g differs between rows; else there is nothing to train
  virtual bool sees_missing() const = 0;        // takes missing cells and category codes as they are
  virtual bool likes_prediction() const = 0;    // gets f(x) as an extra input by default
  virtual bool likes_folds() const = 0;         // cheap enough to train once per fold; the folds are averaged

  // `train` and `validation` are rows of `x`, which need not outlive the call; the rows of later calls are positions in `train`.
  // `initial` has one number per output: g everywhere before the first update.
  virtual void start(const InputPool& x, RowsView train, RowsView validation, std::span<const double> initial,
                     const LocalizerSettings& settings, const ExecutionContext& context) = 0;
  virtual Index batch() const = 0;                   // rows in one update; 0: all of them
  virtual Index default_epochs() const = 0;          // passes over the data when the user names none
  virtual Index default_patience() const = 0;        // passes without improvement before training stops
  virtual const Matrix& forward(RowsView rows) = 0;  // rows x outputs
  virtual void update(RowsView rows, const Matrix& gradient, const Matrix& curvature) = 0;  // of the rows last forwarded
  virtual const Matrix& validation() = 0;
  virtual void snapshot() = 0;
  virtual void restore() = 0;
  virtual void finish() = 0;

  // g for any rows: N x outputs.
  virtual void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const = 0;

  // What one output is made of, where it is a sum of trees; such a localizer is explained exactly, others by sampling.
  virtual std::optional<AdditiveForm> additive_form(Index /*output*/) const { return {}; }

  // What the trained localizer computes, where it can be said in plain terms; only such a localizer is exported.
  virtual std::optional<DescribedLocalizer> describe() const { return {}; }

  virtual void save(Archive archive) const = 0;
  virtual void load(const Archive& archive, Index inputs, Index outputs) = 0;
};

Registry<Localizer>& localizers();

}  // namespace taut
