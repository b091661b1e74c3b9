// A comparison as text and Markdown.
#include <experiments/comparison.hpp>
#include <experiments/markdown.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr double significant_below = 0.05;

std::string digits(double value) { return std::isnan(value) ? "-" : print_rounded(value, 4); }

std::string with_error(double mean, double error) {
  return digits(mean) + (std::isnan(error) ? "" : " ± " + print_rounded(error, 2));
}

std::string to_best(const Ranking& ranking, std::size_t method) {
  if (!ranking.defined) return "-";
  if (method == ranking.best) return "best";
  const auto& difference = ranking.to_best[method];
  if (!std::isfinite(difference.mean)) return "not ranked";
  return (difference.mean > 0 ? "+" : "") + with_error(difference.mean, difference.error);
}

std::string level_table(const Comparison& comparison, std::size_t level) {
  const ComparedTask& task = comparison.settings.task();
  std::vector<Ranking> rankings;
  for (const RankedBy& by : task.ranked) rankings.push_back(comparison.ranking(level, by.metric));
  std::vector<std::vector<std::string>> rows = {{"method"}};
  for (const auto& result : comparison.methods) rows.push_back({result.method.name});
  auto columns = task.columns;
  const auto uninformative = [&](const MethodResult& result) {
    return result.metric(level, task.uninformative.second).summary.mean > 0;
  };
  if (std::any_of(comparison.methods.begin(), comparison.methods.end(), uninformative))
    columns.insert(columns.begin(), task.uninformative);
  for (const auto& [head, metric] : columns) {
    rows.front().push_back(head);
    for (std::size_t m = 0; m < comparison.methods.size(); ++m)
      rows[m + 1].push_back(digits(comparison.methods[m].metric(level, metric).summary.mean));
    for (std::size_t r = 0; r < rankings.size(); ++r) {
      if (task.ranked[r].metric != metric) continue;
      rows.front().push_back(task.ranked[r].behind);
      for (std::size_t m = 0; m < comparison.methods.size(); ++m) rows[m + 1].push_back(to_best(rankings[r], m));
    }
  }
  return markdown_table(rows);
}

std::string describe_p_value(double p) { return "p-value " + (p < 1e-4 ? std::string("below 0.0001") : print_rounded(p, 2)); }

// ", 62 % larger"; empty if the percentage is not finite.
std::string describe_larger(double difference, double best) {
  const double percent = 100 * difference / best;
  return std::isfinite(percent) ? ", " + print_rounded(percent, 2) + " % larger" : "";
}

// "7 of 10": the blocks in time in which `best` is better.
std::string blocks_won(const MetricResult& best, const MetricResult& other) {
  Index won = 0;
  for (std::size_t i = 0; i < best.values.size(); ++i) won += best.values[i] < other.values[i] ? 1 : 0;
  return std::to_string(won) + " of " + std::to_string(best.values.size());
}

// "Best, by the interval score, at confidence 0.9: exp:boost; nearest to it is fixed, 62 % larger (...): significant."
std::string sentence(const Comparison& comparison, std::size_t level, const RankedBy& by) {
  const auto& [metric, opening, title, behind] = by;
  const Ranking ranking = comparison.ranking(level, metric);
  const std::string start = format_text("{} at confidence {}: ", opening, print_number(comparison.settings.levels[level]));
  if (!ranking.defined)
    return format_text("{}no method, because {}.\n", start,
                       comparison.settings.labels ? "there are too few rows: " + comparison.settings.task().whole
                                                  : "all have unbounded intervals: there are too few rows");
  const auto& best = comparison.methods[ranking.best];
  if (ranking.second == ranking.best) return start + best.method.name + ", the only method.\n";
  const auto& difference = ranking.to_best[ranking.second];
  const auto& second = comparison.methods[ranking.second];
  const std::string nearest = format_text("{}{}; nearest to it is {}{} ({}", start, best.method.name, second.method.name,
                                          describe_larger(difference.mean, best.metric(level, metric).summary.mean),
                                          with_error(difference.mean, difference.error));
  if (comparison.design == Design::time)
    return format_text(
        "{}): it is better in {} blocks. This describes these blocks; there is no p-value, because blocks of one "
        "series depend on one another.\n",
        nearest, blocks_won(best.metric(level, metric), second.metric(level, metric)));
  if (std::isnan(ranking.p_value))
    return nearest +
           "): a description of these rows; there is no p-value, because a quarter of the rows is too few for all "
           "methods to be fitted with bounded sets, and without that the error is not known.\n";
  return format_text("{}, {}): {}.\n", nearest, describe_p_value(ranking.p_value),
                     ranking.p_value < significant_below ? "the difference is significant" : "the difference is not significant");
}

// Methods that are not ranked, because some of their intervals are unbounded or empty. Sets of labels are never unbounded.
std::string describe_unbounded(const Comparison& comparison, std::size_t level) {
  if (comparison.settings.labels) return "";
  std::string text;
  for (const auto& result : comparison.methods) {
    const double share = result.metric(level, "unbounded").summary.mean;
    const std::string at =
        format_text(" at confidence {}: {} gives ", print_number(comparison.settings.levels[level]), result.method.name);
    if (share > 0)
      text += format_text(
          "Unbounded{}{} % of the rows an interval with an infinite end; its width and score are infinite, and it is not "
          "ranked.\n",
          at, print_rounded(100 * share, 3));
    else if (std::isinf(result.metric(level, "interval_score").summary.mean))
      text += format_text("Empty{}some rows an empty interval; its score is infinite, and it is not ranked by it.\n", at);
  }
  return text;
}

std::string rows_of_half(Index rows) {
  return rows % 2 == 0 ? print_count(rows / 2) : print_count(rows / 2) + " or " + print_count(rows / 2 + 1);
}

}  // namespace

std::string verdict(const Comparison& comparison) {
  std::string text;
  for (std::size_t level = 0; level < comparison.settings.levels.size(); ++level) {
    text += describe_unbounded(comparison, level);
    for (const RankedBy& by : comparison.settings.task().ranked) text += sentence(comparison, level, by);
  }
  return text;
}

std::string describe_seconds(const Comparison& comparison) {
  std::string text = "seconds for each fit and its evaluation: ";
  for (const auto& result : comparison.methods)
    text += (&result == &comparison.methods.front() ? "" : ", ") + result.method.name + " " +
            print_rounded(summarise(result.seconds).mean, 2);
  return text;
}

std::string describe_design(const Comparison& comparison) {
  const std::string rows = counted(comparison.rows, "row") + " of " + comparison.source;
  if (comparison.design == Design::time)
    return format_text(
        "{} in the order of time, alike for all methods: the later half is cut into {} of about {} rows, and each is tested by "
        "fits to "
        "the rows before it{}.",
        rows, counted(comparison.settings.repeats, "block"), print_count(comparison.rows_of_block),
        comparison.settings.common.gap > 0 ? ", less a gap of " + counted(comparison.settings.common.gap, "row") : "");
  const bool groups = comparison.design == Design::groups;
  const std::string in_groups =
      groups ? format_text(" in {} of '{}'", counted(comparison.units, "group"), comparison.settings.common.keep_together) : "";
  return format_text(
      "{}{}, halved at random {}, alike for all methods: each half ({} {}) is fitted and calibrated on once and tested once.",
      rows, in_groups, counted(comparison.settings.repeats, "time"), rows_of_half(comparison.units),
      groups ? "whole groups" : "rows");
}

std::string describe_errors(const Comparison& comparison) {
  if (comparison.design == Design::time)
    return "± is the standard error of the differences of the blocks as if they were independent, which they are not.";
  return "± is the standard error of the paired difference, from fits to quarters of these rows: the two halves of a halving "
         "share\nno row, so the difference between their results measures the error. p-values are two-sided, corrected for the "
         "number of methods, and\nconservative: under the null hypothesis a p-value is below p with probability p at most. They "
         "are about methods that are fitted to half\nof these rows" +
         std::string(comparison.design == Design::groups ? ", and groups count, not rows." : ".");
}

std::string describe_left_out(const Comparison& comparison) {
  const ComparisonSettings& settings = comparison.settings;
  if (!settings.quick) return "";
  std::string text = "A quick comparison: ";
  if (comparison.rows < comparison.rows_of_table)
    text += (comparison.design == Design::time ? "the latest " : "") + print_count(comparison.rows) + " of " +
            counted(comparison.rows_of_table, "row") + (comparison.design == Design::time ? ", " : " drawn at random, ");
  return text + counted(settings.repeats, "halving") + " (by default " + std::to_string(default_repeats) + "), --effort " +
         settings.common.effort + ". Left out: " +
         (comparison.rows < comparison.rows_of_table
              ? "what methods learn from the other " + counted(comparison.rows_of_table - comparison.rows, "row") + ", and "
              : "") +
         "small differences, which need more halvings to be significant. Without --quick all of it is done.";
}

std::string as_markdown(const Comparison& comparison) {
  std::string text = describe_design(comparison) + "\n";
  if (comparison.settings.quick) text += describe_left_out(comparison) + "\n";
  for (std::size_t level = 0; level < comparison.settings.levels.size(); ++level)
    text += "\nConfidence " + print_number(comparison.settings.levels[level]) + "\n\n" + level_table(comparison, level);
  text += "\n" + verdict(comparison) + describe_errors(comparison) +
          " Less is better, except for coverage and worst slab, which should be near the confidence.\n";
  for (const auto& result : comparison.methods)
    if (result.fell_back > 0)
      text += result.method.name + ": " + counted(static_cast<long long>(result.fell_back), "fit") + " kept " +
              comparison.settings.task().one_for_all + ", because no trained transformation was better on validation rows.\n";
  return text;
}

}  // namespace taut
