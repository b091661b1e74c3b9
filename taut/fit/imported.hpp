// f that came from another library: its trees live in the model file, and nothing is trained.
#pragma once

#include <taut/data/kinds/kinds.hpp>
#include <taut/foreign/foreign_forest.hpp>
#include <taut/options/options.hpp>

#include <memory>

namespace taut {

// The options of a fit around an imported model; UsageError for those that say otherwise what f is.
FitOptions with_imported(FitOptions options);

// The table's columns that are the model's, in its order: by name, or by position where the model has no names. An Error names
// every column that is not there.
std::vector<std::string> columns_of_foreign(const ForeignModel& model, const std::vector<Column>& inputs,
                                            const std::string& source);

// The judged columns with those of the model as it needs them: in use whatever they hold here, and with its categories. An Error
// names every column that is of another kind.
void fit_to_foreign(const ForeignModel& model, const std::vector<std::string>& names, std::vector<JudgedColumn>& judged,
                    const std::string& source);

class ImportedPredictor {
 public:
  ImportedPredictor(ForeignModel model, std::vector<Index> columns);
  // `names`: of each feature, among the columns of `schema`.
  ImportedPredictor(ForeignModel model, const std::vector<std::string>& names, const std::vector<Column>& schema);

  const ForeignModel& model() const { return model_; }
  const std::vector<Index>& columns() const { return columns_; }  // of each feature, in the schema
  const ForeignForest& forest() const { return forest_; }

  std::vector<double> predict(const TableView& x, RowsView rows, int threads) const;
  double predict_row(const double* row) const;

  void save(Archive archive) const;
  static ImportedPredictor load(const Archive& archive, const std::vector<Column>& schema);

 private:
  ForeignModel model_;
  std::vector<Index> columns_;
  ForeignForest forest_;
};

}  // namespace taut
