// The intermediate form of a model between the library and its exports (C, ONNX): descriptions of its parts, and one formula for
// the ends of intervals.
#pragma once

#include <taut/calibrate/row_score.hpp>
#include <taut/calibrate/score_scale.hpp>
#include <taut/core/description.hpp>
#include <taut/core/formula.hpp>
#include <taut/fit/beyond_training.hpp>
#include <taut/foreign/foreign_model.hpp>
#include <taut/model/model.hpp>
#include <taut/predict/target_scale.hpp>

#include <optional>
#include <string>
#include <vector>

namespace taut {

// weight · backward(centre + unit · mean over members), where backward(...) is clipped to the limits.
struct ExportedPart {
  std::string name;
  double weight = 1;
  bool is_standardised = false;
  double centre = 0, unit = 1;
  TargetScale scale = {};
  double lower_limit = -infinity, upper_limit = infinity;  // of predictions in units of the target
  std::vector<DescribedFunction> members = {};

  bool has_limits() const { return lower_limit > -infinity; }

  // The library adds the floats of networks in another order and uses another exp for Gaussian processes. Exported code therefore
  // computes a bound of the difference, the slack.
  bool has_slack() const { return has<DescribedNetworks>() || has<DescribedProcess>(); }
  template <class Body>
  bool has() const {
    return std::any_of(members.begin(), members.end(), contains<Body>);
  }
};

// g of each side: the mean over members of sums over stages. For a scale, the mean of log s.
struct ExportedLocalization {
  int sides = 1;
  Index params = 1;  // for each side
  std::vector<double> exponents;
  struct Member {
    double centre = 0;
    std::vector<DescribedLocalizer> stages;
  };
  std::vector<Member> members;
};

// The ends of an interval as scores. Around f the lower end has a score below f and the upper end one above it. In a box of
// several targets both may lie on the same side of f.
struct ExportedEnds {
  SignedScore low, high;
};

struct ExportedTarget {
  std::string name, transform_name;
  std::vector<ExportedEnds> ends;  // for each level
  // In a box: the median of the calibration scores, which every interval holds. Without it the interval of a level is all scores
  // of at most q, on both sides of f.
  std::optional<SignedScore> median = {};
  bool is_side_of_box() const { return median.has_value(); }

  // f is given as a cell, or comes from a model of another library, or from our predictors.
  std::optional<Index> given_column = {};
  const ForeignModel* foreign = nullptr;
  std::vector<Index> foreign_columns = {};
  std::vector<DescribedInput> raw = {}, standardised = {};
  std::vector<ExportedPart> parts = {};

  ScoreScale score_scale = {};        // ends are computed on this scale and mapped back
  double unit = 1;                    // of residuals, on this scale
  DescribedTransform transform = {};  // with a shape: the scale under it
  bool uses_prediction = false;
  double prediction_offset = 0;
  // The logarithm of the predictors' disagreement is the last input of g.
  bool uses_disagreement = false;
  double min_disagreement = 0;  // in units of the residuals
  std::vector<DescribedInput> localizer_inputs = {};
  BeyondTraining beyond_training = {};                                // a factor of all half-widths
  std::optional<ExportedLocalization> localization = {}, other = {};  // empty: the same width for all rows
  std::optional<DescribedQuantiles> quantiles = {};                   // of residuals divided by the scale, if there is a shape
  double y_min = -infinity, y_max = infinity;                         // with a step: the smallest and the largest multiple
  // Exported ends are not moved to multiples of the step, and each end is at least one step from the centre. Exported intervals
  // therefore contain every possible value of the library's intervals.
  double y_step = 0;

  bool is_restricted() const { return y_step > 0 || y_min > -infinity || y_max < infinity; }
  bool has_slack() const;
  // True if the transformation, or the one under its shape, is a scale. Otherwise half_width() is its formula for each score.
  bool has_scale() const { return std::holds_alternative<DescribedScale>(transform); }
  const DescribedScale& scale() const { return std::get<DescribedScale>(transform); }
  Formula half_width(double score) const;
};

struct Exported {
  std::string description;  // one line of text for readers
  Index calibration_rows = 0;
  std::vector<Column> columns;  // the cells of a row, in this order
  std::vector<std::string> level_texts;
  std::vector<double> levels;
  std::vector<ExportedTarget> targets;  // more than one: the sides of a box

  bool has_one_target() const { return targets.size() == 1; }
  bool has_slack() const {
    return std::any_of(targets.begin(), targets.end(), [](const auto& one) { return one.has_slack(); });
  }
};

// A side of a box can end on the other side of f, where its end is rounded toward f. Exported ends of that kind are moved outward
// by this share of the width at the next larger score, which is more than the rounding errors of a transformation.
inline constexpr double inward_rounding = 1e-10;

// Bounds of the rounding errors of a network in the library. The library's activation computes a square root with one Newton step
// on some machines, which adds two roundings.
inline constexpr double float_rounding = 5.9604644775390625e-08;  // 2^-24
inline constexpr double activation_roundings = 10;
inline constexpr double second_order = 1.1;  // error bounds use first derivatives; the second-order terms are far below 10 %

// The sum of |heights|.
double total_height(const DescribedProcess& process);
// A bound of the difference between two computations of the process with different exp functions and orders of summation.
double rounding_of(const DescribedProcess& process);

// The scores at the knots of one side: the log-odds log p − log(1 − p) of the median, which is 0, and of the quantiles above it.
std::vector<double> log_odds_above(const DescribedQuantiles& quantiles);

// `levels` are the confidence levels, `texts` the same as the user wrote them. The model must outlive the result. Throws an Error
// that names the part of the model without an export, and the option to use instead.
Exported exported(const Model& model, const std::vector<double>& levels, const std::vector<std::string>& texts);

// A dependency-free C99 file with one function: void NAME(const double* cells, double* out). The results of a target follow those
// of the one before.
std::string c_source(const Exported& model, const std::string& function);
// The same as an ONNX file.
std::string onnx_bytes(const Exported& model);
// The metadata of that file, JSON: version, target or targets, columns with their kinds and category codes, levels.
std::string onnx_metadata(const Exported& model);
// A JSON string with its quotation marks.
std::string json_string(const std::string& text);
// Every entry of a model file as JSON, for models of any task.
std::string json_of_file(std::string_view bytes);

// A bound of the error of `formula`, as a formula. `errors` holds the error bound of each variable, which is never negative.
// Every operation adds one rounding error, because other mathematical libraries have a different exp.
Formula error_of(const Formula& formula, const std::vector<Formula>& errors);

}  // namespace taut
