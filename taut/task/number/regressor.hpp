// A model of a numeric target: intervals, bounds, quantiles, probabilities and other predictions.
#pragma once

#include <taut/calibrate/question.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/model/model.hpp>
#include <taut/task/number/distribution_report.hpp>
#include <taut/transform/transform.hpp>

#include <functional>

namespace taut {

// Predictions and intervals of rows, for every requested level.
struct Predicted {
  std::vector<double> prediction;
  std::vector<double> levels;
  std::vector<Interval> intervals;  // rows x levels, row-major
  UnseenGroups unseen = {};         // rows of groups without calibration rows

  const Interval& at(Index row, std::size_t level) const {
    return intervals[static_cast<std::size_t>(row) * levels.size() + level];
  }
};

struct NumberEvaluation : Evaluation {
  DistributionReport distribution;
  std::vector<Index> predictions_outside;  // for each level: number of rows whose prediction lies outside of its own interval

  std::vector<std::string> remarks() const override;

 private:
  void add_facts(Value& evaluation) const override;
  std::string describe_more() const override;
};

// Rows in arrays instead of a table. Predictions are those of the caller's model on rows that it has not seen: one for each row,
// or a lower and an upper quantile. Without them Taut fits a predictor.
struct Arrays {
  const Matrix& x;
  std::span<const double> y = {};
  std::span<const double> predictions = {};
  std::span<const double> lower_predictions = {}, upper_predictions = {};
};

// The caller's model as a function: f(x) of every row of the inputs.
using PointFunction = std::function<std::vector<double>(const TableView& inputs)>;

// Options of all questions about the rows of a table.
struct AskOptions {
  std::optional<std::uint64_t> smoothing = {};  // seed of randomised ranks, which make the answers exact on average
  std::uint64_t seed = 0;                       // of samples from the predictive distributions
  bool band = false;                            // adds the lower and upper bound of each probability
  std::span<const double> values = {};          // one for each row, if a question is about a given value
  // The number of the table's first row, for tables that are read in batches. Samples depend on it; in models of earlier versions
  // all random numbers do.
  Index first_row = 0;
};

// Answers to several questions, a row of numbers for each row of the table.
struct Answers {
  std::vector<double> prediction;
  std::vector<std::string> columns;  // of all questions, in their order
  Matrix values;                     // rows x columns
  UnseenGroups unseen = {};          // rows of groups without calibration rows
};

// The predictive distribution of y at one row. It owns the parameters of the row's score.
class PredictedDistribution {
 public:
  PredictedDistribution(ScoreDistribution distribution, const TargetRange& range, const RowScore& score, Index params,
                        const ValueProbabilities* values);
  PredictiveDistribution distribution() const { return PredictiveDistribution(distribution_, score(), range_, values_); }

  double prediction() const { return score_.prediction(); }
  Interval interval(double confidence) const { return distribution().interval(confidence); }
  Interval equal_tailed(double confidence) const { return distribution().equal_tailed(confidence); }
  double upper(double confidence) const { return distribution().upper(confidence); }
  double lower(double confidence) const { return distribution().lower(confidence); }
  double quantile(double p) const { return distribution().quantile(p); }
  double cdf(double y) const { return distribution().below(y).value; }
  double p_value(double y) const { return distribution().p_value(y); }
  double mean() const { return distribution().mean(); }
  double crps(double y) const { return distribution().crps(y); }

 private:
  RowScore score() const;

  ScoreDistribution distribution_;
  const TargetRange& range_;
  const ValueProbabilities* values_;
  RowScore score_;  // its parameters are in g_, the quantiles of its scale in quantiles_
  std::vector<double> g_, quantiles_;
};

// A member of f whose predictions are clipped to a range, in units of the target.
struct LimitedMember {
  std::string predictor;
  double lower = 0, upper = 0;
};

// Options of Regressor::distil.
struct DistilOptions {
  std::string teacher = {};        // what `info` calls the teacher
  std::optional<Index> seed = {};  // default: that of the teacher
  // Rows to learn from: the given ones and, if they are fewer, others that are made from them (taut/fit/made_rows.hpp). A teacher
  // with given predictions cannot predict made rows.
  Index learn_from = 20'000;
};

struct ForeignModel;  // taut/foreign/foreign_model.hpp
class NumberTask;
struct LossRows;  // taut/predict/own_loss.hpp
struct LossSlopes;
using PointLoss = std::function<LossSlopes(const LossRows&)>;

class Regressor : public Model {
 public:
  static Regressor fit(const TableView& table, const FitOptions& options, const ExecutionContext& context = {},
                       const std::optional<TableView>& calibration = {});
  static Regressor fit(const TableView& table, const FitOptions& options, const ExecutionContext& context,
                       const Table* calibration) {
    return fit(table, options, context, calibration != nullptr ? std::optional<TableView>(*calibration) : std::nullopt);
  }
  // Fits around the caller's function, which must not have been fitted to these rows. The model calls it for every table without
  // the column options.prediction (default: "prediction"). A function cannot be saved: a loaded model needs the column.
  static Regressor fit(const TableView& table, FitOptions options, PointFunction function, const ExecutionContext& context = {});
  // Fits around the imported trees of another library (taut/foreign/read.hpp), which must not have been fitted to these rows. The
  // trees become part of the model and of its file.
  static Regressor fit(const TableView& table, const FitOptions& options, const ForeignModel& foreign,
                       const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {});
  // Fits boosted trees to a loss of the caller (taut/predict/own_loss.hpp); the rest of the fit is as usual. The loss is not part
  // of the model: a loaded model predicts without it, and streams cannot train it anew.
  static Regressor fit(const TableView& table, FitOptions options, const PointLoss& loss, const ExecutionContext& context = {},
                       const std::optional<TableView>& calibration = {});
  // Fits to arrays. Such a model predicts the rows of table_of({.x = x, .predictions = predictions}).
  static Regressor fit(const Arrays& arrays, FitOptions options = {}, const ExecutionContext& context = {});
  static Table table_of(const Arrays& arrays);

  // Throws Error if the model does not predict numbers.
  explicit Regressor(Model model);

  // A student: a smaller model that imitates this one and predicts a row in few microseconds. The rows need no target. f and φ of
  // the student learn those of this model, and calibration rows give it its guarantee: those of `calibration`, which must have
  // trained neither this model nor the student (rows of both tables do not train it), else, if the rows have the target and did
  // not train this model, a fifth of them. Without either, or if `calibration` has no rows, the student is not calibrated.
  Regressor distil(const TableView& given, const DistilOptions& how = {}, const ExecutionContext& context = {},
                   const std::optional<TableView>& calibration = {}) const;
  // Whether this model is a student.
  bool is_student() const;

  // See Model.
  Streamed stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                  const ExecutionContext& context = {});
  Streamed update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                  std::span<const double> levels = {});

  // f(x) alone.
  std::vector<double> predict(const TableView& table, const ExecutionContext& context = {}) const;
  // Nested intervals at any levels in (0, 1). `smoothing` is the seed of randomised ranks, which make coverage exact instead of
  // slightly above the level (see ScoreDistribution). The random number of a row depends on its inputs. In models of earlier
  // versions it depends on its row number, which starts at `first_row`.
  Predicted predict_interval(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                             std::optional<std::uint64_t> smoothing = {}, Index first_row = 0) const;
  // Answers questions about y at every row: bounds, quantiles, probabilities (see taut/calibrate/question.hpp).
  Answers ask(const TableView& table, std::span<const std::unique_ptr<Question>> questions, const AskOptions& options = {},
              const ExecutionContext& context = {}) const;
  // The predictive distribution of one row, for example distribution_at(row).quantile(0.9). Cells as in predict_row; the model
  // must outlive the result.
  PredictedDistribution distribution_at(std::span<const double> row) const;
  // Predicts one row, for services that predict row by row. Writes one interval per level to `out` and returns f(x); the result
  // is that of predict_interval, bit by bit. The cells are in the order of prediction_schema(): a category as its code there, NaN
  // for a missing cell, and Column::other_code() for any other value. If the column defines groups (--by, --overlapping), such a
  // value is a group without calibration rows. Codes of values that only calibration rows had follow those of training.
  double predict_row(std::span<const double> row, std::span<const double> levels, std::span<Interval> out) const;
  // The log of each row's scale in units of the target, with a column for each side, if φ is equivalent to a scale. The ends of
  // all intervals of a level then are the same number of scales away from f(x), before the target's range cuts them. No columns
  // for other φ.
  Matrix log_scales(const TableView& table, const ExecutionContext& context = {}) const;
  // See Model.
  NumberEvaluation evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                            const std::vector<std::string>& by = {}) const;

  // The imported model of another library that is f; null if f is not imported.
  const ForeignModel* imported() const;
  std::vector<LimitedMember> limited_members() const;
  // Number of calibration rows that are kept to calibrate probabilities at fixed values (`below`, `cdf`, `samples`). It is 0 in a
  // file of an earlier version and after a stream with refits; these probabilities are then computed from ranks.
  Index kept_rows() const;
  // The possible values of the target, which restrict every interval.
  const TargetRange& target_range() const;
  // The transformation of the model: the requested one, or `fixed`.
  const std::string& transform_name() const;
  const Transform& transform() const;
  // The localizer of the model: its number of trained members, its number of sides (2: each side of f has its own parameters),
  // and the exponents of its stages.
  Index members() const;
  int sides() const;
  const std::vector<double>& exponents() const;

  static Regressor load(const std::string& path);
  static Regressor from_bytes(std::string_view bytes);

 private:
  explicit Regressor(std::unique_ptr<ModelParts> parts);
  void calibrate_student(const Regressor& teacher, const TableView& table, const Rows& rows, const Rows& trained,
                         const std::optional<TableView>& calibration, const ExecutionContext& context);
  const NumberTask& number() const;  // the constructor has checked the type
};

}  // namespace taut
