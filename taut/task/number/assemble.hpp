// A model from parts that were made elsewhere: trees that a cluster trained, and a law whose scores were counted there. Columns,
// encodings and checks are those of every other model, because each part goes through the reader of the model file, which
// trusts nothing.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/trees/forest.hpp>

namespace taut {

// What columns are and how their cells become inputs of trees, decided by some training rows: a model that predicts 0 everywhere
// and knows no law, for assemble() to complete. Categories have codes without means: a mean of the target that a row itself has
// contributed to would tell its own fold what it must not know, and folds are made elsewhere.
Regressor begin_assembly(const TableView& training_rows, FitOptions options, const ExecutionContext& context = {});

// What the trees see of rows: f those of the columns; g these and after them, where it sees f, what prediction_input makes of it.
MatrixF inputs_of_trees(const Regressor& model, const TableView& table, int threads);
float prediction_input(double prediction, double offset, double unit);

// The targets of rows; NaN where a row has none and --skip-missing-target allows it.
std::vector<double> targets_or_missing(const Regressor& model, const TableView& table);

struct OutsideTrees {
  double initial = 0;  // to which the trees add
  std::vector<std::vector<TreeNode>> trees;
};

// f = centre + unit · mean over members.
struct OutsidePredictor {
  double centre = 0, unit = 1;
  std::vector<OutsideTrees> members;
};

// log s = exponent · (what the trees say), averaged over members, in units of `unit`. A member has trees for both sides together
// or for each: below f, then above. None: the widths are the same everywhere. With `other` members, as many, log s is the mean of
// both.
struct OutsideScale {
  struct Member {
    std::vector<OutsideTrees> sides;
    double centre = 0;  // mean log s of its training rows
  };
  double unit = 1, prediction_offset = 0, exponent = 1;
  std::vector<Member> members, other = {};
};

// How many rows did what, for `info`.
struct OutsideRecord {
  std::string source;
  Index rows = 0, skipped_rows = 0, validation_rows = 0;
};

Regressor assemble(const Regressor& begun, const OutsidePredictor& predictor, const OutsideScale& scale,
                   const OutsideRecord& record, int threads = 0);

// The scores of calibration rows, in their order; rows without a target have none and are left out.
std::vector<SignedScore> scores_of_rows(const Regressor& model, const TableView& table, int threads);

// Order statistics of more scores than a file should hold, in place of as many calibration rows: `scores` of the sizes, and
// `by_t` of the signed scores, both ascending and of equal length. Where the j-th of m is the score of rank j (n + 1) / (m + 1)
// among n rows, it answers every level that is a multiple of 1 / (m + 1) exactly as all n would.
Regressor with_counted_law(const Regressor& model, std::vector<double> scores, const std::vector<SignedScore>& by_t);

}  // namespace taut
