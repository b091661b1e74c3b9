// The results of one confidence level on all test rows.
#pragma once

#include <taut/report/failures.hpp>
#include <taut/report/test_rows.hpp>

namespace taut {

struct LevelSummary {
  LevelReport report;  // as Regressor::evaluate has it; with Effort::quick without the metrics that take long
  ExpectedRanges expected;
  Index covered = 0;
  WidthSummary width{};
  LevelGroups groups{};
  std::vector<Failure> failures{};
  Answer answer{};
};

enum class Effort { quick, all_metrics };

class LevelSummarizer {
 public:
  LevelSummarizer(const TestRows& rows, const DrawnColumns& drawn, std::string unit, const ExecutionContext& context);

  // `intervals` of all rows.
  LevelSummary summarize(std::span<const Interval> intervals, double level, Effort effort) const;

  // How many groups of rows the page judges at a level.
  Index groups() const;

 private:
  void add_metrics(std::span<const Interval> intervals, std::span<const std::uint8_t> covered, Effort effort,
                   LevelSummary& summary) const;
  WidthSummary summarize_widths(std::span<const Interval> intervals, const LevelSummary& summary) const;
  double constant_width(Index covered) const;
  Answer answer_of(const LevelSummary& summary) const;

  const TestRows& rows_;
  const DrawnColumns& drawn_;
  std::string unit_;
  const ExecutionContext& context_;
};

}  // namespace taut
