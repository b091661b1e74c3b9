// The evaluation of a model's regions on rows with known targets, for every task.
#pragma once

#include <taut/core/beta.hpp>
#include <taut/core/types.hpp>
#include <taut/core/value.hpp>
#include <taut/guard/alarm.hpp>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace taut {

// Metrics by their names; NaN where one is not defined.
using Figures = std::vector<std::pair<std::string, double>>;

// The words for a task's regions in reports.
struct RegionWords {
  std::string one = "region";
  std::string size = "size";  // "width"
  std::string size_meaning;   // "in units of y"
  std::string covered = "share of targets in their regions";
  std::string unbounded = "unbounded";  // an unbounded region: "the whole line"
  bool are_intervals = false;           // regions have an interval score and may be unbounded
};

// A group of calibration rows.
struct GroupSize {
  std::string name;
  Index rows = 0;
};

// Test rows and their groups.
struct GroupedTable {
  std::vector<std::string> names;
  std::vector<Index> of_row;
};

// The coverage of some of the test rows: of one group, of one true label, or of regions of one size.
struct CoverageLine {
  std::string name;
  Index rows = 0, covered = 0;
  double mean_size = missing;   // infinite if a region is unbounded
  Index infinite = 0;           // number of unbounded regions
  Band band{missing, missing};  // 99 % confidence interval of the coverage (Clopper and Pearson, exact)

  double coverage() const { return rows > 0 ? static_cast<double>(covered) / static_cast<double>(rows) : missing; }
};

// Regions of test rows at one level, row by row.
struct EvaluatedRegions {
  std::vector<std::uint8_t> covered;
  std::vector<double> sizes;   // infinite for an unbounded region, NaN if regions have no size
  std::vector<double> losses;  // the interval score; for regions that are no intervals their size
  // Whether the exact region contains the target, if regions are larger than the exact ones. The distribution of the coverage is
  // that of exact regions. Empty: regions are exact.
  std::vector<std::uint8_t> exactly_covered = {};

  const std::vector<std::uint8_t>& covered_by_exact() const { return exactly_covered.empty() ? covered : exactly_covered; }
};

EvaluatedRegions evaluate_intervals(std::span<const Interval> intervals, std::span<const double> y, double confidence);

// Metrics of coverage, by their names in the list, of rows of which only `covered` is known. `facts` has what else they use.
struct Judged;
Figures coverage_figures(const std::vector<std::string>& names, const std::vector<std::uint8_t>& covered, Judged facts);

// A line for each name. `of_row`: for each row the index of its name, or −1.
std::vector<CoverageLine> coverage_lines(const std::vector<std::string>& names, std::span<const Index> of_row,
                                         const EvaluatedRegions& judged);

struct GroupLine : CoverageLine {
  double p_value = 1;  // for the hypothesis that the guarantee holds in the group; includes the randomness of calibration rows
};

struct GroupReport {
  double confidence = 0;
  std::vector<GroupLine> lines;    // the smallest p-value first
  std::vector<std::string> below;  // groups with coverage significantly below the level; family-wise error rate 1 %

  // "2 of 7 groups cover less than 0.9, beyond what chance explains: ...", or "none of 7 groups covers less than 0.9, ...".
  std::string describe() const;
};

class CoverageChance;

// A group is below its level if a test rejects the level's coverage. `chance` gives the distribution of the coverage under the
// calibration rows that count for the group. Holm's method (1979), valid under any dependence, corrects for the number of groups.
GroupReport evaluate_groups(const GroupedTable& groups, const EvaluatedRegions& judged, double confidence,
                            const CoverageChance& chance);

// One confidence level.
struct LevelReport {
  double confidence = 0;
  Index rank = 0;  // 0 unless the calibration is plain: with groups, weights, class-conditional or CV+ there is no single rank
  // The coverage that calibration guarantees, averaged over these rows: k / (n + 1), or 1 if regions are unbounded. NaN if the
  // model was fitted to rows in order, which are not exchangeable with later rows.
  double delivered = 0;
  Figures metrics = {};
  // The coverage that the band refers to: that of exact regions, and with --keep-together its mean over groups.
  double exact_coverage = missing;
  double group_coverage = missing;  // the same, with --keep-together only

  double metric(std::string_view name) const;
};

// The same rows, each counted by its weight (--sample-weight).
struct WeightedLevel {
  double confidence = 0, coverage = missing, mean_size = missing, mean_loss = missing;
  Band band{missing, missing};
};
struct WeightedReport {
  std::string column;         // of the weights; empty: there are none
  double effective_rows = 0;  // Σ(w)² / Σ(w²): the number of rows of equal weight that are as informative
  // True if the model was calibrated by the same weights, so that the level is guaranteed for a row that is sampled in proportion
  // to its weight. Otherwise the band holds as far as coverage does not depend on the weights.
  bool is_guaranteed = false;
  std::vector<WeightedLevel> levels{};
};

// The part of an evaluation that every task has; a task derives from it to add its own results.
struct Evaluation {
  Evaluation() = default;
  Evaluation(const Evaluation&) = default;
  Evaluation(Evaluation&&) = default;
  Evaluation& operator=(const Evaluation&) = default;
  Evaluation& operator=(Evaluation&&) = default;
  virtual ~Evaluation() = default;

  Index rows = 0, calibration_rows = 0;
  std::vector<LevelReport> levels;
  std::vector<GroupReport> groups;  // one for each level; empty unless groups were requested
  WeightedReport weighted;
  std::vector<Alarm> alarms;
  RegionWords words;

  // The JSON of `taut evaluate --json`, which is also the result of evaluate() in Python.
  Value facts() const;
  // Text: tables of metrics by level, of the task's own results, and of groups.
  std::string describe() const;
  // Sentences on results that may surprise the user.
  virtual std::vector<std::string> remarks() const { return {}; }

 private:
  // A line that explains the metric.
  virtual std::string metric_summary(const std::string& name) const;
  virtual void add_facts(Value& /*evaluation*/) const {}
  virtual void add_level_facts(std::size_t /*level*/, Value& /*report*/) const {}
  virtual std::string describe_more() const { return ""; }
};

// Lines of a table and alarms as JSON and as text.
Value facts_of(const CoverageLine& line, const RegionWords& words);
Value facts_of(const std::vector<Alarm>& alarms);
std::string describe_lines(const std::vector<CoverageLine>& lines, const std::string& title, const std::string& heading,
                           const RegionWords& words);
// Replaces underscores by spaces: "coverage_low" becomes "coverage low".
std::string spaced(std::string name);

// Evaluates the regions of test rows for one task.
class RegionEvaluator {
 public:
  virtual ~RegionEvaluator() = default;

  virtual EvaluatedRegions regions(std::size_t level) = 0;
  // `facts` is complete except for the regions, which the task fills in.
  virtual Figures metrics(std::size_t level, Judged facts) const = 0;
  // Whether regions may cover more than the level, so that too much coverage is no alarm.
  virtual bool rounds_up() const { return false; }
  // Called only if the coverage of all levels is as expected.
  virtual std::vector<Alarm> further_alarms() { return {}; }
  // The last call. Returns the task's own results; the caller fills in the members of Evaluation.
  virtual std::unique_ptr<Evaluation> finish() = 0;
};

}  // namespace taut
