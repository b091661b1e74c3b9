#include <experiments/comparison.hpp>

#include <experiments/data_sets.hpp>
#include <experiments/jobs.hpp>
#include <experiments/protocol.hpp>
#include <taut/core/error.hpp>
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

constexpr double test_share = 0.2;
constexpr Index least_rows = 40;
constexpr std::uint64_t split_stream = 102;

struct Split {
  Table train, test;
};

Split split_of(const Table& table, Index seed) {
  Random random = Random(static_cast<std::uint64_t>(seed)).fork(split_stream);
  const auto cut = parts(table.rows(), std::array{1 - test_share, test_share}, random);
  return {choose_rows(table, cut[0]), choose_rows(table, cut[1])};
}

std::string figure_name(const std::string& metric, double level) { return metric + "_" + print_number(level); }

Figures judge(const Table& table, Method method, const std::vector<double>& levels, Index seed, const ExecutionContext& context) {
  const Split split = split_of(table, seed);
  method.options.seed = seed;
  Figures figures = {{"fell_back", 0}};
  const auto judge_levels = [&](const FitOptions& options, std::span<const double> some) {
    const Model model = Model::fit(split.train, options, context);
    figures[0].second += model.record().fell_back ? 1 : 0;
    for (const auto& report : model.evaluate(split.test, some, context).levels)
      for (const auto& metric : compared_metrics())
        figures.emplace_back(figure_name(metric, report.confidence), report.metric(metric));
  };
  if (!method.focuses) {
    judge_levels(method.options, levels);
    return figures;
  }
  for (const double level : levels) {
    method.options.focus = level;
    judge_levels(method.options, std::array{level});
  }
  return figures;
}

// An error of one method names it: the others might have done without.
Figures judge_named(const Table& table, const Method& method, const std::vector<double>& levels, Index seed,
                    const ExecutionContext& context) {
  try {
    return judge(table, method, levels, seed, context);
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

std::string key_of(const Table& table, std::uint64_t data, const Method& method, const ComparisonSettings& settings, Index seed) {
  std::string key = "compare " + std::string(version) + " " + std::to_string(data) + " " + std::to_string(table.rows()) +
                    " seed " + std::to_string(seed) + (method.focuses ? " focus" : "") + " " + options_in_words(method.options);
  for (const double level : settings.levels) key += " " + print_number(level);
  return key;
}

}  // namespace

const std::vector<std::string>& compared_metrics() {
  static const std::vector<std::string> names = {"mean_width",          "coverage", "interval_score", "ert",
                                                 "worst_slab_coverage", "infinite"};
  return names;
}

std::vector<std::string> default_methods() {
  return {"fixed", "erc:error-fit", "exp:mlp", "exp:boost", "exp:boost:size", "exp:boost:focus"};
}

const MetricResult& MethodResult::metric(std::size_t level, const std::string& name) const {
  return *std::find_if(levels[level].begin(), levels[level].end(), [&](const MetricResult& own) { return own.metric == name; });
}

Comparison compare_methods(const Table& table, const ComparisonSettings& settings, const ExecutionContext& context) {
  Comparison comparison{settings, table.source, table.rows(), 0, 0, {}};
  check(table, settings);
  std::vector<std::string> names = settings.methods.empty() ? default_methods() : settings.methods;
  for (const auto& name : names) {
    if (std::count(names.begin(), names.end(), name) > 1) throw UsageError("method '" + name + "' is named twice");
    comparison.methods.push_back({read_method(name, settings.common), {}, {}});
  }
  comparison.settings.methods = names;
  comparison.test_rows = table.rows() - std::llround((1 - test_share) * static_cast<double>(table.rows()));
  comparison.train_rows = table.rows() - comparison.test_rows;

  const std::uint64_t data = checksum_of(table);
  std::vector<Job> jobs;
  for (Index repeat = 0; repeat < settings.repeats; ++repeat)
    for (const auto& own : comparison.methods) {
      const Index seed = settings.common.seed + repeat;
      jobs.push_back({key_of(table, data, own.method, settings, seed), cost_of(own.method),
                      [&table, &settings, method = own.method, seed](const ExecutionContext& inner) {
                        return judge_named(table, method, settings.levels, seed, inner);
                      }});
    }
  const auto results = run_jobs(std::move(jobs), settings.resume, "comparing", context);

  for (std::size_t m = 0; m < names.size(); ++m) {
    MethodResult& own = comparison.methods[m];
    for (const double level : settings.levels) {
      auto& metrics_of_level = own.levels.emplace_back();
      for (const auto& metric : compared_metrics()) metrics_of_level.push_back({metric, {}, {}});
      for (auto& metric : metrics_of_level) {
        for (std::size_t r = m; r < results.size(); r += names.size())
          metric.values.push_back(figure_of(results[r], figure_name(metric.metric, level)));
        metric.summary = summarise(metric.values);
      }
    }
    for (std::size_t r = m; r < results.size(); r += names.size()) {
      own.seconds.push_back(figure_of(results[r], "seconds"));
      own.fell_back += figure_of(results[r], "fell_back");
    }
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
  const double test_to_train = static_cast<double>(test_rows) / static_cast<double>(train_rows);
  ranking.second = ranking.best;
  double compared = 0;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    ranking.to_best.push_back(paired_difference(methods[m].metric(level, metric).values,
                                                methods[ranking.best].metric(level, metric).values, test_to_train));
    if (m == ranking.best || !std::isfinite(mean(m))) continue;
    ++compared;
    // Whoever is hardest to tell from the best decides whether the best is really so.
    const double p = std::isnan(ranking.to_best[m].p) ? 1 : ranking.to_best[m].p;
    const double least = ranking.second == ranking.best ? -1 : ranking.to_best[ranking.second].p;
    if (p > least) ranking.second = m;
  }
  if (compared > 0) ranking.chance = std::min(1.0, compared * ranking.to_best[ranking.second].p);
  return ranking;
}

}  // namespace taut
