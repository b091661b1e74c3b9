#include <experiments/comparison.hpp>

#include <experiments/data_sets.hpp>
#include <experiments/jobs.hpp>
#include <experiments/markdown.hpp>
#include <experiments/protocol.hpp>
#include <taut/classes/class_model.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/version.hpp>
#include <taut/data/split.hpp>
#include <taut/model/columns.hpp>
#include <taut/model/model.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace taut {

namespace {

constexpr Index least_rows = 40;
constexpr std::uint64_t halving_stream = 102, sample_stream = 103;

std::string value_name(const std::string& metric, double level) { return metric + "_" + print_number(level); }

NamedValues judge(const Table& table, const MethodResult& of, const std::vector<double>& levels, const Split& split,
                  const ExecutionContext& context) {
  Method method = of.method;
  const Index first = method.options.seed;
  const auto halves = halves_of(table, first + split.halving);
  method.options.seed = seed_of(split, first);
  NamedValues values = {{"fell_back", 0}};
  const auto judge_model = [&](const auto& model, const ComparedTask& task, std::span<const double> some) {
    values[0].second += model.record().fell_back ? 1 : 0;
    for (const auto& report : model.evaluate(halves[split.tested], some, context).levels)
      for (const auto& metric : task.metrics) values.emplace_back(value_name(metric, report.confidence), report.metric(metric));
  };
  const auto judge_levels = [&](const FitOptions& options, std::span<const double> some) {
    const Table& fitted = halves[1 - split.tested];
    if (of.labels)
      judge_model(ClassModel::fit(fitted, options, *of.labels, context), compared_sets(), some);
    else
      judge_model(Model::fit(fitted, options, context), compared_intervals(), some);
  };
  if (!method.focuses) {
    judge_levels(method.options, levels);
    return values;
  }
  for (const double level : levels) {
    method.options.focus = level;
    judge_levels(method.options, std::array{level});
  }
  return values;
}

// An error names its method, because the others may be fine.
NamedValues judge_named(const Table& table, const MethodResult& of, const std::vector<double>& levels, const Split& split,
                        const ExecutionContext& context) {
  const Method& method = of.method;
  try {
    return judge(table, of, levels, split, context);
  } catch (const Interrupted&) {
    throw;
  } catch (const UsageError& error) {
    throw UsageError("method '" + method.name + "': " + error.what());
  } catch (const Error& error) {
    throw Error("method '" + method.name + "': " + error.what());
  }
}

void check(const Table& table, const ComparisonSettings& settings) {
  if (settings.repeats < 1) throw UsageError("--repeats must be at least 1, got " + std::to_string(settings.repeats));
  input_columns(table, settings.common);  // unknown names are told now, not by each job
  if (table.rows() >= least_rows) return;
  throw Error(table.source + ": too few rows to compare methods on: needed are at least " + std::to_string(least_rows) +
              ", there are " + std::to_string(table.rows()));
}

double cost_of(const Method& method) {
  if (!method.trained) return 1;
  return method.options.localizer == "mlp" ? 8 : method.focuses ? 4 : 2;
}

std::string key_of(std::uint64_t data, const MethodResult& of, const ComparisonSettings& settings, const Split& split) {
  const Method& method = of.method;
  std::string key = "compare halves " + std::string(version) + " " + std::to_string(data) + " halving " +
                    std::to_string(split.halving) + " half " + std::to_string(split.tested) + (method.focuses ? " focus" : "") +
                    " " + options_in_words(method.options);
  if (of.labels)
    key += " sets " + of.labels->score_in_force() + " " + of.labels->probabilities + (of.labels->by_label ? " by label" : "");
  for (const double level : settings.levels) key += " " + print_number(level);
  return key;
}

Table sample_of(const Table& table, const ComparisonSettings& settings) {
  Random random = Random(static_cast<std::uint64_t>(settings.common.seed)).fork(sample_stream);
  Rows rows = random.permutation(table.rows());
  rows.resize(static_cast<std::size_t>(quick_rows));
  std::sort(rows.begin(), rows.end());
  return choose_rows(table, rows);
}

// One for every split and method; the methods of one split stand together.
std::vector<Job> jobs_of(const Table& table, const Comparison& comparison) {
  const ComparisonSettings& settings = comparison.settings;
  const std::uint64_t data = checksum_of(table);
  std::vector<Job> jobs;
  for (Index halving = 0; halving < settings.repeats; ++halving)
    for (const std::size_t tested : {0U, 1U})
      for (const auto& own : comparison.methods) {
        const Split split{halving, tested};
        jobs.push_back({key_of(data, own, settings, split), cost_of(own.method),
                        [&table, &settings, &own, split](const ExecutionContext& inner) {
                          return judge_named(table, own, settings.levels, split, inner);
                        },
                        own.method.name});
      }
  return jobs;
}

// `splits` holds the values of one method, split by split.
void take_values(const std::vector<const NamedValues*>& splits, const ComparisonSettings& settings, MethodResult& result) {
  for (const double level : settings.levels) {
    auto& metrics_of_level = result.levels.emplace_back();
    for (const auto& name : settings.task().metrics) {
      MetricResult metric{name, {}, {}};
      for (const NamedValues* one : splits) metric.values.push_back(value_named(*one, value_name(name, level)));
      metric.summary = summarise(metric.values);
      metrics_of_level.push_back(std::move(metric));
    }
  }
  for (const NamedValues* one : splits) {
    result.seconds.push_back(value_named(*one, "seconds"));
    result.fell_back += value_named(*one, "fell_back");
  }
}

std::string plan_in_words(const Comparison& comparison, std::size_t jobs, int threads) {
  return "comparing " + counted(std::ssize(comparison.methods), "method") + " on " +
         counted(comparison.settings.repeats, "random halving") + " of " + counted(comparison.rows, "row") +
         ", either half fitted and the other tested: " + counted(static_cast<Index>(jobs), "fit") + ", " +
         std::to_string(std::min(threads, static_cast<int>(jobs))) + " at a time";
}

}  // namespace

std::array<Table, 2> halves_of(const Table& table, Index seed) {
  Random random = Random(static_cast<std::uint64_t>(seed)).fork(halving_stream);
  const auto cut = parts(table.rows(), std::array{0.5, 0.5}, random);
  return {choose_rows(table, cut[0]), choose_rows(table, cut[1])};
}

Index seed_of(const Split& split, Index first) { return first + 2 * split.halving + static_cast<Index>(split.tested); }

std::vector<std::string> default_methods() {
  return {"fixed", "erc:error-fit", "exp:mlp", "exp:boost", "exp:boost:size", "exp:boost:focus"};
}

const MetricResult& MethodResult::metric(std::size_t level, const std::string& name) const {
  return *std::find_if(levels[level].begin(), levels[level].end(), [&](const MetricResult& own) { return own.metric == name; });
}

ComparisonSettings resolved(ComparisonSettings settings) {
  if (settings.repeats == 0) settings.repeats = settings.quick ? quick_repeats : default_repeats;
  if (settings.quick && settings.common.effort == FitOptions().effort) settings.common.effort = "quick";
  return settings;
}

Comparison compare_methods(const Table& whole, const ComparisonSettings& asked, const ExecutionContext& context) {
  Comparison comparison{resolved(asked), whole.source, whole.rows(), whole.rows(), {}};
  ComparisonSettings& settings = comparison.settings;
  check(whole, settings);
  const bool takes_sample = settings.quick && whole.rows() > quick_rows;
  const Table sample = takes_sample ? sample_of(whole, settings) : Table();
  const Table& table = takes_sample ? sample : whole;
  comparison.rows = table.rows();
  if (settings.methods.empty()) settings.methods = settings.labels ? default_set_methods() : default_methods();
  const auto& names = settings.methods;
  for (const auto& name : names) {
    if (std::count(names.begin(), names.end(), name) > 1) throw UsageError("method '" + name + "' is named twice");
    if (settings.labels) {
      SetMethod own = read_set_method(name, settings.common, *settings.labels);
      comparison.methods.push_back({std::move(own.method), {}, {}, 0, std::move(own.labels)});
    } else {
      comparison.methods.push_back({read_method(name, settings.common), {}, {}});
    }
  }

  auto jobs = jobs_of(table, comparison);
  context.tell(plan_in_words(comparison, jobs.size(), resolve_threads(context.threads)));
  if (settings.quick) context.tell(left_out_in_words(comparison));
  const auto results = run_jobs(std::move(jobs), settings.resume, "comparing", context);
  for (std::size_t m = 0; m < names.size(); ++m) {
    std::vector<const NamedValues*> own;
    for (std::size_t r = m; r < results.size(); r += names.size()) own.push_back(&results[r]);
    take_values(own, settings, comparison.methods[m]);
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
  for (std::size_t m = 0; m < methods.size(); ++m) {
    ranking.to_best.push_back(
        paired_difference(methods[m].metric(level, metric).values, methods[ranking.best].metric(level, metric).values));
    if (m == ranking.best || !std::isfinite(mean(m))) continue;
    ++compared;
    const bool is_first = ranking.second == ranking.best;
    if (is_first || ranking.to_best[m].p_value > ranking.to_best[ranking.second].p_value) ranking.second = m;
  }
  if (compared > 0) ranking.p_value = std::min(1.0, compared * ranking.to_best[ranking.second].p_value);
  return ranking;
}

}  // namespace taut
