// The task of numeric targets: f(x), the trained transformation of residuals, and intervals.
#pragma once

#include <taut/fit/point_predictor.hpp>
#include <taut/fit/score_model.hpp>
#include <taut/model/parts.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/task/number/student.hpp>

namespace taut {

class NumberTask;

// Rows with their predictions f and parameters g.
class NumberRows final : public ScoredRows {
 public:
  NumberRows(const NumberTask& of, TableView inputs, Rows which, RowPredictions of_f, Matrix params,
             std::vector<double> exposures = {})
      : ScoredRows(std::move(inputs), std::move(which)),
        predicted(std::move(of_f)),
        g(std::move(params)),
        exposure(std::move(exposures)),
        task_(of) {}

  RowPredictions predicted;  // rates, if rows have exposures
  Matrix g;
  std::vector<double> exposure;  // empty without --exposure

  double exposure_of(Index i) const { return exposure.empty() ? 1 : exposure[static_cast<std::size_t>(i)]; }
  // Predictions in units of the target.
  std::vector<double> predictions() const;

  RowScore at(Index i) const;
  SignedScore score(Index i, RowTarget y, double uniform) const override;
  // f and, if the transformation has them, log scales.
  Matrix outputs() const override;
  Matrix given() const override;
  void issue(Index i, RowTarget y, const StreamStep& step, Streamed& result, StreamRecord& record) const override;
  KeptRows kept(std::span<const double> y, const RowFacts& facts, CalibrationKind kind, Index groups,
                const FitOptions& options) const override;
  SignedScore score_of_error(Index i, RowTarget y, const ScoredRows& by_other) const override;
  void free_parameters() override { g = Matrix(); }

 private:
  const NumberTask& task_;
};

// Rows of the table that select the model, with f and g of members that were not trained on them.
struct OutOfFoldRows {
  Rows rows;
  RowPredictions predicted;
  Matrix g;
};

class NumberTask final : public Task {
 public:
  static constexpr std::string_view listed_name = "regression";

  FitOptions options;        // of the fit
  PointPredictor predictor;  // unused if f is a column of given predictions
  PointFunction function;    // f of tables without that column; empty: tables must have it
  ScoreModel score;
  TargetRange range;  // the possible values of the target
  PointLoss loss;     // of the caller, for f; empty: that of the predictor, or the model was loaded from a file
  bool has_own_loss = false;
  std::optional<StudentRecord> student;  // of a model that imitates another one

  std::string_view name() const override { return listed_name; }
  std::unique_ptr<Task> unfitted() const override;
  void fit(const FitRequest& request, ModelParts& parts) override;
  // The same. `out_of_fold`: receives rows that f and g were not trained on, for a task of several targets.
  void fit_and_score(const FitRequest& request, ModelParts& parts, OutOfFoldRows* out_of_fold);

  std::vector<std::string> given_columns() const override;
  std::unique_ptr<ScoredRows> see(const TableView& table, TableView x, Rows rows, int threads) const override;
  Index n_outputs() const override { return 1 + score.n_log_scales(); }
  std::vector<double> targets(const TableView& table, std::span<const Column> columns, RowsView rows) const override;
  void check_refit(const std::string& option) const override;
  void check_stream(const ModelParts& parts, const StreamOptions& asked) const override;
  std::vector<Alarm> alarms_of_given(const TableView& table, const FitOptions& own) const override;

  std::unique_ptr<Answering> answering(const ModelParts& parts, const Asking& asking) const override;
  std::unique_ptr<RegionEvaluator> judge(const EvaluationRequest& request) const override;
  RegionWords region_words() const override;
  std::vector<AnswerColumn> stream_columns(const std::vector<std::string>& levels) const override;
  std::vector<ResultColumn> stream_cells(const Streamed& streamed) const override;
  std::string describe_parts(const ModelParts& parts) const override;
  Value facts(const ModelParts& parts) const override;
  std::string describe_fit(const ModelParts& parts) const override;
  std::string describe_out_of_fold(const ModelParts& parts) const override;
  std::string describe_unbounded() const override { return "intervals are the whole line"; }

  void save(Archive archive) const override;
  static std::unique_ptr<Task> load(const Archive& archive, ModelParts& parts);
  KeptRows load_kept(const Archive& archive, Index groups) const override;

  // Predictions, of rates if rows have exposures.
  RowPredictions predict(const TableView& table, const TableView& x, RowsView rows, int threads) const;
};

TaskEntry number_entry();

// Throws Error if the model does not predict numbers.
const NumberTask& number_task(const ModelParts& parts);
NumberRows see_numbers(const ModelParts& parts, const TableView& table, Rows rows, int threads);
NumberRows see_numbers(const ModelParts& parts, const TableView& table, int threads);

Answers ask_numbers(const ModelParts& parts, const TableView& table, std::span<const std::unique_ptr<Question>> questions,
                    const AskOptions& options, const ExecutionContext& context);

// Intervals and answers of CV+ and jackknife+ (see taut/model/held_out.hpp), restricted to the possible values of the target.
Predicted predict_held_out(const ModelParts& whole, const TableView& table, Rows rows, std::span<const double> levels,
                           int threads);
Answers ask_held_out(const ModelParts& whole, const TableView& table, std::span<const std::unique_ptr<Question>> questions,
                     const AskOptions& options, int threads);

// Whether a prediction lies outside of its own interval. This is no error: intervals may lie around the median, while f is near a
// mean, which a few large targets move far away. Impossible predictions count as the nearest possible value. The result is false
// for an empty interval.
bool lies_outside(double f, const Interval& interval, const TargetRange& range);
// A sentence that reports such rows.
std::string describe_outside(Index outside, Index rows, double confidence);

// One row, its cells in the order of prediction_schema().
struct RowOfNumbers {
  const ModelParts& parts;
  const NumberTask& task;

  // Checks the cells and returns them with the codes of the model's inputs. A category that only calibration rows had becomes the
  // code of other values; `own` then contains the changed cells.
  std::span<const double> checked(std::span<const double> row, std::vector<double>& own) const;
  // `distribution` holds the quantiles of the result, if a distribution is given.
  RowPrediction predict(std::span<const double> checked, RowPredictions& distribution) const;
  double exposure(std::span<const double> checked) const;
  TableView table(std::span<const double> row) const;
  ScoreDistribution distribution(std::span<const double> row) const;
  Index group(std::span<const double> row) const;
};

}  // namespace taut
