// How often `compare` calls a difference significant where there is none. The two methods are exchangeable by construction, so
// that every metric has the same distribution for both.
//
// The short form tests each null hypothesis against an exact binomial bound. TAUT_VALIDATE=long prints the rates that
// docs/notes/comparison.md shows, from TAUT_RUNS tables each (1,000 by default).
#include <experiments/comparison.hpp>
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/task/number/regressor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace taut {
namespace {

bool is_long() {
  const char* asked = std::getenv("TAUT_VALIDATE");
  return asked != nullptr && std::string(asked) == "long";
}

Table table_of(const std::vector<std::string>& names, Index rows) {
  Table table;
  for (const auto& name : names) table.columns.push_back({name});
  table.values.resize(rows, std::ssize(names));
  return table;
}

// y is independent of x and symmetric around 0, so cutting at −1 from below and at 1 from above are mirror images. All y lie near
// −1 or 1, so that every interval contains both and is cut: widths differ by twice f(x), which depends on the training rows.
Table mirrored(Index rows, Random& random) {
  Table table = table_of({"x", "y"}, rows);
  for (Index i = 0; i < rows; ++i) {
    table.values(i, 0) = random.normal();
    table.values(i, 1) = (random.uniform() < 0.5 ? -1 : 1) * (1 - 0.02 * random.uniform());
  }
  return table;
}

// y depends on two inputs in the same way, and each method sees only one of them.
template <class Noise>
Table exchangeable(Index rows, Random& random, Noise noise) {
  Table table = table_of({"a", "b", "y"}, rows);
  for (Index i = 0; i < rows; ++i) {
    const double a = random.normal(), b = random.normal();
    table.values(i, 0) = a;
    table.values(i, 1) = b;
    table.values(i, 2) = a + b + noise(random);
  }
  return table;
}

Table normal_noise(Index rows, Random& random) {
  return exchangeable(rows, random, [](Random& own) { return own.normal(); });
}

// Student's distribution with two degrees of freedom, which has no variance.
Table heavy_noise(Index rows, Random& random) {
  return exchangeable(rows, random, [](Random& own) { return own.normal() / std::sqrt(-std::log(1 - own.uniform())); });
}

// Targets are whole numbers, so widths repeat exactly.
Table whole_numbers(Index rows, Random& random) {
  Table table = normal_noise(rows, random);
  for (Index i = 0; i < rows; ++i) table.values(i, 2) = std::round(table.values(i, 2));
  return table;
}

// A few rows have inputs so large that they dominate a method, both when they are fitted and when they are tested.
Table lognormal_inputs(Index rows, Random& random) {
  Table table = exchangeable(rows, random, [](Random& own) { return own.normal(); });
  for (Index i = 0; i < rows; ++i) {
    for (Index input = 0; input < 2; ++input) {
      const double old = table.values(i, input);
      table.values(i, input) = std::exp(1.5 * old);
      table.values(i, 2) += table.values(i, input) - old;
    }
  }
  return table;
}

// One input in a hundred is thirty times as large.
Table outliers(Index rows, Random& random) {
  Table table = exchangeable(rows, random, [](Random& own) { return own.normal(); });
  for (Index i = 0; i < rows; ++i)
    for (Index input = 0; input < 2; ++input) {
      if (random.uniform() >= 0.01) continue;
      table.values(i, 2) += 29 * table.values(i, input);
      table.values(i, input) *= 30;
    }
  return table;
}

// Groups of five rows that share an effect: rows of one group are not independent evidence.
Table in_groups(Index rows, Random& random) {
  Table table = table_of({"a", "b", "y", "g"}, rows);
  double a = 0, b = 0, effect = 0;
  for (Index i = 0; i < rows; ++i) {
    if (i % 5 == 0) {
      a = random.normal();
      b = random.normal();
      effect = random.normal();
    }
    table.values(i, 0) = a + 0.1 * random.normal();
    table.values(i, 1) = b + 0.1 * random.normal();
    table.values(i, 2) = a + b + effect + 0.1 * random.normal();
    table.values(i, 3) = static_cast<double>(i / 5);
  }
  return table;
}

struct Null {
  const char* name;
  Table (*draw)(Index rows, Random& random);
  std::vector<std::string> methods;
  const char* predictor;
  bool is_slow = false;  // for the long form only
  double level = 0.8;    // six calibration rows are enough for it
  const char* split = "cross";
  const char* keep_together = "";
};

const std::vector<std::string> one_input_each = {"fixed:drop=a", "fixed:drop=b"};

const std::vector<Null>& nulls() {
  static const std::vector<Null> all = {
      {"mirrored limits, linear", mirrored, {"fixed:y-min=-1", "fixed:y-max=1"}, "linear"},
      {"two inputs, linear", normal_noise, {"fixed:drop=a", "fixed:drop=b"}, "linear"},
      {"heavy tails, linear", heavy_noise, {"fixed:drop=a", "fixed:drop=b"}, "linear"},
      {"targets in steps, linear", whole_numbers, {"fixed:drop=a:y-step=1", "fixed:drop=b:y-step=1"}, "linear"},
      {"mirrored limits, knn", mirrored, {"fixed:y-min=-1", "fixed:y-max=1"}, "knn", true},
      {"two inputs, knn", normal_noise, {"fixed:drop=a", "fixed:drop=b"}, "knn", true},
      {"mirrored limits, boost", mirrored, {"fixed:y-min=-1", "fixed:y-max=1"}, "boost", true},
      {"heavy tails, boost", heavy_noise, {"fixed:drop=a", "fixed:drop=b"}, "boost", true},
      {"heavy tails, linear and exp:boost", heavy_noise, {"exp:boost:drop=a", "exp:boost:drop=b"}, "linear", true},
      {"lognormal inputs, linear", lognormal_inputs, one_input_each, "linear"},
      {"outliers, linear, cv+ at 0.95", outliers, one_input_each, "linear", true, 0.95, "cv+"},
      {"outliers, linear", outliers, one_input_each, "linear"},
      {"outliers, linear, at 0.95", outliers, one_input_each, "linear", true, 0.95},
      {"lognormal inputs, linear, at 0.95", lognormal_inputs, one_input_each, "linear", true, 0.95},
      {"lognormal inputs, linear, cv+ at 0.95", lognormal_inputs, one_input_each, "linear", true, 0.95, "cv+"},
      {"two inputs, linear, cv+ at 0.95", normal_noise, one_input_each, "linear", true, 0.95, "cv+"},
      {"heavy tails, linear, cv+", heavy_noise, one_input_each, "linear", true, 0.8, "cv+"},
      {"groups of five rows, linear", in_groups, one_input_each, "linear", true, 0.8, "cross", "g"},
  };
  return all;
}

ComparisonSettings settings_of(const Null& null, Index repeats, Index run) {
  ComparisonSettings settings;
  settings.methods = null.methods;
  settings.repeats = repeats;
  settings.levels = {null.level};
  settings.common.split = null.split;
  settings.common.keep_together = null.keep_together;
  settings.common.target = "y";
  settings.common.predictor = null.predictor;
  settings.common.seed = 1000 * run;  // different halvings in each run
  return settings;
}

Table draw(const Null& null, Index rows, Index run) {
  Random random = Random(static_cast<std::uint64_t>(run)).fork(static_cast<std::uint64_t>(rows));
  return null.draw(rows, random);
}

ExecutionContext one_thread() {
  ExecutionContext context;
  context.threads = 1;
  return context;
}

struct PValues {
  double width, score;
};

PValues compared(const Null& null, Index rows, Index repeats, Index run) {
  const Comparison comparison = compare_methods(draw(null, rows, run), settings_of(null, repeats, run), one_thread());
  return {comparison.ranking(0, "mean_width").p_value, comparison.ranking(0, "interval_score").p_value};
}

// Only the metrics that are compared. The other metrics of an evaluation take most of its time.
void add_metrics(const Table& train, const Table& test, const FitOptions& options, double level, std::vector<double>& widths,
                 std::vector<double>& scores) {
  const Predicted predicted =
      Regressor::fit(train, options, one_thread()).predict_interval(test, std::array{level}, one_thread());
  double width = 0, score = 0;
  for (Index row = 0; row < test.rows(); ++row) {
    const double y = test.values(row, test.require("y"));
    const Interval own = predicted.at(row, 0);
    width += own.upper - own.lower;
    score += own.upper - own.lower + 2 / (1 - level) * (std::max(0.0, own.lower - y) + std::max(0.0, y - own.upper));
  }
  widths.push_back(width / static_cast<double>(test.rows()));
  scores.push_back(score / static_cast<double>(test.rows()));
}

// The p-values of `compare` after 1, 2, ... halvings.
std::vector<PValues> after_each_halving(const Null& null, Index rows, Index repeats, Index run) {
  const Table table = draw(null, rows, run);
  const ComparisonSettings settings = settings_of(null, repeats, run);
  const ComparedRows compared_rows(table, settings.common, repeats, one_thread());
  std::array<PairedValues, 2> widths, scores;
  std::vector<PValues> result;
  const auto evaluate_both = [&](const ComparisonSplit& split) {
    const SplitTable tables = compared_rows.cut(split);
    for (const std::size_t m : {0U, 1U}) {
      FitOptions options = read_method(null.methods[m], settings.common).options;
      options.seed = seed_of(split, settings.common.seed);
      add_metrics(tables.fitted, tables.tested, options, null.level, split.within ? widths[m].quarters : widths[m].halves,
                  split.within ? scores[m].quarters : scores[m].halves);
    }
  };
  for (Index halving = 0; halving < repeats; ++halving) {
    for (const ComparisonSplit& split : compared_rows.splits())
      if (split.repeat == halving) evaluate_both(split);
    for (const ComparisonSplit& split : compared_rows.nested())
      if (split.repeat == halving) evaluate_both(split);
    result.push_back({paired_difference(widths[0], widths[1]).p_value, paired_difference(scores[0], scores[1]).p_value});
  }
  return result;
}

// The probability of at least this number of p-values below `rate` if the test is valid.
double tail(const std::vector<double>& p_values, double rate) {
  const auto rejections = std::count_if(p_values.begin(), p_values.end(), [=](double p) { return p < rate; });
  return rejections == 0 ? 1 : 1 - binomial_cdf(rejections - 1, std::ssize(p_values), rate);
}

void expect_valid_p_values(const std::vector<double>& p_values, double min_tail, const std::string& what) {
  for (const double rate : {0.05, 0.01}) EXPECT_GT(tail(p_values, rate), min_tail) << what << ", at " << rate;
}

struct Size {
  Index rows, repeats;
};

// All bounds together raise a false alarm with a probability of at most 1 in 10,000.
void expect_valid_p_values(const std::vector<Size>& sizes, Index runs) {
  const double each = 1e-4 / (6 * 2 * 2 * static_cast<double>(sizes.size()));  // nulls, metrics, rates, sizes
  for (const auto& null : nulls())
    for (const auto& [rows, repeats] : sizes) {
      if (null.is_slow) continue;
      std::vector<double> widths(static_cast<std::size_t>(runs)), scores(static_cast<std::size_t>(runs));
      parallel_blocks(runs, 1, resolve_threads(0), [&, rows = rows, repeats = repeats](Index run, Index) {
        const PValues own = after_each_halving(null, rows, repeats, run).back();
        widths[static_cast<std::size_t>(run)] = own.width;
        scores[static_cast<std::size_t>(run)] = own.score;
      });
      expect_valid_p_values(widths, each, null.name + std::string(", widths"));
      expect_valid_p_values(scores, each, null.name + std::string(", scores"));
    }
}

TEST(ComparisonNull, RejectsNoMoreOftenThanItSays) {
  if (is_long()) GTEST_SKIP() << "the long form is another test";
  expect_valid_p_values({{60, 3}}, 200);
}

TEST(ComparisonNull, RejectsNoMoreOftenThanItSaysInManyRunsSlow) {
  if (is_long()) GTEST_SKIP() << "the long form is another test";
  expect_valid_p_values({{60, 3}, {100, 10}}, 500);
}

// The simulations compute the p-values of `compare` in a shorter way. Both must agree.
TEST(ComparisonNull, SimulatesTheComparisonItself) {
  for (const auto& null : nulls()) {
    if (null.is_slow) continue;
    const PValues whole = compared(null, 60, 2, 1), parts = after_each_halving(null, 60, 2, 1).back();
    const auto agree = [](double a, double b) { return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-9; };
    EXPECT_TRUE(agree(whole.width, parts.width)) << null.name << ' ' << whole.width << ' ' << parts.width;
    EXPECT_TRUE(agree(whole.score, parts.score)) << null.name << ' ' << whole.score << ' ' << parts.score;
  }
}

// A test that never rejects would pass the tests above: where one method is clearly better, `compare` must find it.
TEST(ComparisonNull, FindsWhatIsThere) {
  for (Index run = 0; run < 5; ++run) {
    Random random(static_cast<std::uint64_t>(run));
    const Table table = exchangeable(200, random, [](Random& own) { return 0.3 * own.normal(); });
    ComparisonSettings settings;
    settings.methods = {"fixed", "fixed:drop=a"};
    settings.common.target = "y";
    settings.common.predictor = "linear";
    const Comparison comparison = compare_methods(table, settings, {});
    for (const auto* metric : {"mean_width", "interval_score"})
      EXPECT_LT(comparison.ranking(0, metric).p_value, 0.05) << metric << ' ' << run;
  }
}

void print_rates(const Null& null, Index rows, Index runs) {
  constexpr std::array<std::size_t, 2> halvings = {3, 10};
  std::vector<std::vector<PValues>> all(static_cast<std::size_t>(runs));
  parallel_blocks(runs, 1, resolve_threads(0), [&](Index run, Index) {
    all[static_cast<std::size_t>(run)] = after_each_halving(null, rows, halvings.back(), run);
  });
  for (const std::size_t count : halvings) {
    std::printf("| %s | %d | %zu |", null.name, static_cast<int>(rows), count);
    for (const auto metric : {&PValues::width, &PValues::score}) {
      std::vector<double> p_values;
      for (const auto& run : all) p_values.push_back(run[count - 1].*metric);
      for (const double rate : {0.05, 0.01})
        std::printf(" %.3f |",
                    static_cast<double>(std::count_if(p_values.begin(), p_values.end(), [=](double p) { return p < rate; })) /
                        static_cast<double>(runs));
      expect_valid_p_values(p_values, 1e-6, null.name);
    }
    std::printf("\n");
    std::fflush(stdout);
  }
}

class ComparisonNullRates : public testing::TestWithParam<std::size_t> {};

TEST_P(ComparisonNullRates, AreNoHigherThanStated) {
  if (!is_long()) GTEST_SKIP() << "TAUT_VALIDATE=long prints the error rates that docs/notes/comparison.md shows";
  const char* asked = std::getenv("TAUT_RUNS");
  const Index runs = asked != nullptr ? std::atoll(asked) : 1000;
  const Null& null = nulls()[GetParam()];
  std::printf("| null | rows | halvings | width .05 | width .01 | score .05 | score .01 |\n|---|---|---|---|---|---|---|\n");
  for (const Index rows : {60, 100, 400})
    if (!null.is_slow || rows == 100) print_rates(null, rows, runs);
}

INSTANTIATE_TEST_SUITE_P(AllNulls, ComparisonNullRates, testing::Range<std::size_t>(0, nulls().size()));

}  // namespace
}  // namespace taut
