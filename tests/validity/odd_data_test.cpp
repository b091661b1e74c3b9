// Unusual data: ties, constants, copies, outliers, units of all sizes. Because of ties coverage may be larger than asked, but
// never smaller. Nothing is NaN, and intervals are the whole line exactly where there are too few rows.
#include <taut/core/beta.hpp>
#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/validity/combinations.hpp>
#include <tests/validity/coverage_distribution.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>
#include <ostream>

namespace taut {
namespace {

struct Row {
  double x, z, y, p;
};

// Rows are independent samples from one distribution. p is an outside prediction.
struct OddData {
  std::string name;
  std::function<Row(Random&)> draw;
  std::function<void(FitOptions&)> also = [](FitOptions&) {};

  friend void PrintTo(const OddData& data, std::ostream* out) { *out << data.name; }
};

double exponential(Random& random) { return -std::log(1 - random.uniform()); }

Row plain(Random& random) {
  const double x = random.uniform(-1, 1), z = random.uniform(-1, 1);
  return {x, z, x + (0.1 + std::abs(z)) * random.normal(), x};
}

Row in_units_of(double unit, Random& random) {
  const Row row = plain(random);
  return {row.x, row.z, unit * row.y, unit * row.p};
}

// More than half of the targets are 0, the others whole numbers with a long tail.
Row comments(Random& random) {
  const double x = random.uniform(0, 2);
  return {x, std::floor(4 * x), random.uniform() < 0.55 ? 0 : std::floor(std::exp(x + random.normal())), std::round(x)};
}

const std::vector<OddData>& all_odd_data() {
  static const std::vector<OddData> all = {
      {"discrete",
       [](Random& r) {
         return Row{std::floor(r.uniform(0, 3)), 0, std::floor(r.uniform(0, 4)), 1};
       }},
      {"mostly_zeros", comments},
      {"mostly_zeros_that_are_known_to_be_counts", comments,
       [](FitOptions& options) {
         options.y_min = 0;
         options.y_step = 1;
       }},
      {"constant_features",
       [](Random& r) {
         return Row{3, -1, r.normal(), 0};
       }},
      {"few_different_rows",
       [](Random& r) {
         constexpr std::array<Row, 4> rows = {{{0, 0, 0, 0}, {1, 0, 5, 4}, {1, 1, 6, 4}, {2, 0, 9, 9}}};
         return rows[static_cast<std::size_t>(r.below(4))];
       }},
      {"cauchy",
       [](Random& r) {
         return Row{r.uniform(-1, 1), 0, std::tan(std::numbers::pi * (r.uniform() - 0.5)), 0};
       }},
      {"cauchy_inputs",
       [](Random& r) {
         return Row{std::tan(std::numbers::pi * (r.uniform() - 0.5)), 0, r.normal(), 0};
       }},
      {"skewed",
       [](Random& r) {
         return Row{r.uniform(-1, 1), 0, std::pow(exponential(r), 4), 1};
       }},
      {"huge_unit", [](Random& r) { return in_units_of(1e200, r); }},
      {"tiny_unit", [](Random& r) { return in_units_of(1e-200, r); }},
      {"far_from_zero",
       [](Random& r) {
         const Row row = plain(r);
         return Row{row.x, row.z, 1e9 + row.y, 1e9 + row.p};
       }},
      {"perfect_on_half",
       [](Random& r) {
         const Row row = plain(r);
         return Row{row.x, row.z, row.x > 0 ? row.p : row.y, row.p};
       }},
      {"two_values",
       [](Random& r) {
         return Row{r.uniform(-1, 1), 0, r.uniform() < 0.1 ? 1.0 : 0.0, 0};
       }},
  };
  return all;
}

Table draw_rows(const OddData& data, Index count, Random& random) {
  Table table;
  for (const char* name : {"x", "z", "y", "p"}) table.columns.push_back({name});
  table.values.resize(count, 4);
  for (Index i = 0; i < count; ++i) {
    const Row row = data.draw(random);
    table.values.row(i) << row.x, row.z, row.y, row.p;
  }
  return table;
}

constexpr std::array<Index, 4> levels = {500, 800, 950, 970};  // in thousandths

struct Count {
  Index rows = 0, covered = 0;
};
using Counts = std::map<std::pair<Index, Index>, Count>;  // by calibration rows and level

void count_covered(const Regressor& model, const Table& fresh, Counts& counts, const std::string& what) {
  const Index n = model.distribution().rows();
  std::vector<double> shares;
  for (const Index level : levels) shares.push_back(static_cast<double>(level) / 1000);
  const Predicted predicted = model.predict_interval(fresh, shares, taut::ExecutionContext{.threads = 1});
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const Interval& interval = predicted.at(0, level);
    EXPECT_FALSE(std::isnan(interval.lower) || std::isnan(interval.upper)) << what;
    const bool enough = testing::rank_in_whole_numbers(n, levels[level]) <= n;
    const bool cut = model.options().y_min > -infinity;
    EXPECT_TRUE(enough ? interval.finite() : (cut || interval.lower == -infinity) && interval.upper == infinity)
        << what << ": " << n << " rows, " << interval.lower << " to " << interval.upper;
    Count& count = counts[{n, levels[level]}];
    ++count.rows;
    count.covered += interval.contains(fresh.values(0, 2)) ? 1 : 0;
  }
}

FitOptions options_for(const OddData& data, const std::string& localizer, const std::string& predictor) {
  FitOptions options = testing::tiny(localizer, "exp");
  options.objective = "";
  options.sides = "auto";
  (predictor == "p" ? options.prediction : options.drop.emplace_back()) = "p";
  if (predictor != "p") options.predictor = predictor;
  data.also(options);
  return options;
}

class OddDataTest : public ::testing::TestWithParam<OddData> {};

void expect_coverage(const OddData& data, Index fits) {
  std::vector<std::string> predictor_names;
  for (const auto& entry : predictors().entries()) predictor_names.push_back(entry.example);
  predictor_names.emplace_back("p");
  Counts counts;
  std::uint64_t stream = 0;
  for (const auto& localizer : localizers().entries())
    for (const auto& predictor : predictor_names) {
      const std::string what = localizer.name + " " + predictor;
      for (Index fit = 0; fit < fits; ++fit) {
        Random random = Random(11).fork(++stream);
        FitOptions options = options_for(data, localizer.name, predictor);
        options.seed = fit;
        Regressor model = Regressor::fit(draw_rows(data, 100, random), options, taut::ExecutionContext{.threads = 1});
        count_covered(model, draw_rows(data, 1, random), counts, what);
        for (Index again = 0; again < 40; ++again) {
          model.calibrate(draw_rows(data, std::array{1, 4, 19, 50}[static_cast<std::size_t>(again % 4)], random),
                          taut::ExecutionContext{.threads = 1});
          count_covered(model, draw_rows(data, 1, random), counts, what);
        }
      }
    }
  const double tail = 1e-4 / static_cast<double>(counts.size() * all_odd_data().size());
  for (const auto& [key, count] : counts)
    EXPECT_GT(binomial_cdf(count.covered, count.rows, static_cast<double>(key.second) / 1000), tail)
        << key.first << " calibration rows: " << count.covered << " of " << count.rows << " covered at " << key.second
        << " of 1000";
}

TEST_P(OddDataTest, CoversAtLeastAsOftenAsAsked) { expect_coverage(GetParam(), 1); }

TEST_P(OddDataTest, CoversAtLeastAsOftenAsAskedInManyFitsSlow) { expect_coverage(GetParam(), 4); }

INSTANTIATE_TEST_SUITE_P(All, OddDataTest, ::testing::ValuesIn(all_odd_data()),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace taut
