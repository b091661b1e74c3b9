// The inputs of the rows that train f, for all predictors of a stack: encoded once for each encoding that one of them asks for.
#pragma once

#include <taut/core/execution_context.hpp>
#include <taut/data/input_pool.hpp>
#include <taut/model/training_inputs.hpp>

#include <map>
#include <memory>

namespace taut {

class FoldInputs {
 public:
  // `y`: the targets of `rows`. The folds are positions in `rows`, which must outlive this.
  FoldInputs(const TableView& x, RowsView rows, std::span<const double> y, std::vector<TrainingPart> folds, std::uint64_t seed);

  // Before anything is asked about an encoding.
  void prepare(Encoding encoding, const ExecutionContext& context);

  RowsView rows() const { return rows_; }
  const std::vector<TrainingPart>& folds() const { return folds_; }
  const Encoder& encoder(Encoding encoding) const { return encoded_.at(encoding).training.encoder(); }
  // All rows as the member that one fold holds out may see them. May be called from several threads.
  std::shared_ptr<const InputPool> pool(Encoding encoding, std::size_t fold, int threads) const;

 private:
  struct Encoded {
    TrainingInputs training;
    std::shared_ptr<const InputPool> shared;  // of all folds; empty where each has its own, which is made when it is needed
  };

  TableView x_;
  RowsView rows_;
  std::vector<double> standard_;  // the targets in standard units
  std::vector<TrainingPart> folds_;
  std::uint64_t seed_;
  std::vector<double> unexplained_;
  std::map<Encoding, Encoded> encoded_;
};

}  // namespace taut
