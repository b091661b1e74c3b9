// What controllers promise: coverage in the long run whatever the scores do, and little cost where they do nothing.
#include <taut/core/random.hpp>
#include <taut/stream/level_stream.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace taut {
namespace {

constexpr Index steps = 10'000, calibrated = 1'000;

bool is_long() {
  const char* how = std::getenv("TAUT_VALIDATE");
  return how != nullptr && std::string(how) == "long";
}
Index repetitions() { return is_long() ? 200 : 6; }

double normal(Random& random) {
  return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(2 * 3.14159265358979323846 * random.uniform());
}

// A score of row t, given the threshold that was announced for it: an adversary may look.
using Source = std::function<double(Random&, Index t, double threshold)>;

double log_size(double value) { return std::log(std::abs(value)); }

struct Named {
  std::string name;
  Source source;
};

std::vector<Named> sources() {
  const auto scaled = [](auto scale) {
    return [scale](Random& random, Index t, double) { return log_size(normal(random)) + scale(static_cast<double>(t)); };
  };
  return {
      {"exchangeable", scaled([](double) { return 0.0; })},
      {"level shifts",
       [](Random& random, Index t, double) { return log_size(normal(random) + (t / 2500 % 2 == 1 ? 1.5 : 0)); }},
      {"drift", scaled([](double t) { return t / steps; })},
      {"variance doubles", scaled([](double t) { return t < steps / 2 ? 0 : std::log(2) / 2; })},
      {"season", scaled([](double t) { return 0.7 * std::sin(2 * 3.14159265358979323846 * t / 168); })},
      {"adversary who misses whenever it can",
       [](Random&, Index, double threshold) { return threshold < 3 ? 3.0 : -3.0; }},
      {"adversary who goes just beyond",
       [](Random& random, Index t, double threshold) {
         const double usual = log_size(normal(random));
         return t % 3 == 0 && std::isfinite(threshold) ? std::min(threshold + 0.01, 20.0) : usual;
       }},
      {"adversary of bursts",
       [](Random& random, Index t, double) { return log_size(normal(random)) + (t / 50 % 2 == 1 ? 1.0 : -1.0); }},
  };
}

struct Walked {
  double coverage = 0, width = 0, share_infinite = 0;
};

Walked run(const Source& source, const StreamSettings& settings, double confidence, std::uint64_t seed) {
  Random random(seed);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < calibrated; ++i) scores.push_back({Side::above, log_size(normal(random))});
  LevelStream stream(settings, scores);
  stream.add_levels(std::vector{confidence});
  Walked result;
  for (Index t = 0; t < steps; ++t) {
    const double threshold = stream.thresholds()[0];
    const double score = source(random, t, threshold);
    result.coverage += score <= threshold ? 1.0 / steps : 0;
    result.share_infinite += std::isinf(threshold) ? 1.0 / steps : 0;
    result.width += std::isfinite(threshold) ? std::exp(threshold) / steps : 0;
    stream.learn(SignedScore{Side::above, score});
  }
  return result;
}

TEST(Controllers, CoverInTheLongRunWhateverComes) {
  for (const auto& entry : controllers().entries()) {
    if (entry.name == "none") continue;
    for (const Named& named : sources())
      for (const double confidence : {0.9, 0.95}) {
        double farthest = 0, mean = 0;
        for (Index repetition = 0; repetition < repetitions(); ++repetition) {
          const Walked found =
              run(named.source, {.controller = entry.example}, confidence, static_cast<std::uint64_t>(repetition));
          EXPECT_NEAR(found.coverage, confidence, 0.005) << entry.name << ", " << named.name << ", repetition " << repetition;
          farthest = std::max(farthest, std::abs(found.coverage - confidence));
          mean += (found.coverage - confidence) / static_cast<double>(repetitions());
        }
        if (is_long())
          std::printf("%s at %g, %s: mean %+.5f, farthest %.5f\n", entry.example.c_str(), confidence, named.name.c_str(), mean,
                      farthest);
      }
  }
}

// Without a controller recent scores alone do not keep the level: the test above is no accident of the window.
TEST(Controllers, AreNeeded) {
  for (const Named& named : sources())
    if (named.name == "adversary who goes just beyond") {
      EXPECT_LT(run(named.source, {.controller = "none", .scorecast = false}, 0.9, 1).coverage, 0.88);
    }
}

// The bound of Gibbs and Candès (2021), for sequences of every kind.
TEST(Controllers, AciKeepsItsBoundExactly) {
  for (const double step : {0.005, 0.02, 0.1})
    for (const double alpha : {0.1, 0.4})
      for (int kind = 0; kind < 4; ++kind) {
        Random random(static_cast<std::uint64_t>(kind));
        const auto controller = controllers().make("aci:" + std::to_string(step));
        controller->start(1 - alpha);
        ScoreWindow window(100);
        for (int i = 0; i < 100; ++i) window.add(i);
        double misses = 0;
        for (int t = 1; t <= 3000; ++t) {
          const double threshold = controller->threshold(window);
          const double score = kind == 0   ? 1000.0
                               : kind == 1 ? -1.0
                               : kind == 2 ? (threshold < 99 ? 1000.0 : -1.0)
                                           : 100 * random.uniform();
          const Outcome outcome{score, threshold, window.p_value(score)};
          misses += outcome.missed() ? 1 : 0;
          controller->learn(outcome);
          const double bound = (std::max(alpha, 1 - alpha) + step) / (step * t);
          ASSERT_LE(std::abs(misses / t - alpha), bound + 1e-9) << "step " << step << ", row " << t << ", kind " << kind;
        }
      }
}

// Where nothing drifts adapting costs little: at most 3 % of the width that a fixed law has.
TEST(Controllers, CostLittleWhereNothingDrifts) {
  const Source exchangeable = sources().front().source;
  const Index count = is_long() ? 50 : 5;
  for (const double confidence : {0.8, 0.9, 0.95, 0.99}) {
    double moved = 0, fixed = 0;
    for (Index repetition = 0; repetition < count; ++repetition) {
      const auto seed = static_cast<std::uint64_t>(100 + repetition);
      const Walked of_default = run(exchangeable, {}, confidence, seed);
      EXPECT_EQ(of_default.share_infinite, 0) << confidence;
      moved += of_default.width;
      fixed += run(exchangeable, {.controller = "none", .scorecast = false}, confidence, seed).width;
    }
    EXPECT_LE(moved / fixed, 1.03) << confidence;
  }
}

TEST(Controllers, RefuseStepsThatMakeNoSense) {
  for (const char* wrong : {"aci:0", "aci:-1", "aci:2", "aci:x", "none:1", "nothing"})
    EXPECT_THROW(controllers().make(wrong), UsageError) << wrong;
}

}  // namespace
}  // namespace taut
