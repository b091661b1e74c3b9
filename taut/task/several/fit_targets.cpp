// A fit of several numbers: each target has its own f and g, fitted as for one target on the same rows and inputs, several
// targets at the same time; then the region is learnt from their out-of-fold scores.
#include <taut/task/several/several_task.hpp>

#include <taut/core/error.hpp>
#include <taut/core/fault.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/kinds/column_texts.hpp>
#include <taut/data/kinds/kinds.hpp>
#include <taut/model/fit_rows.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/several/row_subset.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>

namespace taut {

namespace {

constexpr Index min_rows_of_target = 2;  // training rows with a value of the target

// What the fits of targets say, in the order of the targets: a sentence waits until the targets before are fitted. Sentences name
// their target, and the progress of each target is a part of the whole.
class TargetMessages {
 public:
  TargetMessages(const ExecutionContext& context, const std::vector<std::string>& names)
      : context_(context), names_(names), said_(names.size()), is_fitted_(names.size()) {}

  ExecutionContext of(std::size_t target, int threads) {
    ExecutionContext own = context_;
    own.threads = threads;
    // Called with the lock of all callbacks, which the contexts share.
    if (context_.say) own.say = [this, target](std::string_view words) { add(target, words, false); };
    if (context_.details) own.details = [this, target](std::string_view words) { add(target, words, true); };
    if (context_.progress && names_.size() > 1)
      own.progress = [this](std::string_view stage, double done) {
        context_.progress(stage, (static_cast<double>(n_fitted_) + done) / static_cast<double>(names_.size()));
      };
    return own;
  }

  void fitted(std::size_t target) {
    const std::lock_guard lock(*context_.callbacks);
    is_fitted_[target] = true;
    ++n_fitted_;
    for (; next_ < names_.size(); ++next_) {
      for (const Sentence& one : said_[next_]) (one.is_detail ? context_.details : context_.say)(one.words);
      said_[next_].clear();
      if (!is_fitted_[next_]) return;
    }
  }

 private:
  struct Sentence {
    std::string words;
    bool is_detail;
  };
  // The inputs are prepared before the first target is fitted, which says some of it again.
  void add(std::size_t target, std::string_view words, bool is_detail) {
    std::string named = names_.size() == 1 ? std::string(words) : format_text("{}: {}", names_[target], words);
    const auto is_same = [&](const Sentence& one) { return one.words == named; };
    if (std::none_of(said_[target].begin(), said_[target].end(), is_same)) said_[target].push_back({std::move(named), is_detail});
  }

  const ExecutionContext& context_;
  const std::vector<std::string>& names_;
  std::vector<std::vector<Sentence>> said_;
  std::vector<bool> is_fitted_;
  std::size_t next_ = 0, n_fitted_ = 0;
};

// Numbers and labels have no common region.
void refuse_labels(const TableView& table, const std::vector<std::string>& names, const RowPlan& plan, const FitOptions& shared) {
  if (names.size() < 2) return;  // the fit of the target says it
  const Rows describing = plan.describing();
  std::vector<std::string> labels;
  for (const auto& name : names) {
    const Index position = table.require(name);
    const Column& found = table.columns()[static_cast<std::size_t>(position)];
    if (found.kind == ColumnKind::boolean) labels.push_back("'" + name + "'");
    if (found.kind == ColumnKind::boolean || found.kind == ColumnKind::date || !found.is_categorical()) continue;
    const ColumnTexts texts = column_texts(table, position, describing);
    const Column target = number_column(table, name, describing, shared.declarations().decimal);
    if (texts.cells > 0 && readable_cells(texts.texts, target) == 0) labels.push_back("'" + name + "'");
  }
  if (labels.empty()) return;
  throw Error(
      format_text("{}: of the targets {}, {} {} labels and no number: a joint region is for numbers only; leave {} out and "
                  "fit {} alone, for prediction sets",
                  table.source(), shared.target, join(labels, ", "), labels.size() == 1 ? "holds" : "hold",
                  labels.size() == 1 ? "it" : "them", labels.size() == 1 ? "it" : "each"));
}

double mean_distance_from_median(std::vector<double> y) {
  const double median = sample_quantile(y, 0.5);
  double sum = 0;
  for (const double value : y) sum += std::abs(value - median);
  const double spread = sum / static_cast<double>(std::max<std::size_t>(1, y.size()));
  return spread > 0 ? spread : 1;
}

// One target of a fit.
struct TargetFit {
  FitOptions options;
  RowPlan plan;
  ModelParts parts = {};
  std::unique_ptr<NumberTask> task = {};
  OutOfFoldRows rows = {};
  std::exception_ptr error = {};
};

TargetFit planned(const TableView& table, const FitOptions& shared, const std::string& y_range, const RowPlan& plan,
                  const std::vector<std::string>& names, std::size_t target) {
  const Column column{.name = names[target]};
  RowPlan own =
      restricted(plan, [&](const Rows& rows) { return rows_with_targets(table, std::span(&column, 1), rows, HasTargets::all); });
  if (std::ssize(own.predictor) < min_rows_of_target && names.size() > 1)
    throw Error(format_text("{}: the target '{}' has a value in {} of {} only, and at least {} are needed: name fewer targets",
                            table.source(), names[target], print_count(std::ssize(own.predictor)),
                            counted(std::ssize(plan.predictor), "training row"), print_count(min_rows_of_target)));
  return {options_of_target(shared, y_range, names, target), std::move(own)};
}

// The inputs are those of a fit of the first target: its rows decide which columns of numbers are ids.
FitInputs inputs_of(const FitRequest& first) {
  const Traced traced("inputs");
  FitRows rows = fit_rows(first);
  std::erase_if(rows.notes, [&](const ColumnNote& note) { return note.column == rows.target.name; });
  return {std::move(rows.schema), std::move(rows.notes), std::move(rows.x)};
}

// About the memory that the fit of one target needs beside the table.
std::size_t bytes_of_target(const RowPlan& plan, const FitInputs& inputs) {
  constexpr std::size_t bytes_of_row = 256, bytes_of_cell = 16;
  return plan.selection_rows().size() * (bytes_of_row + bytes_of_cell * inputs.schema.size());
}

}  // namespace

void SeveralTask::fit(const FitRequest& request, ModelParts& parts) {
  const auto& [table, shared, plan, context, foreign, is_held_out, prepared] = request;
  const auto names = target_names(table, shared);
  refuse_labels(table, names, plan, shared);
  std::vector<TargetFit> fits;
  for (std::size_t j = 0; j < names.size(); ++j) fits.push_back(planned(table, shared, options.y_range, plan, names, j));
  TargetMessages messages(context, names);
  const auto request_of = [&](std::size_t j, const ExecutionContext& own, const FitInputs* inputs) {
    return FitRequest{table, fits[j].options, fits[j].plan, own, nullptr, is_held_out, inputs};
  };
  const FitInputs inputs = inputs_of(request_of(0, messages.of(0, context.threads), nullptr));
  ExecutionContext together = context;
  if (names.size() > 1) together.progress = nullptr;  // the targets report theirs
  std::atomic<Index> first_failed = std::ssize(names);
  run_concurrently(
      std::ssize(names), together, "targets",
      [&](Index which, const ExecutionContext& inside) {
        const auto j = static_cast<std::size_t>(which);
        TargetFit& own = fits[j];
        // Of several errors the first in the order of the targets is thrown.
        if (first_failed < which) return;
        try {
          const Traced traced("target", [&] { return names[j]; });
          const ExecutionContext context_of_target = messages.of(j, inside.threads);
          own.parts.options = own.options;
          own.task = std::make_unique<NumberTask>();
          own.task->fit_and_score(request_of(j, context_of_target, &inputs), own.parts, &own.rows);
          messages.fitted(j);
        } catch (...) {
          own.error = std::current_exception();
          for (Index known = first_failed; which < known && !first_failed.compare_exchange_weak(known, which);) {
          }
        }
      },
      bytes_of_target(plan, inputs));
  std::vector<OutOfFoldTarget> out_of_fold;
  for (std::size_t j = 0; j < names.size(); ++j) {
    TargetFit& own = fits[j];
    if (own.error) std::rethrow_exception(own.error);
    const auto& columns = own.parts.target_columns;
    parts.target_columns.push_back(own.parts.target());
    joint.names.push_back(names[j]);
    joint.ranges.push_back(own.task->range);
    joint.spreads.push_back(mean_distance_from_median(own.task->targets(table, columns, own.plan.selection_rows())));
    if (fault("region-sees-calibration-rows")) {
      const auto seen = own.task->see(table, table.matched(own.parts.schema), plan.calibration, 1);
      auto& of_numbers = static_cast<NumberRows&>(*seen);
      own.rows = {plan.calibration, std::move(of_numbers.predicted), std::move(of_numbers.g)};
    }
    auto y = own.task->targets(table, columns, own.rows.rows);
    out_of_fold.push_back({std::make_unique<NumberRows>(*own.task, TableView("", 0), std::move(own.rows.rows),
                                                        std::move(own.rows.predicted), std::move(own.rows.g)),
                           std::move(y)});
    joint.scales.emplace_back(out_of_fold.back().scores());
    of_target.push_back(std::move(own.task));
    records.push_back(std::move(own.parts.record));
  }
  parts.schema = inputs.schema;
  parts.record.columns = records.front().columns;
  parts.record.out_of_fold = records.front().out_of_fold;
  parts.record.transform_rows = records.front().transform_rows;
  parts.record.validation_rows = records.front().validation_rows;
  fit_joint(request, inputs.x, std::move(out_of_fold));
}

}  // namespace taut
