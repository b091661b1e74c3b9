// Intervals of CV+ and jackknife+.
#include <taut/calibrate/rank.hpp>
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/task/number/number_task.hpp>

#include <algorithm>
#include <functional>

namespace taut {

Predicted predict_held_out(const ModelParts& whole, const TableView& table, Rows rows, std::span<const double> levels,
                           int threads) {
  const NumberRows seen_whole = see_numbers(whole, table, rows, threads);
  const TargetRange& range = number_task(whole).range;
  std::vector<NumberRows> seen;
  Index n = 0;
  for (const auto& model : whole.held_out) {
    seen.push_back(see_numbers(*model, table, rows, threads));
    n += model->distribution.rows();
  }
  std::vector<Index> ranks;
  for (const double level : levels) {
    check_confidence(level);
    ranks.push_back(exact_rank(n, level));
  }
  Predicted result{{}, {levels.begin(), levels.end()}, std::vector<Interval>(rows.size() * levels.size())};
  constexpr Index block = 64;
  parallel_blocks(std::ssize(rows), block, threads, [&](Index begin, Index end) {
    std::vector<double> lower(static_cast<std::size_t>(n)), upper(static_cast<std::size_t>(n));
    for (Index row = begin; row < end; ++row) {
      const auto at = static_cast<std::size_t>(row);
      std::size_t next = 0;
      for (std::size_t m = 0; m < seen.size(); ++m) {
        const RowScore score = seen[m].at(row);
        for (const double q : whole.held_out[m]->distribution.scores()) {
          const Interval own = score.at_most(q, range);
          lower[next] = own.lower;
          upper[next++] = own.upper;
        }
      }
      std::sort(lower.begin(), lower.end(), std::greater<>());
      std::sort(upper.begin(), upper.end());
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const auto k = static_cast<std::size_t>(ranks[level]);
        const bool finite = ranks[level] <= n;
        result.intervals[at * levels.size() + level] =
            finite ? Interval{lower[k - 1], upper[k - 1]} : seen_whole.at(row).at_most(infinity, range);
      }
    }
  });
  result.prediction = seen_whole.predictions();
  return result;
}

Answers ask_held_out(const ModelParts& whole, const TableView& table, std::span<const std::unique_ptr<Question>> questions,
                     const AskOptions& options, int threads) {
  if (options.smoothing) whole.require_distribution("--smooth needs");
  Answers result;
  std::vector<double> levels;
  for (const auto& question : questions) {
    if (!question->interval_level()) whole.require_distribution("a question other than for intervals needs");
    levels.push_back(*question->interval_level());
    for (auto& name : question->columns({})) result.columns.push_back(std::move(name));
  }
  Predicted predicted = predict_held_out(whole, table, all_rows(table.rows()), levels, threads);
  result.values.resize(table.rows(), std::ssize(result.columns));
  for (Index row = 0; row < table.rows(); ++row)
    for (std::size_t level = 0; level < levels.size(); ++level) {
      const Interval& set = predicted.at(row, level);
      result.values(row, static_cast<Index>(2 * level)) = set.empty() ? missing : set.lower;
      result.values(row, static_cast<Index>(2 * level) + 1) = set.empty() ? missing : set.upper;
    }
  result.prediction = std::move(predicted.prediction);
  return result;
}

}  // namespace taut
