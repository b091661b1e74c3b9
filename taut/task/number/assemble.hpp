// Assembles a model from parts that were made elsewhere, for example on a cluster: trees, and order statistics of calibration
// scores. Columns, encodings and checks are those of every other model, because each part is read like a model file, which is not
// trusted.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/trees/forest.hpp>

namespace taut {

// Determines the kinds of columns and their encoding for trees from some training rows. The result predicts 0 everywhere and is
// not calibrated; assemble() completes it. Categories are encoded as codes, not as means of the target: folds are made elsewhere,
// and a mean over all rows would leak the targets of a fold into its own inputs.
Regressor begin_assembly(const TableView& training_rows, FitOptions options, const ExecutionContext& context = {});

// The inputs of the trees of f. Trees of g have one more input after them, prediction_input() of f(x), if g uses f(x).
MatrixF inputs_of_trees(const Regressor& model, const TableView& table, int threads);
float prediction_input(double prediction, double offset, double unit);

// The targets of rows; NaN for rows without one if --skip-missing-target allows them.
std::vector<double> targets_or_missing(const Regressor& model, const TableView& table);

struct OutsideTrees {
  double initial = 0;  // the trees add to this value
  std::vector<std::vector<TreeNode>> trees;
};

// f = centre + unit · mean over members.
struct OutsidePredictor {
  double centre = 0, unit = 1;
  std::vector<OutsideTrees> members;
};

// log s = exponent · (sum of the trees), averaged over members, in units of `unit`. A member has trees for both sides together,
// or for each side: below f, then above. Without members the width is the same everywhere. If there are `other` members, in the
// same number, log s is the mean of both.
struct OutsideScale {
  struct Member {
    std::vector<OutsideTrees> sides;
    double centre = 0;  // mean log s of the member's training rows
  };
  double unit = 1, prediction_offset = 0, exponent = 1;
  std::vector<Member> members, other = {};
};

// Numbers of rows, for `info`.
struct OutsideRecord {
  std::string source;
  Index rows = 0, skipped_rows = 0, validation_rows = 0;
};

Regressor assemble(const Regressor& begun, const OutsidePredictor& predictor, const OutsideScale& scale,
                   const OutsideRecord& record, int threads = 0);

// The scores of calibration rows, in their order. Rows without a target are skipped.
std::vector<SignedScore> scores_of_rows(const Regressor& model, const TableView& table, int threads);

// Replaces the calibration scores by m order statistics of n scores, when n is too large for a file: `scores` for the sizes and
// `by_t` for the signed scores, both ascending and of equal length. If the j-th of m is the score of rank j (n + 1) / (m + 1)
// among n rows, every level that is a multiple of 1 / (m + 1) has exactly the interval that all n scores would give.
Regressor with_counted_distribution(const Regressor& model, std::vector<double> scores, const std::vector<SignedScore>& by_t);

}  // namespace taut
