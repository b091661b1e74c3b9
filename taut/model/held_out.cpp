#include <taut/model/held_out.hpp>

#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/data/split.hpp>
#include <taut/model/fit_rows.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index default_parts = 10;
constexpr Index min_rows = 6;  // leaves at least three rows to be cut into folds when a part is held out

Index requested_parts(const std::string& split) {
  const std::string count = split.substr(cv_plus.size());
  if (count.empty()) return default_parts;
  const double parts = count.front() == ':' ? parse_number_or_throw(count.substr(1), "--split") : 0;
  if (!(parts >= 2 && parts == std::floor(parts) && parts <= 1e9))
    throw UsageError(format_text("--split: cv+ takes a whole number of parts, at least 2, for example cv+:20; got '{}'", split));
  return static_cast<Index>(parts);
}

// A table is read once for all models. A column must therefore be of the same kind in all of them.
void check_same_kinds(const std::vector<Column>& whole, const std::vector<Column>& part) {
  for (const Column& column : part) {
    const auto same = find_column(whole, column.name);
    if (same && whole[static_cast<std::size_t>(*same)].kind == column.kind &&
        whole[static_cast<std::size_t>(*same)].format == column.format)
      continue;
    throw Error(
        format_text("the column '{}' looks like another kind of column once some of the rows are held out; say what it "
                    "is: --numeric, --categorical, --date or --ordered {}, or --drop {}",
                    column.name, column.name, column.name));
  }
}

// The progress of each part is a stage of the whole. Messages are dropped, because the fit of all rows gave them already.
ExecutionContext context_of_part(const ExecutionContext& context, Index part, Index parts) {
  ExecutionContext own = context;
  own.say = own.details = {};
  if (context.progress)
    own.progress = [&context, part, parts](std::string_view, double done) {
      context.progress(format_text("part {} of {}", part + 1, parts),
                       (static_cast<double>(part) + done) / static_cast<double>(parts));
    };
  return own;
}

}  // namespace

Index ModelParts::calibration_rows() const {
  if (held_out.empty()) return distribution.rows();
  Index rows = 0;
  for (const auto& model : held_out) rows += model->distribution.rows();
  return rows;
}

void ModelParts::require_distribution(const std::string& what) const {
  if (!held_out.empty())
    throw UsageError(
        format_text("{} a predictive distribution for each row, and a model of --split {} has intervals only; fit "
                    "without --split for the rest",
                    what, options.split));
}

void ModelParts::refuse_exposure(const std::string& what) const {
  if (!options.exposure.empty())
    throw UsageError(
        format_text("{} cannot take a model with --exposure: its answers depend on the exposure of a row; fit without it", what));
}

Index parts_held_out(const FitOptions& options, Index rows, const std::string& source) {
  const std::string& split = options.split;
  if (!options.holds_out()) return 0;
  if (rows < min_rows)
    throw Error(format_text("{}: too few rows: --split {} needs at least {}, there are {}", source, split, print_count(min_rows),
                            print_count(rows)));
  return split == jackknife_plus ? rows : std::min(rows, requested_parts(split));
}

void check_held_out(const FitOptions& options, Index rows, bool calibration_elsewhere, const std::string& source) {
  const auto refuse = [&](const std::string& with, const std::string& why) {
    throw UsageError(format_text("--split {} cannot be combined with {}: {}", options.split, with, why));
  };
  if (calibration_elsewhere) refuse("calibration rows of another file", "it calibrates with the rows that train");
  if (options.has_f())
    refuse("given predictions or models", "the model that predicts would have to be trained without each part");
  if (!options.by.empty()) refuse("--by", "its promise is for all rows together; leave --split out");
  if (options.is_in_order())
    refuse("--in-order", "models would be trained on rows after those that they score; leave --split out");
  if (!options.keep_together.empty()) refuse("--keep-together", "its promise is for single rows; leave --split out");
  parts_held_out(options, rows, source);
}

std::vector<std::unique_ptr<ModelParts>> fit_held_out(const TableView& table, const Rows& usable, const FitOptions& options,
                                                      const ModelParts& whole, const ExecutionContext& context) {
  const Index rows = std::ssize(usable), count = parts_held_out(options, rows, table.source());
  const Rows order = shuffled(rows, static_cast<std::uint64_t>(options.seed));
  FitOptions own = options;
  own.split = "cross";
  std::vector<std::unique_ptr<ModelParts>> models;
  const auto parts = equal_parts(rows, count);
  for (Index p = 0; p < count; ++p) {
    const TrainingPart& part = parts[static_cast<std::size_t>(p)];
    Rows held, others;
    for (Index i = 0; i < rows; ++i)
      (part.begin <= i && i < part.end ? held : others)
          .push_back(usable[static_cast<std::size_t>(order[static_cast<std::size_t>(i)])]);
    std::sort(others.begin(), others.end());
    RowPlan plan = plan_rows(std::ssize(others), own, own.localizer_crosses(), true, table.source());
    plan.place(others);
    const ExecutionContext quiet = context_of_part(context, p, count);
    models.push_back(fit_parts(whole.task->unfitted(), {table, own, plan, quiet, nullptr, true}));
    check_same_kinds(whole.schema, models.back()->schema);
    models.back()->calibrate(table, std::move(held), {}, plan.selection_rows(), quiet);
  }
  return models;
}

std::string few_rows_hint(const FitOptions& options, const RowPlan& plan) {
  constexpr Index few = 100;
  constexpr double level = 0.9;
  const Index rows = std::ssize(plan.selection_rows()) + std::ssize(plan.calibration);
  const bool may_hold_out = options.split.empty() && !options.has_f() && options.by.empty() && !options.is_in_order() &&
                            options.keep_together.empty() && options.sure == 0 && !plan.calibration.empty();
  if (!may_hold_out || rows >= few || rows < min_rows) return {};
  return format_text(
      "{} are few, and {} of them only calibrate: --split cv+ trains on all of them, and its intervals are narrower as a rule. "
      "Their coverage is about the level as well, but less of it is proven: at level {} at least {}",
      counted(rows, "row"), print_count(std::ssize(plan.calibration)), print_number(level),
      print_rounded(coverage_held_out(rows, std::min(rows, default_parts), level), 2));
}

// Barber et al., theorem 4: 1 − 2α less the smaller of two terms. For the jackknife+ it is 0.
double coverage_held_out(Index rows, Index parts, double confidence) {
  const auto n = static_cast<double>(rows), k = static_cast<double>(parts);
  const double less = std::min(2 * (1 - 1 / k) / (n / k + 1), (1 - k / n) / (k + 1));
  return std::max(0.0, 2 * confidence - 1 - less);
}

}  // namespace taut
