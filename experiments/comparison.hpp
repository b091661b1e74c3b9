// Any methods on any table, each on the same splits of its rows.
#pragma once

#include <experiments/figures.hpp>
#include <experiments/methods.hpp>
#include <experiments/paired.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/table.hpp>

#include <string>
#include <vector>

namespace taut {

struct ComparisonSettings {
  std::vector<std::string> methods = {};  // as read_method reads them; empty: default_methods
  FitOptions common = {};                 // target, seed of the first repeat, and all that the methods share
  Index repeats = 20;
  std::vector<double> levels = {0.9};
  std::string resume = {};
};

std::vector<std::string> default_methods();

// The figures that are compared, as `taut evaluate` names them.
const std::vector<std::string>& compared_metrics();

struct MetricResult {
  std::string metric;
  std::vector<double> values;  // one for each repeat
  Summary summary;
};

struct MethodResult {
  Method method;
  std::vector<std::vector<MetricResult>> levels;  // for each level the metrics in their order
  std::vector<double> seconds;                    // to fit and to judge; the only numbers that differ from run to run
  double fell_back = 0;

  const MetricResult& metric(std::size_t level, const std::string& name) const;
};

// Every method beside the best one by a metric of which less is better.
struct Ranking {
  std::string metric;
  std::size_t best = 0;
  std::vector<PairedDifference> to_best;  // method − best
  bool defined = false;                   // false: no method has finite figures
  // The method that comes nearest, and the chance that it is as good, corrected for the number of methods.
  std::size_t second = 0;
  double chance = 1;
};

struct Comparison {
  ComparisonSettings settings;
  std::string source;
  Index rows = 0, train_rows = 0, test_rows = 0;
  std::vector<MethodResult> methods;

  Ranking ranking(std::size_t level, const std::string& metric) const;
};

Comparison compare_methods(const Table& table, const ComparisonSettings& settings, const ExecutionContext& context);

// What came out, in sentences: which is best, which is narrowest, and whether that is real.
std::string verdict(const Comparison& comparison);
std::string seconds_in_words(const Comparison& comparison);

std::string as_markdown(const Comparison& comparison);
std::string as_csv(const Comparison& comparison);
std::string as_json(const Comparison& comparison);
std::string as_page(const Comparison& comparison);  // HTML, with the charts of reports

}  // namespace taut
