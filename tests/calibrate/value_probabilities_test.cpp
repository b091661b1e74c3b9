// P(y <= v) at fixed v is calibrated whatever the score is, with atoms too, and samples agree with it.
#include <taut/calibrate/value_probabilities.hpp>

#include <taut/calibrate/predictive_distribution.hpp>
#include <taut/core/random.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <string_view>

namespace taut {
namespace {

const TargetRange whole_line;

bool is_long() {
  const char* how = std::getenv("TAUT_VALIDATE");
  return how != nullptr && std::string_view(how) == "long";
}

// Isotonic regression: pools neighbours until the sequence does not decrease. Returns the fitted value at one place.
double isotonic_at(std::vector<std::pair<double, double>> weight_and_events, std::size_t place) {
  struct Pool {
    double weight, events;
    std::size_t many;
  };
  std::vector<Pool> pools;
  for (const auto& [weight, events] : weight_and_events) {
    pools.push_back({weight, events, 1});
    while (pools.size() > 1 &&
           pools[pools.size() - 2].events * pools.back().weight >= pools.back().events * pools[pools.size() - 2].weight) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().weight + last.weight, pools.back().events + last.events, pools.back().many + last.many};
    }
  }
  for (const Pool& pool : pools) {
    if (place < pool.many) return pool.events / pool.weight;
    place -= pool.many;
  }
  return missing;
}

// The same by definition: isotonic regression of all rows, the new one included, in bins.
double by_definition(std::vector<VennAbers::Row> rows, VennAbers::Row own) {
  const Index minimum = VennAbers::rows_of_bin(std::ssize(rows));
  rows.push_back(own);
  std::vector<double> scores;
  for (const auto& row : rows) scores.push_back(row.score.score);
  std::sort(scores.begin(), scores.end());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  std::vector<std::pair<double, double>> bins;
  std::vector<Index> counts;
  std::size_t place = 0;
  for (const double score : scores) {
    if (bins.empty() || counts.back() >= minimum) {
      bins.emplace_back(0, 0);
      counts.push_back(0);
    }
    for (const auto& row : rows)
      if (row.score.score == score) {
        bins.back() = {bins.back().first + row.weight, bins.back().second + (row.event ? row.weight : 0)};
        ++counts.back();
      }
    if (score == own.score.score) place = bins.size() - 1;
  }
  if (bins.size() > 1 && counts.back() < minimum) {
    const auto last = bins.back();
    bins.pop_back();
    bins.back() = {bins.back().first + last.first, bins.back().second + last.second};
    place = std::min(place, bins.size() - 1);
  }
  return isotonic_at(bins, place);
}

TEST(VennAbers, IsIsotonicRegressionWithTheNewRowAmongTheOthers) {
  Random random(3);
  for (int again = 0; again < 300; ++again) {
    const auto count = static_cast<std::size_t>(random.below(again % 2 == 0 ? 60 : 400));
    const Index kinds = again % 5 == 0 ? 6 : 200;
    const bool weighs = again % 3 == 0;
    std::vector<VennAbers::Row> rows;
    for (std::size_t i = 0; i < count; ++i) {
      const auto score = static_cast<double>(random.below(kinds));
      rows.push_back(
          {{Side::above, score}, random.uniform() < score / static_cast<double>(kinds), weighs ? random.uniform(0.2, 3) : 1.0});
    }
    const double own = weighs ? 0.7 : 1;
    const VennAbers fast(rows, own);
    for (double at = -0.5; at < static_cast<double>(kinds); at += 0.5 + random.uniform() * static_cast<double>(kinds) / 20) {
      const double place = std::round(2 * at) / 2;
      const auto found = fast.at({Side::above, place});
      EXPECT_NEAR(found.low, by_definition(rows, {{Side::above, place}, false, own}), 1e-9);
      EXPECT_NEAR(found.high, by_definition(rows, {{Side::above, place}, true, own}), 1e-9);
      EXPECT_LE(found.low, found.high + 1e-12);
    }
  }
}

// One end of the pair is perfectly calibrated, for any score: the upper one if the new row has the event, else the lower one.
// Each of n + 1 rows in turn is the new one, so the test is exact: of the rows with probability p, the share p has the event.
TEST(VennAbers, TheRightEndIsPerfectlyCalibrated) {
  Random random(4);
  for (int again = 0; again < 40; ++again) {
    std::vector<VennAbers::Row> all;
    for (int i = 0; i < 150; ++i) {
      const auto score = static_cast<double>(random.below(again % 4 == 0 ? 5 : 500));
      all.push_back({{Side::above, score}, random.uniform() < 0.5 + 0.4 * std::sin(score / 60), 1});
    }
    std::map<long, std::pair<double, double>> found;  // p in millionths: rows, events
    for (std::size_t i = 0; i < all.size(); ++i) {
      auto others = all;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const auto [low, high] = VennAbers(others, 1).at(all[i].score);
      auto& [rows, events] = found[std::lround(1e6 * (all[i].event ? high : low))];
      ++rows;
      events += all[i].event ? 1 : 0;
    }
    for (const auto& [p, counted] : found) EXPECT_NEAR(static_cast<double>(p) / 1e6, counted.second / counted.first, 1e-6);
  }
}

// x and y given x. The prediction has an f(x) and a scale that need not be right.
struct Data {
  const char* name;
  std::function<double(double x, Random&)> y;
  std::function<double(double x)> f, scale;
  std::array<double, 3> values;
};

double poisson(double mean, Random& random) {
  double product = random.uniform();
  double count = 0;
  for (; product > std::exp(-mean); ++count) product *= random.uniform();
  return count;
}

const std::array<Data, 6>& six() {
  const auto one = [](double) { return 1.0; };
  static const std::array<Data, 6> all = {{
      {"70 % zeros",
       [](double x, Random& r) { return r.uniform() < 0.7 ? 0.0 : (1 + x) * -std::log(1 - r.uniform()); },
       [](double x) { return 0.3 * (1 + x); },
       one,
       {0, 0.5, 2}},
      {"heteroskedastic",
       [](double x, Random& r) { return x + (0.1 + 2 * x) * r.normal(); },
       [](double x) { return x; },
       one,
       {-0.5, 0.2, 1.5}},
      {"skewed",
       [](double x, Random& r) { return std::exp(x + 0.8 * r.normal()); },
       [](double x) { return std::exp(x); },
       [](double x) { return std::exp(x); },
       {1, 2, 5}},
      {"counts",
       [](double x, Random& r) { return poisson(0.5 + 3 * x, r); },
       [](double x) { return 0.5 + 3 * x; },
       [](double x) { return std::sqrt(0.5 + 3 * x); },
       {0, 2, 4.5}},
      {"heavy tails",
       [](double x, Random& r) { return x + r.normal() / std::max(1e-3, std::abs(r.normal())); },
       [](double x) { return x; },
       one,
       {-3, 0.5, 4}},
      {"two modes",
       [](double x, Random& r) { return x + (r.uniform() < 0.3 ? -2 : 2) + 0.3 * r.normal(); },
       [](double x) { return x + 0.8; },
       one,
       {-1, 0.5, 2.2}},
  }};
  return all;
}

struct Rows {
  std::unique_ptr<Transform> phi = transforms().make("exp");
  std::vector<double> f, y, g;

  Rows(const Data& data, Index count, Random& random) {
    g.resize(static_cast<std::size_t>(count));
    for (double& own : g) {
      const double x = random.uniform();
      f.push_back(data.f(x));
      y.push_back(data.y(x, random));
      phi->params_of_log_scale(std::log(data.scale(x)), &own);
    }
  }
  RowScore score(std::size_t i) const { return {f[i], 1, *phi, &g[i], &g[i]}; }
  std::vector<RowScore> scores() const {
    std::vector<RowScore> all;
    for (std::size_t i = 0; i < y.size(); ++i) all.push_back(score(i));
    return all;
  }
  ScoreDistribution distribution() const {
    std::vector<double> scores;
    std::vector<Side> sides;
    for (std::size_t i = 0; i < y.size(); ++i) {
      scores.push_back(score(i)(y[i]));
      sides.push_back(side_of(f[i], y[i]));
    }
    return ScoreDistribution(scores, sides);
  }
  ValueProbabilities values() const { return {scores(), y, std::vector<double>(y.size(), 1), 1}; }
};

// Rows in five bins by their predicted probability: the largest difference from the observed share beyond `allowed`, in standard
// errors; and Brier scores.
struct Reliability {
  std::array<double, 5> predicted{}, observed{}, rows{};
  double brier = 0, brier_of_ranks = 0, all = 0;

  void add(double p, double of_ranks, bool event) {
    const auto part = static_cast<std::size_t>(std::min(4.0, p * 5));
    predicted[part] += p;
    observed[part] += event ? 1 : 0;
    ++rows[part];
    brier += (p - (event ? 1 : 0)) * (p - (event ? 1 : 0));
    brier_of_ranks += (of_ranks - (event ? 1 : 0)) * (of_ranks - (event ? 1 : 0));
    ++all;
  }
  // The mean error over all rows. Rows of one calibration set are not independent, so its standard error is computed over sets.
  void end_set() {
    const double now = total(predicted) - total(observed);
    sets_sum += now - before;
    sets_squares += (now - before) * (now - before);
    ++sets;
    before = now;
  }
  double mean_error() const { return sets_sum / all; }
  double standard_error() const { return std::sqrt(sets_squares - sets_sum * sets_sum / sets) / all; }
  static double total(const std::array<double, 5>& parts) {
    double sum = 0;
    for (const double one : parts) sum += one;
    return sum;
  }
  double sets = 0, sets_sum = 0, sets_squares = 0, before = 0;

  double worst(double allowed) const {
    double worst = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i] < 50) continue;
      const double p = std::clamp(predicted[i] / rows[i], 0.01, 0.99), error = std::sqrt(p * (1 - p) / rows[i]);
      worst = std::max(worst, (std::abs(predicted[i] - observed[i]) / rows[i] - allowed) / error);
    }
    return worst;
  }
};

TEST(ValueProbabilities, AreCalibratedAtFixedValuesSlow) {
  for (const Index n : {60, 500})
    for (const Data& data : six()) {
      const Index again = (is_long() ? 1000 : n < 100 ? 200 : 60), fresh = 20;
      Random random(11 + static_cast<std::uint64_t>(n));
      std::array<Reliability, 3> found, of_ranks, sampled;
      for (Index k = 0; k < again; ++k) {
        const Rows calibration(data, n, random), news(data, fresh, random);
        const ScoreDistribution distribution = calibration.distribution();
        const ValueProbabilities values = calibration.values();
        for (std::size_t i = 0; i < news.y.size(); ++i) {
          const PredictiveDistribution row(distribution, news.score(i), whole_line, &values);
          double last = 0;
          for (std::size_t v = 0; v < 3; ++v) {
            const auto [low, p, high] = row.below(data.values[v]);
            EXPECT_LE(low, p);
            EXPECT_LE(p, high);
            EXPECT_LE(last, p);
            last = p;
            const bool event = news.y[i] <= data.values[v];
            const double raw = row.below_by_ranks(data.values[v]).value;
            found[v].add(p, raw, event);
            of_ranks[v].add(raw, raw, event);
            double share = 0;
            constexpr int draws = 40;
            for (int s = 0; s < draws; ++s) share += row.sample((s + 0.5) / draws) <= data.values[v] ? 1.0 / draws : 0;
            // Samples have the values of ranks, each of which has a probability of up to 1 / n.
            EXPECT_NEAR(share, p, 1.0 / draws + 1.0 / static_cast<double>(n)) << data.name;
            sampled[v].add(share, raw, event);
          }
        }
        for (std::size_t v = 0; v < 3; ++v)
          for (auto* one : {&found[v], &of_ranks[v], &sampled[v]}) one->end_set();
      }
      for (std::size_t v = 0; v < 3; ++v) {
        const double brier = found[v].brier / found[v].all, of_raw = found[v].brier_of_ranks / found[v].all;
        constexpr double allowed = 0.02;
        std::printf("%-16s n %3d v %4.1f: off by %+.3f (ranks %+.3f), in a part by %4.1f errors (%5.1f), brier %.4f (%.4f)\n",
                    data.name, static_cast<int>(n), data.values[v], found[v].mean_error(), of_ranks[v].mean_error(),
                    found[v].worst(allowed), of_ranks[v].worst(allowed), brier, of_raw);
        const std::string what = std::string(data.name) + " at " + std::to_string(data.values[v]) + " with " + std::to_string(n);
        for (const auto* one : {&found[v], &sampled[v]})
          EXPECT_LT(std::abs(one->mean_error()), 0.01 + 4.5 * one->standard_error()) << what;
        EXPECT_LT(brier, (n < 100 ? 1.08 : 1.025) * of_raw) << what;
        // With few rows isotonic regression overfits: which rows have a high probability is partly noise.
        if (n < 100) continue;
        EXPECT_LT(found[v].worst(allowed), 4.5) << what;
        EXPECT_LT(sampled[v].worst(allowed + 0.0125), 4.5) << what;  // in steps of 1 / 40
      }
    }
}

}  // namespace
}  // namespace taut
