// How good a model's regions are on rows whose targets are known, whatever the targets are.
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

// How regions are spoken of.
struct RegionWords {
  std::string one = "region";
  std::string size = "size";      // what its size is called: "width"
  std::string size_meaning = "";  // "in units of y"
  std::string covered = "share of targets in their regions";
  std::string unbounded = "unbounded";  // what a region without an end is: "the whole line"
  bool are_intervals = false;           // so that they have an interval score, and may be unbounded
};

// A group of calibration rows.
struct GroupSize {
  std::string name;
  Index rows = 0;
};

// Test rows in groups.
struct GroupedTable {
  std::vector<std::string> names;
  std::vector<Index> of_row;
};

// Some of the test rows: those of a group, of one true label, with regions of one size.
struct CoverageLine {
  std::string name;
  Index rows = 0, covered = 0;
  double mean_size = missing;   // infinite where a region is unbounded
  Index infinite = 0;           // regions without an end
  Band band{missing, missing};  // where the coverage lies, 99 times in 100 (Clopper and Pearson, exact)

  double coverage() const { return rows > 0 ? static_cast<double>(covered) / static_cast<double>(rows) : missing; }
};

// Regions of test rows at one level, row by row.
struct JudgedRegions {
  std::vector<std::uint8_t> covered;
  std::vector<double> sizes;   // infinite where a region is unbounded, NaN where a size means nothing
  std::vector<double> losses;  // what is to be small: the interval score; of other regions their size
};

JudgedRegions judge_intervals(std::span<const Interval> intervals, std::span<const double> y, double confidence);

// A line for each name; `of_row` says which is a row's, or −1.
std::vector<CoverageLine> coverage_lines(const std::vector<std::string>& names, std::span<const Index> of_row,
                                         const JudgedRegions& judged);

struct GroupLine : CoverageLine {
  double p_value = 1;  // of so few covered rows if what is promised held for the group; calibration rows are random too
};

struct GroupReport {
  double confidence = 0;
  std::vector<GroupLine> lines;    // the smallest p-value first
  std::vector<std::string> below;  // groups that cover less than the level, beyond chance: 99 times in 100 none that should not

  // "2 of 7 groups cover less than 0.9, beyond what chance explains: ...", or that none does.
  std::string describe() const;
};

class CoverageChance;

// A group is below its level where it is covered less often than chance explains, in `chance`: by the calibration rows that count
// for its rows, and by as many groups as there are (Holm 1979, whatever groups have in common).
GroupReport judge_groups(const GroupedTable& groups, const JudgedRegions& judged, double confidence,
                         const CoverageChance& chance);

// One confidence level.
struct LevelReport {
  double confidence = 0;
  Index rank = 0;  // 0 where calibration rows do not all count alike
  // The coverage that calibration guarantees, on average over these rows: k / (n + 1), or 1 where regions are unbounded. NaN
  // where rows were fitted in order, which are not exchangeable with those that follow.
  double delivered = 0;
  Figures metrics = {};
  double group_coverage = missing;  // --keep-together: the mean over groups of their coverage, which the band is about

  double metric(std::string_view name) const;
};

// What every task has; a task adds its own.
struct Evaluation {
  Evaluation() = default;
  Evaluation(const Evaluation&) = default;
  Evaluation(Evaluation&&) = default;
  Evaluation& operator=(const Evaluation&) = default;
  Evaluation& operator=(Evaluation&&) = default;
  virtual ~Evaluation() = default;

  Index rows = 0, calibration_rows = 0;
  std::vector<LevelReport> levels;
  std::vector<GroupReport> groups;  // of each level in turn, where groups were asked for
  std::vector<Alarm> alarms;
  RegionWords words;

  // For programs: what `taut evaluate --json` writes and evaluate() gives in Python.
  Value facts() const;
  // For readers: tables of metrics by level, of what the task adds, and of groups.
  std::string describe() const;
  // Sentences on what may surprise.
  virtual std::vector<std::string> remarks() const { return {}; }

 private:
  // A line on one of the metrics.
  virtual std::string metric_summary(const std::string& name) const;
  virtual void add_facts(Value& /*evaluation*/) const {}
  virtual void add_level_facts(std::size_t /*level*/, Value& /*report*/) const {}
  virtual std::string describe_more() const { return ""; }
};

// For programs and for readers: lines of a table, and alarms.
Value facts_of(const CoverageLine& line, const RegionWords& words);
Value facts_of(const std::vector<Alarm>& alarms);
std::string describe_lines(const std::vector<CoverageLine>& lines, const std::string& title, const std::string& heading,
                           const RegionWords& words);
// "coverage_low" as readers see it: "coverage low".
std::string spaced(std::string name);

struct Judged;

// Judges the regions of test rows, for one task.
class Judge {
 public:
  virtual ~Judge() = default;

  virtual JudgedRegions regions(std::size_t level) = 0;
  // `facts` has all but the regions, which only the task knows.
  virtual Figures metrics(std::size_t level, Judged facts) const = 0;
  // Whether regions may be larger than the level asks, so that too much coverage is no alarm.
  virtual bool rounds_up() const { return false; }
  // Of rows that are covered as often as chance explains.
  virtual std::vector<Alarm> further_alarms() { return {}; }
  // The last call: with what is only this task's, and everything else empty.
  virtual std::unique_ptr<Evaluation> finish() = 0;
};

}  // namespace taut
