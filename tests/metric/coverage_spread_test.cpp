// The band of the coverage for every kind of calibration: its rate of false alarms, and whether it notices noise that is five
// times as large. TAUT_VALIDATE=long repeats five times as often.
#include <taut/calibrate/calibration.hpp>
#include <taut/core/random.hpp>
#include <taut/metric/chance.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>

namespace taut {
namespace {

constexpr double level = 0.9;

Index repetitions(Index usual) {
  const char* asked = std::getenv("TAUT_VALIDATE");
  return asked != nullptr && std::string(asked) == "long" ? 5 * usual : usual;
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(CoverageSpread, OneStratumIsTheExactBand) {
  const std::vector<double> scores(99, 0);
  std::vector<double> distinct(99);
  std::iota(distinct.begin(), distinct.end(), 0.0);
  const CoverageStratum one = exact_stratum(ScoreDistribution(distinct), 200, level);
  const Band band = CoverageSpread(std::span(&one, 1)).band(), exact = coverage_band(200, 99, 90);
  EXPECT_EQ(band.low, exact.low);
  EXPECT_EQ(band.high, exact.high);
  const CoverageStratum tied =
      exact_stratum(ScoreDistribution(scores), 200, level);  // the same lower end, and all may be covered
  EXPECT_EQ(CoverageSpread(std::span(&tied, 1)).band().low, exact.low);
  EXPECT_GT(CoverageSpread(std::span(&tied, 1)).band().high, exact.high);
}

TEST(CoverageSpread, SumsStrata) {
  // Two strata against the sum over all pairs.
  const std::vector<CoverageStratum> strata = {{7, 3, 2, 3, 2}, {5, 9, 1, 9, 1}, {4, 1, 0, 1, 0}, {3, 0, 1, 0, 1}};
  const auto a = beta_binomial(7, 3, 2), b = beta_binomial(5, 9, 1);
  EXPECT_NEAR(sum_of(a.values), 1, 1e-12);
  const CoverageSpread spread(strata);
  EXPECT_EQ(spread.units(), 19);
  for (Index maximum = 4; maximum <= 16; ++maximum) {
    double expected = 0;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      for (std::size_t j = 0; j < b.values.size(); ++j)
        if (4 + a.first + b.first + static_cast<Index>(i + j) <= maximum) expected += a.values[i] * b.values[j];
    EXPECT_NEAR(spread.p_value(static_cast<double>(maximum)), expected, 1e-12) << maximum;
    EXPECT_NEAR(spread.p_value(static_cast<double>(maximum) - 0.5), expected, 1e-12) << "up to the next whole number";
  }
}

TEST(CoverageSpread, TheGridOfManyRowsMovesLittle) {
  // Many groups of many rows: on the grid, and as a normal distribution with the same mean and variance.
  std::vector<CoverageStratum> strata;
  double mean = 0, variance = 0;
  for (int group = 0; group < 50; ++group) {
    const double rows = 2000, a = 90 + group, b = 10;
    strata.push_back({2000, a, b, a, b});
    mean += rows * a / (a + b);
    variance += rows * a * b * (a + b + rows) / ((a + b) * (a + b) * (a + b + 1));
  }
  const Band band = CoverageSpread(strata).band();
  const double reach = 2.5758 * std::sqrt(variance) / 100'000, centre = mean / 100'000;
  EXPECT_NEAR(band.low, centre - reach, 0.05 * reach);
  EXPECT_NEAR(band.high, centre + reach, 0.05 * reach);
}

TEST(CoverageSpread, AParameterBelowOneHasItsModeAtTheEnd) {
  const auto distribution = beta_binomial(50, 30, 0.4);
  EXPECT_NEAR(sum_of(distribution.values), 1, 1e-12);
  double mean = 0;
  for (std::size_t i = 0; i < distribution.values.size(); ++i)
    mean += static_cast<double>(distribution.first + static_cast<Index>(i)) * distribution.values[i];
  EXPECT_NEAR(mean, 50 * 30 / 30.4, 1e-9);
}

struct SampledRows {
  std::vector<SignedScore> scores;
  RowFacts facts;
};

// Rows for one kind of calibration: calibration rows, or test rows if `fresh`. If `steps` is positive, scores are rounded up to
// steps, so that they tie.
SampledRows sample(const std::string& kind, bool fresh, double steps, Random& random) {
  SampledRows result;
  const bool together = kind == "hierarchical", shifted = kind == "weighted" || kind == "towards";
  const Index rows = fresh ? 150 : 120;
  const auto add = [&](double score) { result.scores.push_back({Side::above, steps > 0 ? std::ceil(score / steps) : score}); };
  if (together) {
    const Index groups = fresh ? 25 : 40;
    for (Index group = 0; group < groups; ++group) {
      const double effect = 2 * random.normal();
      for (Index i = 1 + random.below(12); i > 0; --i) {
        result.facts.groups.push_back(group);
        add(std::abs(effect + 0.5 * random.normal()));
      }
    }
    return result;
  }
  result.facts.points.resize(rows, kind == "overlapping" ? 5 : 1);
  for (Index i = 0; i < rows; ++i) {
    const double x = shifted ? (fresh ? 1 : 0) + random.normal() : random.uniform();
    const Index group = random.below(3), other = random.below(2);
    result.facts.groups.push_back(group);
    if (shifted) result.facts.weights.push_back(std::exp(x - 0.5));
    if (kind == "overlapping")
      result.facts.points.row(i) << (group == 0 ? 1 : 0), (group == 1 ? 1 : 0), (group == 2 ? 1 : 0), (other == 0 ? 1 : 0), x;
    else
      result.facts.points(i, 0) = x;
    const double deviation = shifted ? std::exp(x / 2) : kind == "local" ? 0.1 + x : 1 + 2 * static_cast<double>(group);
    add(deviation * std::abs(random.normal()));
  }
  return result;
}

struct Found {
  double coverage = 0;
  Band band{};
};

Found coverage_and_band(const std::string& kind, double noise, double steps, bool groups_are_known, Random& random) {
  const SampledRows known = sample(kind, false, steps, random);
  SampledRows fresh = sample(kind, true, steps, random);
  const auto calibration = calibrations().make(kind);
  calibration->calibrate(CalibrationRows(known.scores, known.facts),
                         {.groups = kind == "hierarchical" ? 40 : 3, .reaches = {0.2}});
  const auto count = std::ssize(fresh.scores);
  double hits = 0;
  std::vector<double> of_group(25), rows_of(25);
  for (Index row = 0; row < count; ++row) {
    const bool is_covered =
        noise * fresh.scores[static_cast<std::size_t>(row)].score <= calibration->distribution(fresh.facts, row).quantile(level);
    hits += is_covered ? 1 : 0;
    if (kind != "hierarchical") continue;
    const auto group = static_cast<std::size_t>(fresh.facts.groups[static_cast<std::size_t>(row)]);
    of_group[group] += is_covered ? 1 : 0;
    ++rows_of[group];
  }
  double coverage = hits / static_cast<double>(count);
  if (kind == "hierarchical" && groups_are_known) {
    coverage = 0;
    for (std::size_t group = 0; group < 25; ++group) coverage += of_group[group] / rows_of[group];
    coverage /= 25;  // exactly 1 if all rows are covered
  }
  if (!groups_are_known) fresh.facts.groups.clear();
  return {coverage, CoverageSpread(calibration->strata(fresh.facts, all_rows(count), level)).band()};
}

TEST(CoverageSpread, RaisesFalseAlarmsInAtMostOneOfAHundredFilesOfEveryKind) {
  for (const auto& entry : calibrations().entries())
    for (const double steps : {0.0, 0.7})
      for (const bool groups_are_known : {true, false}) {
        if (!groups_are_known && entry.name != "hierarchical") continue;
        Random random(7);
        const Index count = repetitions(entry.name == "overlapping" ? 60 : 1000);
        Index low = 0, high = 0;
        for (Index again = 0; again < count; ++again) {
          const Found one = coverage_and_band(entry.name, 1, steps, groups_are_known, random);
          low += one.coverage < one.band.low ? 1 : 0;
          high += one.coverage > one.band.high ? 1 : 0;
        }
        std::printf("%-12s %s: too low %ld, too high %ld of %ld\n", entry.name.c_str(), steps > 0 ? "with ties" : "without  ",
                    static_cast<long>(low), static_cast<long>(high), static_cast<long>(count));
        // With a rate of 1 in 100, more false alarms than this occur once in 10,000.
        EXPECT_GT(1 - binomial_cdf(low + high - 1, count, 0.01), 1e-4) << entry.name << " " << steps << " " << low << " " << high;
      }
}

TEST(CoverageSpread, NoticesFiveTimesTheNoiseForEveryKind) {
  for (const auto& entry : calibrations().entries())
    for (const bool groups_are_known : {true, false}) {
      if (!groups_are_known && entry.name != "hierarchical") continue;
      Random random(8);
      Index noticed = 0;
      constexpr Index count = 50;
      for (Index again = 0; again < count; ++again) {
        const Found one = coverage_and_band(entry.name, 5, 0, groups_are_known, random);
        noticed += one.coverage < one.band.low ? 1 : 0;
      }
      std::printf("%-12s noticed %ld of %ld\n", entry.name.c_str(), static_cast<long>(noticed), static_cast<long>(count));
      EXPECT_GE(noticed, 45) << entry.name << (groups_are_known ? "" : ", groups not known");
    }
}

}  // namespace
}  // namespace taut
