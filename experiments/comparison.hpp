// Compares methods on the same splits of the rows of a table (comparison_splits.hpp).
#pragma once

#include <experiments/compared_task.hpp>
#include <experiments/comparison_splits.hpp>
#include <experiments/markdown.hpp>
#include <experiments/paired.hpp>
#include <experiments/set_methods.hpp>
#include <taut/core/execution_context.hpp>
#include <taut/data/table.hpp>

#include <string>
#include <vector>

namespace taut {

struct ComparisonSettings {
  std::vector<std::string> methods = {};  // in the format of read_method or read_set_method; empty: the default methods
  FitOptions common = {};                 // target, seed of the first repeat, and all options that the methods share
  Index repeats = 0;                      // halvings or blocks; 0: default_repeats or quick_repeats
  std::vector<double> levels = {0.9};
  std::string resume = {};                  // the file that keeps finished fits; empty: none
  bool quick = false;                       // fewer rows and halvings, and --effort quick
  std::optional<LabelOptions> labels = {};  // set if the target holds labels: then methods of sets are compared

  const ComparedTask& task() const { return labels ? compared_sets() : compared_intervals(); }
};

constexpr Index default_repeats = 10, quick_repeats = 3, quick_rows = 2000;

// The settings with defaults filled in, also those of `quick`.
ComparisonSettings resolved(ComparisonSettings settings);

std::vector<std::string> default_methods();

struct MetricResult {
  std::string metric;
  std::vector<double> values;  // of every split
  std::vector<double> nested;  // of every nested split
  Summary summary;
};

struct MethodResult {
  Method method;
  std::vector<std::vector<MetricResult>> levels;  // for each level the metrics in their order
  std::vector<double> seconds;  // of fit and evaluation, for each split; the only numbers that differ from run to run
  double fell_back = 0;
  std::optional<LabelOptions> labels = {};  // set for a method of sets

  const MetricResult& metric(std::size_t level, const std::string& name) const;
};

// Differences between every method and the best one, by a metric of which less is better.
struct Ranking {
  std::string metric;
  std::size_t best = 0;
  std::vector<PairedDifference> to_best;  // method − best
  bool defined = false;                   // false: no method has a finite mean
  // The method that differs least significantly from the best, and the p-value, corrected for the number of methods (Bonferroni).
  std::size_t second = 0;
  double p_value = 1;                       // NaN if there is none
  std::vector<std::size_t> unbounded = {};  // methods that are not ranked, because their mean is not finite
};

struct Comparison {
  ComparisonSettings settings;  // resolved
  std::string source;
  Index rows = 0, rows_of_table = 0;  // a quick comparison uses a random sample of the table
  std::vector<MethodResult> methods;
  Design design = Design::rows;
  Index units = 0;          // rows or groups
  Index rows_of_block = 0;  // of Design::time
  std::vector<ComparisonSplit> splits = {};

  Ranking ranking(std::size_t level, const std::string& metric) const;
};

// The methods to compare: those of the settings, or the default ones. With --increasing or --decreasing the default methods that
// cannot keep directions are left out, and one line names them. Throws for settings that compare_methods() refuses before a fit.
std::vector<std::string> checked_methods(const Table& table, const ComparisonSettings& settings, const ExecutionContext& context);

// Reports the plan first, and the expected time after the first fit.
Comparison compare_methods(const Table& table, const ComparisonSettings& settings, const ExecutionContext& context);

// The result in sentences: the best method for each ranked metric, and whether the difference is significant.
std::string verdict(const Comparison& comparison);
// "2,000 rows of data.csv, halved at random 4 times, ...": the design of the comparison.
std::string describe_design(const Comparison& comparison);
// Explains ± and p-values.
std::string describe_errors(const Comparison& comparison);
// What a quick comparison left out; empty if it is not quick.
std::string describe_left_out(const Comparison& comparison);
std::string describe_seconds(const Comparison& comparison);

std::string as_markdown(const Comparison& comparison);
std::string as_csv(const Comparison& comparison);
std::string as_json(const Comparison& comparison);
std::string as_page(const Comparison& comparison);  // HTML, with the charts of reports

}  // namespace taut
