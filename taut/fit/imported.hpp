// An f of another library: its trees are stored in the model file, and no predictor is trained.
#pragma once

#include <taut/data/kinds/kinds.hpp>
#include <taut/foreign/foreign_forest.hpp>
#include <taut/options/options.hpp>

#include <memory>

namespace taut {

// The options of a fit around an imported model. Throws UsageError if they define f in another way.
FitOptions with_imported(FitOptions options);

// The columns of the table that are features of the model, in its order: by name, or by position if the model has no names.
// Throws an Error that names every missing column.
std::vector<std::string> columns_of_foreign(const ForeignModel& model, const std::vector<Column>& inputs,
                                            const std::string& source);

// Changes `judged` so that every feature of the model is an input, whatever its cells in this table, with the categories of the
// model. Throws an Error that names every column of another kind.
void fit_to_foreign(const ForeignModel& model, const std::vector<std::string>& names, std::vector<InferredColumn>& judged,
                    const std::string& source);

// Throws an Error if a model was trained on a calibration row, or if a row in `training` has no out-of-fold prediction: the plan
// of the fit is not the one by which the models were trained.
void check_out_of_fold(const ForeignModel& model, Index rows, RowsView training, RowsView calibration);

class ImportedPredictor {
 public:
  ImportedPredictor(ForeignModel model, std::vector<Index> columns);
  // `names`: the column of `schema` for each feature.
  ImportedPredictor(ForeignModel model, const std::vector<std::string>& names, const std::vector<Column>& schema);

  const ForeignModel& model() const { return model_; }
  const std::vector<Index>& columns() const { return columns_; }  // position in the schema, by feature

  // The mean of all models, to the bits of a sum in their order that is divided by their number.
  std::vector<double> predict(const TableView& x, RowsView rows, int threads) const;
  double predict_row(const double* row) const;

  void save(Archive archive) const;
  static ImportedPredictor load(const Archive& archive, const std::vector<Column>& schema);

 private:
  void add_forests();

  ForeignModel model_;
  std::vector<Index> columns_;
  std::vector<ForeignForest> forests_;  // of the model, then of the others
};

}  // namespace taut
