// Intervals, bounds, quantiles and other answers about a target that is a number.
#pragma once

#include <taut/calibrate/question.hpp>
#include <taut/calibrate/target_range.hpp>
#include <taut/model/model.hpp>
#include <taut/task/number/law_report.hpp>
#include <taut/transform/transform.hpp>

#include <functional>

namespace taut {

// Predictions and intervals of many rows, for every level asked for.
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
  LawReport law;
  std::vector<Index> predictions_outside;  // of each level: rows whose prediction lies outside of its own interval

  std::vector<std::string> remarks() const override;

 private:
  void add_facts(Value& evaluation) const override;
  std::string describe_more() const override;
};

// Rows in arrays instead of a table. Predictions are those of a model of your own on rows that it has not seen: one for each row,
// or a lower and an upper quantile. Without them Taut fits a predictor.
struct Arrays {
  const Matrix& x;
  std::span<const double> y = {};
  std::span<const double> predictions = {};
  std::span<const double> lower_predictions = {}, upper_predictions = {};
};

// A model of your own as a function: f(x) of every row of the inputs.
using PointFunction = std::function<std::vector<double>(const TableView& inputs)>;

// What the questions of a table share.
struct AskOptions {
  std::optional<std::uint64_t> smoothing = {};  // a seed: ranks are drawn, so that answers are exact on average
  std::uint64_t seed = 0;                       // of draws from the law
  bool band = false;                            // probabilities with the ends between which they are known
  std::span<const double> values = {};          // one a row, where a question is about a given value
  // Of one batch of many: samples depend on the row's number too, and in models of earlier versions all draws.
  Index first_row = 0;
};

// Answers to several questions, a row of numbers for each row of the table.
struct Answers {
  std::vector<double> prediction;
  std::vector<std::string> columns;  // of all questions in turn
  Matrix values;                     // rows x columns
  UnseenGroups unseen = {};          // rows of groups without calibration rows
};

// The law of y at one row.
class PredictedLaw {
 public:
  PredictedLaw(Law law, const TargetRange& range, const RowScore& score, Index params, const ValueProbabilities* values);
  RowLaw law() const { return RowLaw(law_, score(), range_, values_); }

  double prediction() const { return score_.prediction(); }
  Interval interval(double confidence) const { return law().interval(confidence); }
  Interval equal_tailed(double confidence) const { return law().equal_tailed(confidence); }
  double upper(double confidence) const { return law().upper(confidence); }
  double lower(double confidence) const { return law().lower(confidence); }
  double quantile(double p) const { return law().quantile(p); }
  double cdf(double y) const { return law().below(y).value; }
  double p_value(double y) const { return law().p_value(y); }
  double mean() const { return law().mean(); }
  double crps(double y) const { return law().crps(y); }

 private:
  RowScore score() const;

  Law law_;
  const TargetRange& range_;
  const ValueProbabilities* values_;
  RowScore score_;  // whose parameters are those in g_
  std::vector<double> g_;
};

// A member of f whose predictions are held between two values, in units of the target.
struct LimitedMember {
  std::string predictor;
  double lower = 0, upper = 0;
};

struct ForeignModel;  // taut/foreign/foreign_model.hpp
class NumberTask;

class Regressor : public Model {
 public:
  static Regressor fit(const TableView& table, const FitOptions& options, const ExecutionContext& context = {},
                       const std::optional<TableView>& calibration = {});
  static Regressor fit(const TableView& table, const FitOptions& options, const ExecutionContext& context,
                       const Table* calibration) {
    return fit(table, options, context, calibration != nullptr ? std::optional<TableView>(*calibration) : std::nullopt);
  }
  // The same around a function of your own, which must not have been fitted to these rows. The model calls it whenever a table
  // has no column of options.prediction ("prediction" unless it is named). A function cannot be saved: a model read back needs
  // the column.
  static Regressor fit(const TableView& table, FitOptions options, PointFunction function, const ExecutionContext& context = {});
  // Around a model of another library whose trees were read (taut/foreign/read.hpp), which must not have been fitted to these
  // rows. They become part of the model and of its file.
  static Regressor fit(const TableView& table, const FitOptions& options, const ForeignModel& foreign,
                       const ExecutionContext& context = {}, const std::optional<TableView>& calibration = {});
  // From arrays. Such a model predicts with table_of({.x = x, .predictions = predictions}).
  static Regressor fit(const Arrays& arrays, FitOptions options = {}, const ExecutionContext& context = {});
  static Table table_of(const Arrays& arrays);

  // A model that predicts numbers; an Error for any other.
  explicit Regressor(Model model);

  // As those of Model.
  Streamed stream(const TableView& rows, std::span<const double> levels, const StreamOptions& options = {},
                  const ExecutionContext& context = {});
  Streamed update(const TableView& rows, const StreamOptions& options = {}, const ExecutionContext& context = {},
                  std::span<const double> levels = {});

  // f(x) alone.
  std::vector<double> predict(const TableView& table, const ExecutionContext& context = {}) const;
  // Any levels in (0, 1), nested. `smoothing` draws ranks so that coverage is exact instead of slightly above (see Law), keyed to
  // the row's inputs; in models of earlier versions to its number, which `first_row` is for in one batch of many.
  Predicted predict_interval(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                             std::optional<std::uint64_t> smoothing = {}, Index first_row = 0) const;
  // Any questions about y at every row: bounds, quantiles, probabilities (see taut/calibrate/question.hpp).
  Answers ask(const TableView& table, std::span<const std::unique_ptr<Question>> questions, const AskOptions& options = {},
              const ExecutionContext& context = {}) const;
  // The same for one row, by hand: law_at(row).quantile(0.9). Cells as in predict_row; the model must outlive the result.
  PredictedLaw law_at(std::span<const double> row) const;
  // One row, for services that predict row by row: its cells in the order of prediction_schema(), a category as its code there,
  // NaN where missing, and any other value as Column::other_code(): where the column tells groups (--by, --overlapping) that is a
  // group without calibration rows. Codes of values that only the calibration rows had follow those of training. One interval per
  // level goes to `out`; the result is f(x). The same bits as predict_interval.
  double predict_row(std::span<const double> row, std::span<const double> levels, std::span<Interval> out) const;
  // Where φ is a scale in disguise: the log of each row's scale in units of the target, a column for each side. All intervals of
  // a level then reach the same number of scales from f(x), before the target's range cuts them. No columns for other φ.
  Matrix log_scales(const TableView& table, const ExecutionContext& context = {}) const;
  // As that of Model.
  NumberEvaluation evaluate(const TableView& table, std::span<const double> levels, const ExecutionContext& context = {},
                            const std::vector<std::string>& by = {}) const;

  // The model of another library that is f; nullptr where it is not one.
  const ForeignModel* imported() const;
  std::vector<LimitedMember> limited_members() const;
  // How many calibration rows are kept to calibrate probabilities at fixed values (`below`, `cdf`, `samples`). None in a file of
  // an earlier version and after a stream that trains anew: there ranks stand for them.
  Index kept_rows() const;
  // The possible values of the target, which restrict every interval.
  const TargetRange& target_range() const;
  // The transformation in force: the one asked for, or `fixed`.
  const std::string& transform_name() const;
  const Transform& transform() const;
  // Of the localizer in force: how many trained members are averaged, whether each side of f has parameters of its own, and the
  // exponents of its stages.
  Index members() const;
  int sides() const;
  const std::vector<double>& exponents() const;

  static Regressor load(const std::string& path);
  static Regressor from_bytes(std::string_view bytes);

 private:
  const NumberTask& number() const;  // the constructor has looked
};

}  // namespace taut
