// How often `compare` calls a difference significant where there is none, exactly: the two methods could be swapped without
// anybody noticing, so that every metric has the same law for both.
//
// The short form holds each null to an exact binomial bound. TAUT_VALIDATE=long prints the rates that docs/results.md shows.
#include <experiments/comparison.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/metric/beta.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>

namespace taut {
namespace {

bool is_long() {
  const char* asked = std::getenv("TAUT_VALIDATE");
  return asked != nullptr && std::string(asked) == "long";
}

Table table_of(const std::vector<std::string>& names, Index rows) {
  Table table;
  for (const auto& name : names) table.columns.push_back({name, false, {}});
  table.values.resize(rows, std::ssize(names));
  return table;
}

// y is independent of x and as likely as −y: what is cut below −1 and what is cut above 1 are mirror images. All y lie in [−1,
// 1], most of them near the ends, so that most intervals are cut.
Table mirrored(Index rows, Random& random) {
  Table table = table_of({"x", "y"}, rows);
  for (Index i = 0; i < rows; ++i) {
    table.values(i, 0) = random.normal();
    table.values(i, 1) = std::sin(std::numbers::pi * (random.uniform() - 0.5));
  }
  return table;
}

// y depends on two inputs alike, and each method sees but one of them.
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

// Student's law with two degrees of freedom, which has no variance.
Table heavy_noise(Index rows, Random& random) {
  return exchangeable(rows, random, [](Random& own) { return own.normal() / std::sqrt(-std::log(1 - own.uniform())); });
}

// Targets in steps: widths repeat exactly.
Table whole_numbers(Index rows, Random& random) {
  Table table = normal_noise(rows, random);
  for (Index i = 0; i < rows; ++i) table.values(i, 2) = std::round(table.values(i, 2));
  return table;
}

struct Null {
  const char* name;
  Table (*draw)(Index rows, Random& random);
  std::vector<std::string> methods;
  const char* predictor;
  bool is_slow = false;  // for the long form only
};

const std::vector<Null>& nulls() {
  static const std::vector<Null> all = {
      {"mirrored limits, linear f", mirrored, {"fixed:y-min=-1", "fixed:y-max=1"}, "linear"},
      {"mirrored limits, knn", mirrored, {"fixed:y-min=-1", "fixed:y-max=1"}, "knn"},
      {"mirrored limits, boost", mirrored, {"fixed:y-min=-1", "fixed:y-max=1"}, "boost", true},
      {"two inputs, linear f", normal_noise, {"fixed:drop=a", "fixed:drop=b"}, "linear"},
      {"two inputs, knn", normal_noise, {"fixed:drop=a", "fixed:drop=b"}, "knn"},
      {"two inputs, boost", normal_noise, {"fixed:drop=a", "fixed:drop=b"}, "boost", true},
      {"two inputs, exp:boost", normal_noise, {"exp:boost:drop=a", "exp:boost:drop=b"}, "linear", true},
      {"heavy tails, linear f", heavy_noise, {"fixed:drop=a", "fixed:drop=b"}, "linear"},
      {"heavy tails, boost", heavy_noise, {"fixed:drop=a", "fixed:drop=b"}, "boost", true},
      {"targets in steps, linear f", whole_numbers, {"fixed:drop=a:y-step=1", "fixed:drop=b:y-step=1"}, "linear"},
  };
  return all;
}

struct Rejections {
  Index runs = 0;
  Index at_05 = 0, at_01 = 0;

  void count(double p_value) {
    ++runs;
    at_05 += p_value < 0.05 ? 1 : 0;
    at_01 += p_value < 0.01 ? 1 : 0;
  }
};

struct Rates {
  Rejections width, score;
};

Rates simulate(const Null& null, Index rows, Index repeats, Index runs) {
  std::vector<std::array<double, 2>> p_values(static_cast<std::size_t>(runs));
  parallel_blocks(runs, 1, resolve_threads(0), [&](Index run, Index) {
    Random random = Random(static_cast<std::uint64_t>(run)).fork(static_cast<std::uint64_t>(rows));
    const Table table = null.draw(rows, random);
    ComparisonSettings settings;
    settings.methods = null.methods;
    settings.repeats = repeats;
    settings.common.target = "y";
    settings.common.predictor = null.predictor;
    settings.common.seed = 1000 * run;  // halvings of their own
    ExecutionContext context;
    context.threads = 1;
    const Comparison comparison = compare_methods(table, settings, context);
    p_values[static_cast<std::size_t>(run)] = {comparison.ranking(0, "mean_width").p_value,
                                               comparison.ranking(0, "interval_score").p_value};
  });
  Rates rates;
  for (const auto& [width, score] : p_values) {
    rates.width.count(width);
    rates.score.count(score);
  }
  return rates;
}

// The chance of so many rejections if the test kept its word.
double tail(Index rejections, Index runs, double rate) {
  return rejections == 0 ? 1 : 1 - binomial_cdf(rejections - 1, runs, rate);
}

// All bounds together raise a false alarm with a chance of at most 1 in 10,000, as one can see from their number.
TEST(ComparisonNull, RejectsNoMoreOftenThanItSays) {
  if (is_long()) GTEST_SKIP() << "the long form is another test";
  constexpr double each = 1e-4 / 100;
  Index bounds = 0;
  for (const auto& null : nulls()) {
    if (null.is_slow) continue;
    for (const auto& [rows, repeats] : {std::pair<Index, Index>{60, 3}, {100, 10}}) {
      const Rates rates = simulate(null, rows, repeats, 100);
      for (const Rejections& own : {rates.width, rates.score}) {
        EXPECT_GT(tail(own.at_05, own.runs, 0.05), each)
            << null.name << ", " << rows << " rows: " << own.at_05 << " of " << own.runs;
        EXPECT_GT(tail(own.at_01, own.runs, 0.01), each)
            << null.name << ", " << rows << " rows: " << own.at_01 << " of " << own.runs;
        bounds += 2;
      }
    }
  }
  EXPECT_LE(bounds, 100);
}

// A test that never rejects would pass as well: where one method is clearly better, it is found.
TEST(ComparisonNull, FindsWhatIsThere) {
  Index found = 0;
  for (Index run = 0; run < 20; ++run) {
    Random random(static_cast<std::uint64_t>(run));
    const Table table = exchangeable(200, random, [](Random& own) { return 0.3 * own.normal(); });
    ComparisonSettings settings;
    settings.methods = {"fixed", "fixed:drop=a"};
    settings.common.target = "y";
    settings.common.predictor = "linear";
    found += compare_methods(table, settings, {}).ranking(0, "mean_width").p_value < 0.01 ? 1 : 0;
  }
  EXPECT_EQ(found, 20);
}

TEST(ComparisonNull, PrintsRates) {
  if (!is_long()) GTEST_SKIP() << "TAUT_VALIDATE=long prints the error rates that docs/results.md shows";
  const char* asked = std::getenv("TAUT_RUNS");
  const Index runs = asked != nullptr ? std::atoll(asked) : 1000;
  std::printf("| null | rows | halvings | width .05 | width .01 | score .05 | score .01 |\n|---|---|---|---|---|---|---|\n");
  for (const auto& null : nulls())
    for (const Index rows : {60, 100, 400})
      for (const Index repeats : {1, 3, 10}) {
        const Index own_runs = null.is_slow ? runs / 5 : runs;
        const Rates rates = simulate(null, rows, repeats, own_runs);
        std::printf("| %s | %d | %d |", null.name, static_cast<int>(rows), static_cast<int>(repeats));
        for (const Rejections& own : {rates.width, rates.score}) {
          const auto share = [&](Index count) { return static_cast<double>(count) / static_cast<double>(own.runs); };
          std::printf(" %.4f | %.4f |", share(own.at_05), share(own.at_01));
          EXPECT_GT(tail(own.at_05, own.runs, 0.05), 1e-6) << null.name << ' ' << rows << ' ' << repeats;
          EXPECT_GT(tail(own.at_01, own.runs, 0.01), 1e-6) << null.name << ' ' << rows << ' ' << repeats;
        }
        std::printf("\n");
        std::fflush(stdout);
      }
}

}  // namespace
}  // namespace taut
