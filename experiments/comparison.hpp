// Any methods on any table, each on the same splits of its rows (comparison_splits.hpp).
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
  std::vector<std::string> methods = {};  // as read_method, or read_set_method, reads them; empty: default_methods
  FitOptions common = {};                 // target, seed of the first repeat, and all that the methods share
  Index repeats = 0;                      // halvings or blocks; 0: as many as a comparison, or a quick one, has by default
  std::vector<double> levels = {0.9};
  std::string resume = {};                  // the file that keeps finished fits; empty: none
  bool quick = false;                       // fewer rows and halvings, and --effort quick
  std::optional<LabelOptions> labels = {};  // the target holds labels: methods of sets are compared

  const ComparedTask& task() const { return labels ? compared_sets() : compared_intervals(); }
};

constexpr Index default_repeats = 10, quick_repeats = 3, quick_rows = 2000;

// With the defaults, and those of `quick`, filled in.
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
  std::vector<double> seconds;  // to fit and to judge, for each split; the only numbers that differ from run to run
  double fell_back = 0;
  std::optional<LabelOptions> labels = {};  // of a method of sets

  const MetricResult& metric(std::size_t level, const std::string& name) const;
};

// Every method beside the best one by a metric of which less is better.
struct Ranking {
  std::string metric;
  std::size_t best = 0;
  std::vector<PairedDifference> to_best;  // method − best
  bool defined = false;                   // false: no method has a finite mean
  // The method that is hardest to tell from the best, and that p-value, corrected for the number of methods (Bonferroni).
  std::size_t second = 0;
  double p_value = 1;                       // NaN where there is none
  std::vector<std::size_t> unbounded = {};  // methods that are not ranked, because some of their sets are
};

struct Comparison {
  ComparisonSettings settings;  // resolved
  std::string source;
  Index rows = 0, rows_of_table = 0;  // a quick comparison takes a sample
  std::vector<MethodResult> methods;
  Design design = Design::rows;
  Index units = 0;          // rows or groups
  Index rows_of_block = 0;  // of Design::time
  std::vector<Split> splits = {};

  Ranking ranking(std::size_t level, const std::string& metric) const;
};

// Says what it is about to do, and how long that will take once a fit has been timed.
Comparison compare_methods(const Table& table, const ComparisonSettings& settings, const ExecutionContext& context);

// What came out, in sentences: which is best, which is narrowest, and whether chance explains it.
std::string verdict(const Comparison& comparison);
// "2,000 rows of data.csv, halved at random 4 times, ...": how it came about.
std::string design_in_words(const Comparison& comparison);
// What ± and p-values are.
std::string errors_in_words(const Comparison& comparison);
// What a quick comparison left out; empty where nothing was.
std::string left_out_in_words(const Comparison& comparison);
std::string seconds_in_words(const Comparison& comparison);

std::string as_markdown(const Comparison& comparison);
std::string as_csv(const Comparison& comparison);
std::string as_json(const Comparison& comparison);
std::string as_page(const Comparison& comparison);  // HTML, with the charts of reports

}  // namespace taut
