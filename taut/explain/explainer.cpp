#include <taut/explain/explainer.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/explain/prediction_shares.hpp>
#include <taut/explain/width_shares.hpp>
#include <taut/plan/columns.hpp>

#include <cmath>

namespace taut {

struct ExplainedPredictions {
  RowPredictions rows;
};

struct Explainer::Parts {
  const ModelParts& model;
  const NumberTask& task;
  std::vector<std::string> columns, notes;
  std::optional<PredictionShares> prediction;
  std::optional<WidthShares> width;
};

namespace {

void check(const ExplainOptions& options) {
  check_confidence(options.confidence);
  constexpr Index maximum = 100'000;
  if (options.walks < 2 || options.walks > maximum || options.walks % 2 != 0)
    throw UsageError(format_text("explaining by sampling takes an even number of walks, 2 to {}, got {}", print_count(maximum),
                                 print_count(options.walks)));
}

std::string sampled_note(const std::string& subject_and_verb, const ExplainOptions& options) {
  return format_text(
      "{} explained by sampling, {} walks for each row: the shares add up exactly, each single share is approximate; "
      "more walks make it more precise",
      subject_and_verb, print_count(options.walks));
}

}  // namespace

Explainer::Explainer(const Regressor& model, const ExplainOptions& options, const ExecutionContext& context)
    : parts_(std::make_unique<Parts>(Parts{model.parts(), number_task(model.parts()), {}, {}, {}, {}})) {
  check(options);
  const ModelParts& of = parts_->model;
  of.require_distribution("explaining needs");
  of.refuse_exposure("explaining");
  if (of.options.predicts_distribution())
    throw Error(
        format_text("explain: this model is built on a given predictive distribution ({}), whose own share in the widths cannot "
                    "be explained; "
                    "explain the model that made it, or fit with its median as --prediction",
                    of.options.quantile_columns.empty() ? "--sample-columns" : "--quantile-columns"));
  const int threads = resolve_threads(context.threads);
  for (const Column& column : of.schema) parts_->columns.push_back(column.name);
  auto& notes = parts_->notes;
  if (of.options.has_given_predictions()) {
    notes.emplace_back("predictions are given, so only widths are explained; explain predictions with the model that made them");
  } else {
    parts_->prediction.emplace(of, options, threads);
    if (const auto& names = parts_->prediction->sampled(); !names.empty())
      notes.push_back(sampled_note(format_text("predictions of {} are", join(names, ", ")), options));
  }
  if (parts_->task.score.transform().n_params() == 0) {
    notes.emplace_back("every interval is equally wide: there is nothing to explain about widths");
    return;
  }
  parts_->width.emplace(of, options, threads);
  for (const auto& name : parts_->width->seen_predictions()) parts_->columns.push_back(name);
  if (parts_->width->is_of_level())
    notes.push_back(format_text("the transformation '{}' has different widths at different levels: shares are of the width at {}",
                                parts_->task.score.transform_name(), print_number(options.confidence)));
  if (parts_->width->has_shape())
    notes.push_back(format_text(
        "the column '{}' is what the shape of '{}' adds to the width at {}; the other columns are shares of the underlying scale",
        parts_->columns.back(), parts_->task.score.transform_name(), print_number(options.confidence)));
  if (parts_->width->is_sampled()) notes.push_back(sampled_note("widths are", options));
}

Explainer::~Explainer() = default;
Explainer::Explainer(Explainer&&) noexcept = default;
Explainer& Explainer::operator=(Explainer&&) noexcept = default;

const std::vector<std::string>& Explainer::notes() const { return parts_->notes; }
const std::vector<std::string>& Explainer::columns() const { return parts_->columns; }
Index Explainer::inputs() const { return std::ssize(parts_->model.schema); }
bool Explainer::explains_prediction() const { return parts_->prediction.has_value(); }
bool Explainer::explains_width() const { return parts_->width.has_value(); }
std::string Explainer::shape_column() const {
  return explains_width() && parts_->width->has_shape() ? parts_->columns.back() : std::string();
}
int Explainer::sides() const { return explains_width() && !parts_->width->is_of_level() ? parts_->task.score.sides() : 1; }

Explanation Explainer::explain(const Matrix& cells, const ExplainedPredictions& predicted, int threads) const {
  Explanation result{parts_->columns, inputs()};
  if (parts_->prediction) {
    result.prediction.emplace();
    result.rounding = parts_->prediction->explain(cells, predicted.rows.f(), *result.prediction, threads);
  }
  if (parts_->width) parts_->width->explain(cells, predicted.rows, result, threads);
  result.cells.resize(cells.rows(), std::ssize(result.columns));
  result.cells.leftCols(cells.cols()) = cells;
  for (Index i = 0; i < cells.rows(); ++i)
    for (Index seen = cells.cols(); seen < result.cells.cols(); ++seen) {
      const RowPrediction one = predicted.rows[static_cast<std::size_t>(i)];
      const bool is_shape = parts_->width->has_shape() && seen + 1 == result.cells.cols();
      result.cells(i, seen) = is_shape ? missing : seen == cells.cols() ? one.f : 2 * one.half_width();
    }
  return result;
}

Explanation Explainer::explain(const TableView& table, const ExecutionContext& context) const {
  const ModelParts& model = parts_->model;
  const int threads = resolve_threads(context.threads);
  const TableView x = model.inputs_of(table);
  const Rows rows = all_rows(table);
  Matrix cells(x.rows(), std::ssize(x.columns()));
  parallel_blocks(x.rows(), 2048, threads, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) x.copy_row(i, cells.row(i).data());
  });
  return explain(cells, {parts_->task.predict(table, x, rows, threads)}, threads);
}

Matrix Explainer::width_interactions(const TableView& table, std::span<const Index> columns,
                                     const ExecutionContext& context) const {
  if (!parts_->width || parts_->width->is_sampled()) return {};
  const ModelParts& model = parts_->model;
  const int threads = resolve_threads(context.threads);
  const TableView x = model.inputs_of(table);
  Matrix cells(x.rows(), std::ssize(x.columns()));
  for (Index i = 0; i < cells.rows(); ++i) x.copy_row(i, cells.row(i).data());
  return parts_->width->interactions(cells, parts_->task.predict(table, x, all_rows(table), threads), columns, threads);
}

Explanation Explainer::explain(std::span<const double> row) const {
  const ModelParts& model = parts_->model;
  std::vector<double> own;
  const RowOfNumbers one{model, parts_->task};
  row = one.checked(row, own);
  RowPredictions unused;  // distributions are refused above
  const RowPrediction predicted = one.predict(row, unused);
  const Index columns = std::ssize(model.schema);
  Matrix cells(1, columns);
  std::copy_n(row.begin(), columns, cells.data());
  const bool has_ends = model.options.predicts_ends();
  return explain(cells, {has_ends ? RowPredictions({predicted.lower}, {predicted.upper}) : RowPredictions({predicted.f})}, 1);
}

double Explanation::width_factor(Index row) const {
  return width ? std::exp(width->value[static_cast<std::size_t>(row)] - width->base) : 1;
}

}  // namespace taut
