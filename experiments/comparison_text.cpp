// A comparison for readers.
#include <experiments/comparison.hpp>
#include <experiments/markdown.hpp>
#include <taut/core/text.hpp>

#include <cmath>

namespace taut {

namespace {

constexpr double real_below = 0.05;

std::string digits(double value) { return std::isnan(value) ? "-" : print_rounded(value, 4); }

std::string with_error(double mean, double error) {
  return digits(mean) + (std::isnan(error) ? "" : " ± " + print_rounded(error, 2));
}

std::string to_best(const Ranking& ranking, std::size_t method) {
  if (!ranking.defined) return "-";
  if (method == ranking.best) return "best";
  const auto& difference = ranking.to_best[method];
  return (difference.mean > 0 ? "+" : "") + with_error(difference.mean, difference.error);
}

std::string level_table(const Comparison& comparison, std::size_t level) {
  const Ranking score = comparison.ranking(level, "interval_score"), width = comparison.ranking(level, "mean_width");
  std::vector<std::vector<std::string>> rows = {
      {"method", "interval score", "behind the best", "width", "behind the narrowest", "coverage", "L1-ERT", "worst slab"}};
  for (std::size_t m = 0; m < comparison.methods.size(); ++m) {
    const auto mean = [&](const char* metric) {
      return print_rounded(comparison.methods[m].metric(level, metric).summary.mean, 4);
    };
    rows.push_back({comparison.methods[m].method.name, mean("interval_score"), to_best(score, m), mean("mean_width"),
                    to_best(width, m), mean("coverage"), mean("ert"), mean("worst_slab_coverage")});
    for (auto& cell : rows.back())
      if (cell == "nan") cell = "-";
  }
  return markdown_table(rows);
}

std::string chance_in_words(double p) { return p < 1e-4 ? "below 0.0001" : print_rounded(p, 2); }

// "Best, by the interval score, at confidence 0.9: exp:boost; nearest to it is fixed, 62 % larger (...): the difference is real."
std::string sentence(const Comparison& comparison, std::size_t level, const std::string& metric, const std::string& opening) {
  const Ranking ranking = comparison.ranking(level, metric);
  const std::string start = opening + " at confidence " + print_number(comparison.settings.levels[level]) + ": ";
  if (!ranking.defined) return start + "no method, for there are too few rows: intervals are the whole line.\n";
  const auto& best = comparison.methods[ranking.best];
  if (ranking.second == ranking.best) return start + best.method.name + ", which nothing else was compared with.\n";
  const auto& second = comparison.methods[ranking.second];
  const auto& difference = ranking.to_best[ranking.second];
  const double percent = 100 * difference.mean / best.metric(level, metric).summary.mean;
  std::string text = start + best.method.name + "; nearest to it is " + second.method.name + ", " + print_rounded(percent, 2) +
                     " % larger (" + with_error(difference.mean, difference.error);
  if (std::isnan(difference.p)) return text + "): one split cannot tell whether the difference is real.\n";
  text += ", probability by chance " + chance_in_words(ranking.chance) + "): ";
  return text + (ranking.chance < real_below ? "the difference is real.\n" : "too little to be told from chance.\n");
}

}  // namespace

std::string verdict(const Comparison& comparison) {
  std::string text;
  for (std::size_t level = 0; level < comparison.settings.levels.size(); ++level)
    text += sentence(comparison, level, "interval_score", "Best, by the interval score,") +
            sentence(comparison, level, "mean_width", "Narrowest");
  return text;
}

std::string seconds_in_words(const Comparison& comparison) {
  std::string text = "seconds for each fit and its evaluation, one core: ";
  for (const auto& own : comparison.methods)
    text +=
        (&own == &comparison.methods.front() ? "" : ", ") + own.method.name + " " + print_rounded(summarise(own.seconds).mean, 2);
  return text;
}

std::string as_markdown(const Comparison& comparison) {
  std::string text = print_count(comparison.rows) + " rows of " + comparison.source + ", " +
                     std::to_string(comparison.settings.repeats) + (comparison.settings.repeats == 1 ? " split" : " splits") +
                     ", the same for all methods: " + print_count(comparison.train_rows) + " rows to fit and calibrate, " +
                     print_count(comparison.test_rows) + " to test.\n";
  for (std::size_t level = 0; level < comparison.settings.levels.size(); ++level)
    text += "\nConfidence " + print_number(comparison.settings.levels[level]) + "\n\n" + level_table(comparison, level);
  text +=
      "\n" + verdict(comparison) +
      "± is the standard error of the paired difference, corrected for rows that the splits share; probabilities are corrected "
      "for the\nnumber of methods. Less is better but for coverage and worst slab, which should be near the confidence.\n";
  for (const auto& own : comparison.methods)
    if (own.fell_back > 0)
      text += own.method.name + ": " + print_number(own.fell_back) +
              " fits kept one width, because no trained transformation was better on validation rows.\n";
  return text;
}

}  // namespace taut
