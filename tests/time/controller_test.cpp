// Properties of controllers: coverage in the long run for any scores, and little cost where nothing drifts.
#include <tests/time/sequences.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

namespace taut {
namespace {

using namespace testing;

void expect_coverage_in_the_long_run(Index count) {
  for (const auto& entry : controllers().entries()) {
    if (entry.name == "none") continue;
    for (const Named& named : sources())
      for (const double confidence : {0.9, 0.95}) {
        double farthest = 0, mean = 0;
        for (Index repetition = 0; repetition < count; ++repetition) {
          const Walked found =
              run(named.source, {.controller = entry.example}, {confidence}, static_cast<std::uint64_t>(repetition)).front();
          EXPECT_NEAR(found.coverage, confidence, 0.005) << entry.name << ", " << named.name << ", repetition " << repetition;
          farthest = std::max(farthest, std::abs(found.coverage - confidence));
          mean += (found.coverage - confidence) / static_cast<double>(count);
        }
        if (is_long())
          std::printf("%s at %g, %s: mean %+.5f, farthest %.5f\n", entry.example.c_str(), confidence, named.name.c_str(), mean,
                      farthest);
      }
  }
}

TEST(Controllers, CoverInTheLongRunWhateverComes) { expect_coverage_in_the_long_run(2); }

TEST(Controllers, CoverInManyLongRunsWhateverComesSlow) { expect_coverage_in_the_long_run(repetitions()); }

// Without a controller recent scores alone do not keep the level: the test above does not pass because of the window.
TEST(Controllers, AreNeeded) {
  for (const Named& named : sources())
    if (named.name == "adversary who goes just beyond") {
      EXPECT_LT(run(named.source, {.controller = "none", .scorecast = false}, {0.9}, 1).front().coverage, 0.88);
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
          const Outcome outcome{window.p_value(score), !(score <= threshold)};
          misses += outcome.missed ? 1 : 0;
          controller->learn(outcome);
          const double bound = (std::max(alpha, 1 - alpha) + step) / (step * t);
          ASSERT_LE(std::abs(misses / t - alpha), bound + 1e-9) << "step " << step << ", row " << t << ", kind " << kind;
        }
      }
}

// Where nothing drifts, adapting costs at most 3 % of the width of a fixed level. With heavy tails the mean width is dominated by
// the widest intervals, and the cost is that of docs/guarantees.md. Scores are sizes or their logarithms.
void expect_little_cost(bool as_logarithm) {
  struct Promise {
    std::string controller;
    double (*error)(Random&);
    double confidence, at_most;
  };
  std::vector<Promise> promises;
  for (const double confidence : {0.8, 0.9, 0.95, 0.99}) {
    promises.push_back({"dtaci", normal, confidence, 1.03});
    promises.push_back({"pid", normal, confidence, 1.03});
    promises.push_back({"pid", student, confidence, 1.03});
    promises.push_back({"dtaci", student, confidence, confidence < 0.99 ? 1.04 : 1.08});
    promises.push_back({"pid", cauchy, confidence, 1.15});
    if (confidence < 0.99) promises.push_back({"dtaci", cauchy, confidence, 1.2});
  }
  const Index count = is_long() ? 50 : 4;
  for (const Promise& promise : promises) {
    const auto score = [&](Random& random) {
      const double size = std::abs(promise.error(random));
      return as_logarithm ? std::log(size) : size;
    };
    const Source source = [&](Random& random, Index, std::span<const double>) { return score(random); };
    double moved = 0, fixed = 0;
    for (Index repetition = 0; repetition < count; ++repetition) {
      const auto seed = static_cast<std::uint64_t>(100 + repetition);
      const auto width = [&](const StreamSettings& settings) {
        return run(source, settings, {promise.confidence}, seed, steps, as_logarithm ? width_of_logarithm : width_of_size, score)
            .front();
      };
      const Walked own = width({.controller = promise.controller});
      EXPECT_EQ(own.share_infinite, 0) << promise.controller << " at " << promise.confidence;
      moved += own.width;
      fixed += width({.controller = "none", .scorecast = false}).width;
    }
    EXPECT_LE(moved / fixed, promise.at_most) << promise.controller << " at " << promise.confidence << ", up to "
                                              << promise.at_most << (as_logarithm ? ", logarithms" : "");
  }
}

TEST(Controllers, CostLittleWhereNothingDriftsSlow) { expect_little_cost(/*as_logarithm=*/true); }

TEST(Controllers, CostLittleWhereNothingDriftsInSizesSlow) { expect_little_cost(/*as_logarithm=*/false); }

// The price of aci's bound: a miss costs γ, so a level near 1 gives the whole line until that is compensated. A step of at most a
// tenth of α* avoids it.
TEST(Controllers, AciGivesTheWholeLineWhereItsStepIsLarge) {
  const Source exchangeable = sources().front().source;
  EXPECT_GT(run(exchangeable, {.controller = "aci:0.02"}, {0.99}, 1).front().share_infinite, 0.1);
  for (const double confidence : {0.9, 0.95, 0.99}) {
    const Walked found =
        run(exchangeable, {.controller = "aci:" + std::to_string((1 - confidence) / 10)}, {confidence}, 1).front();
    EXPECT_LT(found.share_infinite, 0.001) << confidence;
  }
}

TEST(Controllers, RefuseStepsThatMakeNoSense) {
  for (const char* wrong : {"aci:0", "aci:-1", "aci:2", "aci:x", "none:1", "nothing"})
    EXPECT_THROW(controllers().make(wrong), UsageError) << wrong;
}

}  // namespace
}  // namespace taut
