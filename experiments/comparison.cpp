#include <experiments/comparison.hpp>

#include <experiments/data_sets.hpp>
#include <experiments/jobs.hpp>
#include <experiments/markdown.hpp>
#include <experiments/protocol.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/version.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/metric/interval.hpp>
#include <taut/plan/columns.hpp>
#include <taut/task/label/classifier.hpp>
#include <taut/task/number/regressor.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr Index min_rows = 40;

std::string value_name(const std::string& metric, double level) { return metric + "_" + print_number(level); }

// Computes only the ranked metrics, which p-values need. The others take most of the time of an evaluation.
void evaluate_ranked(const Regressor& model, const Table& test, std::span<const double> levels, const ExecutionContext& context,
                     NamedValues& values) {
  const Table known = choose_rows(test, usable_rows(test, model.options(), model.target()));
  const auto y = targets_of(known, model.target(), all_rows(known.rows()), model.target_range());
  const Predicted predicted = model.predict_interval(known, levels, context);
  for (std::size_t level = 0; level < levels.size(); ++level) {
    std::vector<Interval> intervals;
    for (Index row = 0; row < known.rows(); ++row) intervals.push_back(predicted.at(row, level));
    values.emplace_back(value_name("mean_width", levels[level]), mean_width(intervals));
    values.emplace_back(value_name("interval_score", levels[level]), interval_score(intervals, y, 1 - levels[level]));
  }
}

NamedValues evaluate_split(const ComparedRows& rows, const MethodResult& of, const std::vector<double>& levels,
                           const ComparisonSplit& split, const ExecutionContext& context) {
  Method method = of.method;
  const SplitTable tables = rows.cut(split);
  method.options.seed = seed_of(split, method.options.seed);
  NamedValues values = {{"fell_back", 0}};
  const auto evaluate_model = [&](const auto& model, const ComparedTask& task, std::span<const double> some) {
    values[0].second += model.record().fell_back ? 1 : 0;
    for (const auto& report : model.evaluate(tables.tested, some, context).levels)
      for (const auto& metric : task.metrics) values.emplace_back(value_name(metric, report.confidence), report.metric(metric));
  };
  const auto evaluate_levels = [&](const FitOptions& options, std::span<const double> some) {
    if (of.labels)
      evaluate_model(Classifier::fit(tables.fitted, options, *of.labels, context), compared_sets(), some);
    else if (split.within)
      evaluate_ranked(Regressor::fit(tables.fitted, options, context), tables.tested, some, context, values);
    else
      evaluate_model(Regressor::fit(tables.fitted, options, context), compared_intervals(), some);
  };
  if (!method.focuses) {
    evaluate_levels(method.options, levels);
    return values;
  }
  for (const double level : levels) {
    method.options.focus = level;
    evaluate_levels(method.options, std::array{level});
  }
  return values;
}

// Errors name the method. If a quarter cannot be fitted (too few rows, one value of the target), the result is empty: then only
// the p-value is missing.
NamedValues evaluate_named(const ComparedRows& rows, const MethodResult& of, const std::vector<double>& levels,
                           const ComparisonSplit& split, const ExecutionContext& context) {
  const Method& method = of.method;
  try {
    return evaluate_split(rows, of, levels, split, context);
  } catch (const Interrupted&) {
    throw;
  } catch (const UsageError& error) {
    throw UsageError(format_text("method '{}': {}", method.name, error.what()));
  } catch (const Error& error) {
    if (split.within) return {};
    throw Error(format_text("method '{}': {}", method.name, error.what()));
  }
}

void check(const Table& table, const ComparisonSettings& settings) {
  if (settings.repeats < 1) throw UsageError("--repeats must be at least 1, got " + std::to_string(settings.repeats));
  input_columns(table, settings.common);  // throws for unknown names now instead of in every job
  if (table.rows() >= min_rows) return;
  throw Error(format_text("{}: too few rows to compare methods: at least {} are needed, there are {}", table.source, min_rows,
                          table.rows()));
}

double cost_of(const Method& method) {
  if (!method.trained) return 1;
  return method.options.localizer == "mlp" ? 8 : method.focuses ? 4 : 2;
}

std::string key_of(std::uint64_t data, const MethodResult& of, const ComparisonSettings& settings, const ComparisonSplit& split) {
  const Method& method = of.method;
  std::string key = "compare halves " + std::string(version) + " " + std::to_string(data) + " halving " +
                    std::to_string(split.repeat) + " half " + std::to_string(split.tested) +
                    (split.within ? " within " + std::to_string(*split.within) : "") +
                    (settings.common.is_in_order() ? " of " + std::to_string(settings.repeats) : "") +
                    (method.focuses ? " focus" : "") + " " + describe_options(method.options);
  if (of.labels)
    key += " sets " + of.labels->score_in_force() + " " + of.labels->probabilities + (of.labels->by_label ? " by label" : "");
  for (const double level : settings.levels) key += " " + print_number(level);
  return key;
}

// One job for every split and method, ordered by split.
std::vector<Job> jobs_of(const Table& table, const ComparedRows& rows, const std::vector<ComparisonSplit>& splits,
                         const Comparison& comparison) {
  const ComparisonSettings& settings = comparison.settings;
  const std::uint64_t data = checksum_of(table);
  std::vector<Job> jobs;
  for (const ComparisonSplit& split : splits)
    for (const auto& result : comparison.methods)
      jobs.push_back({key_of(data, result, settings, split), (split.within ? 0.5 : 1) * cost_of(result.method),
                      [&rows, &settings, &result, split](const ExecutionContext& inner) {
                        return evaluate_named(rows, result, settings.levels, split, inner);
                      },
                      result.method.name});
  return jobs;
}

// `results` has the values of one method for every split, the nested splits last.
void take_values(const std::vector<const NamedValues*>& results, std::size_t splits, const ComparisonSettings& settings,
                 MethodResult& result) {
  for (const double level : settings.levels) {
    auto& metrics_of_level = result.levels.emplace_back();
    for (const auto& name : settings.task().metrics) {
      MetricResult metric{name, {}, {}, {}};
      for (std::size_t i = 0; i < results.size(); ++i)
        (i < splits ? metric.values : metric.nested).push_back(value_named(*results[i], value_name(name, level)));
      metric.summary = summarise(metric.values);
      metrics_of_level.push_back(std::move(metric));
    }
  }
  for (std::size_t i = 0; i < splits; ++i) {
    result.seconds.push_back(value_named(*results[i], "seconds"));
    result.fell_back += value_named(*results[i], "fell_back");
  }
}

std::string describe_plan(const Comparison& comparison, std::size_t jobs, int threads) {
  const std::string design = comparison.design == Design::time
                                 ? format_text("{} blocks in time of {}, each tested by a fit to the rows before it",
                                               comparison.settings.repeats, counted(comparison.rows, "row"))
                                 : format_text("{} of {}, either half fitted and the other tested, and the same within each half",
                                               counted(comparison.settings.repeats, "random halving"),
                                               counted(comparison.units, comparison.design == Design::groups ? "group" : "row"));
  return format_text("comparing {} on {}: {}, {} at a time", counted(std::ssize(comparison.methods), "method"), design,
                     counted(static_cast<Index>(jobs), "fit"), std::min(threads, static_cast<int>(jobs)));
}

}  // namespace

std::vector<std::string> default_methods() {
  return {"fixed", "erc:error-fit", "exp:mlp", "exp:boost", "exp:boost:size", "exp:boost:focus"};
}

const MetricResult& MethodResult::metric(std::size_t level, const std::string& name) const {
  return *std::find_if(levels[level].begin(), levels[level].end(),
                       [&](const MetricResult& result) { return result.metric == name; });
}

ComparisonSettings resolved(ComparisonSettings settings) {
  if (settings.repeats == 0) settings.repeats = settings.quick ? quick_repeats : default_repeats;
  if (settings.quick && settings.common.effort == FitOptions().effort) settings.common.effort = "quick";
  return settings;
}

std::vector<std::string> checked_methods(const Table& table, const ComparisonSettings& settings,
                                         const ExecutionContext& context) {
  check(table, resolved(settings));
  std::vector<std::string> names = settings.methods;
  if (names.empty()) {
    names = settings.labels ? default_set_methods() : default_methods();
    const auto is_refused = [&](const std::string& name) {
      const std::string localizer = split_text(name, ':').back();
      const auto known = localizers().names();
      return settings.common.is_monotone() && !settings.labels && std::count(known.begin(), known.end(), localizer) > 0 &&
             !localizers().make(localizer)->keeps_directions();
    };
    std::vector<std::string> left_out;
    std::copy_if(names.begin(), names.end(), std::back_inserter(left_out), is_refused);
    std::erase_if(names, is_refused);
    if (!left_out.empty())
      context.tell(format_text("left out, because they cannot keep the directions of --increasing and --decreasing: {}",
                               join(left_out, ", ")));
  }
  for (const auto& name : names) {
    if (std::count(names.begin(), names.end(), name) > 1)
      throw UsageError(format_text("method '{}' is named twice; name each once", name));
    if (settings.labels)
      (void)read_set_method(name, settings.common, *settings.labels);
    else
      (void)read_method(name, settings.common);
  }
  return names;
}

Comparison compare_methods(const Table& whole, const ComparisonSettings& asked, const ExecutionContext& context) {
  Comparison comparison{resolved(asked), whole.source, whole.rows(), whole.rows(), {}};
  ComparisonSettings& settings = comparison.settings;
  settings.methods = checked_methods(whole, settings, context);
  const bool takes_sample = settings.quick && whole.rows() > quick_rows;
  const Table sample = takes_sample ? sample_of(whole, settings.common, quick_rows, context) : Table();
  const Table& table = takes_sample ? sample : whole;
  comparison.rows = table.rows();
  const ComparedRows rows(table, settings.common, settings.repeats, context);
  comparison.design = rows.design();
  comparison.units = rows.units();
  comparison.splits = rows.splits();
  if (rows.design() == Design::time) comparison.rows_of_block = rows.rows_of_block();
  const auto& names = settings.methods;
  for (const auto& name : names) {
    if (settings.labels) {
      SetMethod read = read_set_method(name, settings.common, *settings.labels);
      comparison.methods.push_back({std::move(read.method), {}, {}, 0, std::move(read.labels)});
    } else {
      comparison.methods.push_back({read_method(name, settings.common), {}, {}});
    }
  }

  std::vector<ComparisonSplit> splits = comparison.splits;
  // Nested splits give the error of a difference, so a single method does not need them.
  if (comparison.methods.size() > 1)
    for (const ComparisonSplit& split : rows.nested()) splits.push_back(split);
  auto jobs = jobs_of(table, rows, splits, comparison);
  context.tell(describe_plan(comparison, jobs.size(), resolve_threads(context.threads)));
  if (settings.quick) context.tell(describe_left_out(comparison));
  const auto results = run_jobs(std::move(jobs), settings.resume, "comparing", context);
  for (std::size_t m = 0; m < names.size(); ++m) {
    std::vector<const NamedValues*> of_method;
    for (std::size_t r = m; r < results.size(); r += names.size()) of_method.push_back(&results[r]);
    take_values(of_method, comparison.splits.size(), settings, comparison.methods[m]);
  }
  return comparison;
}

Ranking Comparison::ranking(std::size_t level, const std::string& metric) const {
  Ranking ranking{metric, 0, {}};
  const auto mean = [&](std::size_t m) { return methods[m].metric(level, metric).summary.mean; };
  for (std::size_t m = 0; m < methods.size(); ++m) {
    if (!std::isfinite(mean(m)) || (ranking.defined && mean(m) >= mean(ranking.best))) continue;
    ranking.best = m;
    ranking.defined = true;
  }
  ranking.second = ranking.best;
  double compared = 0;
  const MetricResult& best = methods[ranking.best].metric(level, metric);
  // The nearest method has the largest p-value or, if p-values are missing, the smallest difference.
  const auto is_nearer = [](const PairedDifference& a, const PairedDifference& b) {
    return std::isnan(a.p_value) || std::isnan(b.p_value) ? a.mean < b.mean : a.p_value > b.p_value;
  };
  bool all_known = true;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const MetricResult& own = methods[m].metric(level, metric);
    ranking.to_best.push_back(design == Design::time ? described_difference(own.values, best.values)
                                                     : paired_difference({own.values, own.nested}, {best.values, best.nested}));
    if (!std::isfinite(mean(m))) ranking.unbounded.push_back(m);
    if (m == ranking.best || !std::isfinite(mean(m))) continue;
    ++compared;
    all_known = all_known && !std::isnan(ranking.to_best[m].p_value);
    if (ranking.second == ranking.best || is_nearer(ranking.to_best[m], ranking.to_best[ranking.second])) ranking.second = m;
  }
  if (compared > 0) ranking.p_value = std::min(1.0, compared * ranking.to_best[ranking.second].p_value);
  if (!all_known) ranking.p_value = missing;
  return ranking;
}

}  // namespace taut
