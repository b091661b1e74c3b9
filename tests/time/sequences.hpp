// Sequences of scores, random and adversarial, and a run of a stream along them.
#pragma once

#include <taut/core/random.hpp>
#include <taut/time/control/level_stream.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <string>

namespace taut::testing {

constexpr Index steps = 10'000, calibrated = 1'000;

inline bool is_long() {
  const char* how = std::getenv("TAUT_VALIDATE");
  return how != nullptr && std::string(how) == "long";
}
inline Index repetitions() { return is_long() ? 200 : 6; }

inline double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * 3.14159265358979323846 * random.uniform());
}

inline double student(Random& random) {  // three degrees of freedom
  double squares = 0;
  for (int i = 0; i < 3; ++i) squares += std::pow(normal(random), 2) / 3;
  return normal(random) / std::sqrt(squares);
}
inline double cauchy(Random& random) { return std::tan(3.14159265358979323846 * (random.uniform() - 0.5)); }

// The score of row t, given the ascending thresholds that were announced for it: an adversary may use them.
using Source = std::function<double(Random&, Index t, std::span<const double> thresholds)>;

inline double log_size(double value) { return std::log(std::abs(value)); }

struct Named {
  std::string name;
  Source source;
};

inline std::vector<Named> sources() {
  const auto scaled = [](auto scale) {
    return [scale](Random& random, Index t, std::span<const double>) {
      return log_size(normal(random)) + scale(static_cast<double>(t));
    };
  };
  return {
      {"exchangeable", scaled([](double) { return 0.0; })},
      {"level shifts",
       [](Random& random, Index t, std::span<const double>) { return log_size(normal(random) + (t / 2500 % 2 == 1 ? 1.5 : 0)); }},
      {"drift", scaled([](double t) { return t / steps; })},
      {"variance doubles", scaled([](double t) { return t < steps / 2 ? 0 : std::log(2) / 2; })},
      {"season", scaled([](double t) { return 0.7 * std::sin(2 * 3.14159265358979323846 * t / 168); })},
      {"adversary who misses whenever it can",
       [](Random&, Index, std::span<const double> thresholds) { return thresholds.back() < 3 ? 3.0 : -3.0; }},
      {"adversary who goes just beyond",
       [](Random& random, Index t, std::span<const double> thresholds) {
         const double usual = log_size(normal(random)), threshold = thresholds.back();
         return t % 3 == 0 && std::isfinite(threshold) ? std::min(threshold + 0.01, 20.0) : usual;
       }},
      {"adversary of bursts", [](Random& random, Index t,
                                 std::span<const double>) { return log_size(normal(random)) + (t / 50 % 2 == 1 ? 1.0 : -1.0); }},
  };
}

// The score of a calibration row, before any drift.
inline double usual_score(Random& random) { return log_size(normal(random)); }

struct Walked {
  double coverage = 0, width = 0, share_infinite = 0, share_empty = 0;
  double worst = 0;                     // rolling coverage of 500 rows, less the level
  double max_missed = 0, max_held = 0;  // at any row: misses beyond those allowed, and covered rows beyond them
};

inline double width_of_logarithm(double threshold) { return std::exp(threshold); }
inline double width_of_size(double threshold) { return std::max(threshold, 0.0); }

// Results for each level. Mean widths are of finite sets. `calibration` samples the scores before the first row.
inline std::vector<Walked> run(const Source& source, const StreamSettings& settings, const std::vector<double>& levels,
                               std::uint64_t seed, Index rows = steps, double (*width)(double) = width_of_logarithm,
                               const std::function<double(Random&)>& calibration = usual_score) {
  Random random(seed);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < calibrated; ++i) scores.push_back({Side::above, calibration(random)});
  LevelStream stream(settings, scores);
  stream.add_levels(levels);
  std::vector<Walked> result(levels.size());
  std::vector<std::vector<Index>> covered(levels.size(), {0});
  for (Index t = 0; t < rows; ++t) {
    const auto thresholds = stream.thresholds();
    const double score = source(random, t, thresholds);
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const double threshold = thresholds[k];
      covered[k].push_back(covered[k].back() + (score <= threshold ? 1 : 0));
      result[k].share_infinite += threshold == infinity ? 1 : 0;
      result[k].share_empty += std::isnan(threshold) ? 1 : 0;
      result[k].width += std::isnan(threshold) || threshold == infinity ? 0 : width(threshold);
      const double missed = levels[k] * static_cast<double>(t + 1) - static_cast<double>(covered[k].back());
      result[k].max_missed = std::max(result[k].max_missed, missed);
      result[k].max_held = std::max(result[k].max_held, -missed);
    }
    stream.learn(SignedScore{Side::above, score});
  }
  const auto all = static_cast<double>(rows);
  for (std::size_t k = 0; k < levels.size(); ++k) {
    Walked& one = result[k];
    one.coverage = static_cast<double>(covered[k].back()) / all;
    one.width /= std::max(1.0, all - one.share_infinite);
    one.share_infinite /= all;
    one.share_empty /= all;
    for (std::size_t end = 500; end < covered[k].size(); ++end)
      one.worst = std::min(one.worst, static_cast<double>(covered[k][end] - covered[k][end - 500]) / 500 - levels[k]);
  }
  return result;
}

}  // namespace taut::testing
