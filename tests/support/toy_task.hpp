// A task for tests: the target is a number whose sign is predicted. The predicted sign is the most frequent one of training rows
// with the same sign of the first input. The score of y is its size, plus a fixed amount if its sign is the other one. A region
// therefore contains all y of the predicted sign up to a size, and all y of the other sign up to a smaller one.
#pragma once

#include <taut/model/fit_rows.hpp>
#include <taut/model/parts.hpp>
#include <taut/plan/columns.hpp>

#include <cmath>

namespace taut::testing {

inline constexpr double wrong_sign = 2;

class ToyTask;

class ToyRows final : public ScoredRows {
 public:
  ToyRows(TableView inputs, Rows which, std::vector<double> of_rows)
      : ScoredRows(std::move(inputs), std::move(which)), signs(std::move(of_rows)) {}

  std::vector<double> signs;  // the predicted signs

  static double score_of(double sign, double y) { return std::abs(y) + (y * sign < 0 ? wrong_sign : 0); }
  SignedScore score(Index i, RowTarget y, double) const override {
    return {Side::above, score_of(signs[static_cast<std::size_t>(i)], y.front())};
  }
  Matrix outputs() const override {
    Matrix made(std::ssize(signs), 1);
    for (Index i = 0; i < made.rows(); ++i) made(i, 0) = signs[static_cast<std::size_t>(i)];
    return made;
  }
  void issue(Index i, RowTarget target, const StreamStep& step, Streamed& result, StreamRecord& record) const override {
    const double y = target.front();
    const double sign = signs[static_cast<std::size_t>(i)];
    for (const std::size_t position : step.positions) result.intervals.push_back(region(sign, step.thresholds[position]));
    result.prediction.push_back(sign);
    result.y.push_back(y);
    if (!std::isnan(y)) record.score = score(i, target, 0);
  }

  static Interval region(double sign, double threshold) {
    if (!(threshold >= 0)) return {infinity, -infinity};
    const double other = std::max(0.0, threshold - wrong_sign);
    return sign > 0 ? Interval{-other, threshold} : Interval{-threshold, other};
  }
};

class ToyTask final : public Task {
 public:
  double of_negative = -1, of_positive = 1;  // the sign predicted where the first input is below 0, and elsewhere

  std::string_view name() const override { return "toy"; }
  std::unique_ptr<Task> unfitted() const override { return std::make_unique<ToyTask>(); }
  void fit(const FitRequest& request, ModelParts& parts) override {
    const FitRows rows = fit_rows(request);
    parts.schema = rows.schema;
    parts.target_columns = {rows.target};
    double below = 0, above = 0;
    for (const Index row : request.plan.predictor) {
      const double y = rows.y[static_cast<std::size_t>(row)];
      (rows.x(row, 0) < 0 ? below : above) += y > 0 ? 1 : -1;
    }
    of_negative = below > 0 ? 1 : -1;
    of_positive = above > 0 ? 1 : -1;
  }

  std::unique_ptr<ScoredRows> see(const TableView&, TableView x, Rows rows, int) const override {
    std::vector<double> signs;
    for (const Index row : rows) signs.push_back(x(row, 0) < 0 ? of_negative : of_positive);
    return std::make_unique<ToyRows>(std::move(x), std::move(rows), std::move(signs));
  }
  Index n_outputs() const override { return 1; }
  std::vector<double> targets(const TableView& table, std::span<const Column> columns, RowsView rows) const override {
    return numbers_of(table, columns.front(), rows, "target");
  }

  std::unique_ptr<Answering> answering(const ModelParts& parts, const Asking& asking) const override;
  std::vector<AnswerColumn> stream_columns(const std::vector<std::string>& levels) const override {
    std::vector<AnswerColumn> columns = {{"sign"}};
    for (const auto& level : levels) columns.push_back({"size_" + level});
    return columns;
  }
  std::vector<ResultColumn> stream_cells(const Streamed& streamed) const override {
    std::vector<ResultColumn> columns(1 + streamed.levels.size());
    columns[0].numbers = streamed.prediction;
    for (Index row = 0; row < streamed.rows(); ++row)
      for (std::size_t level = 0; level < streamed.levels.size(); ++level)
        columns[1 + level].numbers.push_back(streamed.at(row, level).width());
    return columns;
  }
  std::string describe_parts(const ModelParts&) const override { return "signs and sizes"; }
  std::string describe_unbounded() const override { return "regions are the whole line"; }

  void save(Archive archive) const override { archive.put("toy/signs", std::vector<double>{of_negative, of_positive}); }
  static std::unique_ptr<Task> load(const Archive& archive, ModelParts&) {
    auto task = std::make_unique<ToyTask>();
    const auto& signs = archive.get<std::vector<double>>("toy/signs");
    task->of_negative = signs.at(0);
    task->of_positive = signs.at(1);
    return task;
  }
};

class ToyAnswers final : public Answering {
 public:
  ToyAnswers(const ModelParts& parts, const Asking& asking) : parts_(parts), levels_(asking.levels) {}
  std::vector<AnswerColumn> columns() const override {
    std::vector<AnswerColumn> columns = {{"sign", true}};
    for (const auto& level : levels_)
      for (const std::string end : {"lower_", "upper_"}) columns.push_back({end + level});
    return columns;
  }
  std::vector<Column> schema() const override { return parts_.prediction_schema(); }
  std::vector<ResultColumn> answer(const TableView& rows, const ExecutionContext& context) override {
    const auto seen = parts_.see(rows, context.threads);
    const RowDistributions distributions = parts_.distributions_of(rows, *seen, context.threads, &unseen_);
    std::vector<ResultColumn> columns(1 + 2 * levels_.size());
    for (Index row = 0; row < rows.rows(); ++row) {
      const double sign = static_cast<const ToyRows&>(*seen).signs[static_cast<std::size_t>(row)];
      columns[0].texts.push_back(sign > 0 ? "+" : "-");
      for (std::size_t level = 0; level < levels_.size(); ++level) {
        const Interval region = ToyRows::region(sign, distributions[row].quantile(std::stod(levels_[level])));
        columns[1 + 2 * level].numbers.push_back(region.lower);
        columns[2 + 2 * level].numbers.push_back(region.upper);
      }
    }
    return columns;
  }
  std::vector<Alarm> alarms() const override { return {}; }

 private:
  const ModelParts& parts_;
  std::vector<std::string> levels_;
};

inline std::unique_ptr<Answering> ToyTask::answering(const ModelParts& parts, const Asking& asking) const {
  return std::make_unique<ToyAnswers>(parts, asking);
}

inline TaskEntry toy_entry() {
  return {"toy",
          "toy",
          "sign and size",
          [](const TableView&, const FitOptions&, const TaskOptions&, bool) { return false; },
          [](const TaskOptions&) -> std::unique_ptr<Task> { return std::make_unique<ToyTask>(); },
          ToyTask::load};
}

}  // namespace taut::testing
