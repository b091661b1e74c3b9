// Bounds that hold for every sequence: on misses at every issued level, with late outcomes, and with `at_least`.
#include <tests/time/sequences.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace taut {
namespace {

using namespace testing;

constexpr double unreachable = 600;  // no target has such a score

std::vector<double> many_levels() {
  std::vector<double> levels;
  for (int i = 0; i < 50; ++i) levels.push_back(0.5 + 0.49 * i / 49);
  return levels;
}

// Adversaries that see all thresholds. Each picks a level and goes just beyond its threshold, or far below if it cannot.
std::vector<Named> adversaries() {
  const auto beyond = [](double threshold) {
    return !(threshold > -30) ? -3.0 : threshold >= unreachable ? -3.0 : threshold + 0.001;
  };
  return {
      {"between the levels",
       [=](Random&, Index, std::span<const double> thresholds) {
         const double low = thresholds.front(), high = thresholds.back();
         return low < high && low > -30 && high < unreachable ? (low + high) / 2 : beyond(low);
       }},
      {"beyond the lowest", [=](Random&, Index, std::span<const double> thresholds) { return beyond(thresholds.front()); }},
      {"beyond the highest", [=](Random&, Index, std::span<const double> thresholds) { return beyond(thresholds.back()); }},
      {"beyond one at random",
       [=](Random& random, Index, std::span<const double> thresholds) {
         return beyond(thresholds[static_cast<std::size_t>(random.below(std::ssize(thresholds)))]);
       }},
      {"beyond one of the two ends in turn",
       [=](Random&, Index t, std::span<const double> thresholds) {
         return beyond(t / 100 % 2 == 0 ? thresholds.front() : thresholds.back());
       }},
      {"quiet, then beyond the highest",
       [=](Random& random, Index t, std::span<const double> thresholds) {
         return t < 9'700 ? usual_score(random) - 5 : beyond(thresholds.back());
       }},
      {"perfect, then beyond the highest",
       [=](Random&, Index t, std::span<const double> thresholds) { return t < 5'000 ? -infinity : beyond(thresholds.back()); }},
  };
}

// Sequences without an adversary on which levels cross.
std::vector<Named> crossings() {
  const auto alternating = [](Index rows) {
    return
        [rows](Random& random, Index t, std::span<const double>) { return usual_score(random) + (t / rows % 2 == 1 ? 2 : -2); };
  };
  return {
      {"variance that alternates", alternating(20)},
      {"variance that alternates slowly", alternating(250)},
      {"85 % zeros",
       [](Random& random, Index, std::span<const double>) { return random.uniform() < 0.85 ? -infinity : usual_score(random); }},
      {"perfect", [](Random&, Index, std::span<const double>) { return -infinity; }},
  };
}

std::vector<Named> all_sequences() {
  std::vector<Named> all = adversaries();
  for (const Named& named : crossings()) all.push_back(named);
  return all;
}

std::vector<std::string> moving_controllers() {
  std::vector<std::string> names;
  for (const auto& entry : controllers().entries())
    if (entry.name != "none") names.push_back(entry.example);
  return names;
}

// The bound on the excess misses of a controller, after any number of rows up to `rows`.
double bound_of(const std::string& controller, double level, Index rows, Index delay = 0) {
  const auto d = static_cast<double>(delay);
  if (controller == "dtaci") return 45 + 2 * d + 1 + d;
  if (controller == "pid") return std::numbers::pi / 2 * 3 * std::log(static_cast<double>(rows) + 10) + 2 * d + 1 + d;
  const double step = 0.02 / (1 + 4 * 0.02 * d);
  return (1 - level + step * (1 + d)) / step;
}

// Several levels at once: each keeps its coverage although sets are nested.
void expect_bounds(const std::vector<std::vector<double>>& lists_of_levels) {
  const Index count = is_long() ? 20 : 1;
  for (const std::string& controller : moving_controllers())
    for (const Named& named : all_sequences())
      for (const auto& levels : lists_of_levels)
        for (Index repetition = 0; repetition < count; ++repetition) {
          const auto found = run(named.source, {.controller = controller}, levels, static_cast<std::uint64_t>(repetition));
          for (std::size_t k = 0; k < levels.size(); ++k) {
            const std::string which =
                controller + ", " + named.name + ", level " + std::to_string(levels[k]) + " of " + std::to_string(levels.size());
            EXPECT_GE(found[k].coverage, levels[k] - 0.005) << which;
            // With many levels the sums of pid wind up while a level uses the larger set of a level below. It then covers too
            // often.
            EXPECT_LE(found[k].coverage, levels[k] + (controller == "pid" && levels.size() > 5 ? 0.015 : 0.005)) << which;
            EXPECT_LE(found[k].max_missed, bound_of(controller, levels[k], steps) + 1e-6) << which;
          }
        }
}

TEST(Bounds, HoldAtEveryLevelThatIsIssued) { expect_bounds({{0.9, 0.95}, {0.5, 0.8, 0.9, 0.95, 0.99}}); }

TEST(Bounds, HoldAtEveryOneOfManyLevelsSlow) { expect_bounds({many_levels()}); }

// After every row and for every level, excess misses are within the bound of a single level; a shortfall of misses may be k - 1
// steps larger.
TEST(Bounds, AciKeepsItsOwnExactlyAtEveryLevel) {
  constexpr double step = 0.02;
  for (const Named& named : all_sequences())
    for (const auto& levels : {std::vector{0.9, 0.95}, many_levels()}) {
      const auto found = run(named.source, {.controller = "aci:0.02"}, levels, 11);
      for (std::size_t k = 0; k < levels.size(); ++k) {
        EXPECT_LE(found[k].max_missed, (1 - levels[k] + step) / step + 1e-6) << named.name << ", " << levels[k];
        EXPECT_LE(found[k].max_held, (levels[k] + static_cast<double>(k + 1) * step) / step + 1e-6)
            << named.name << ", " << levels[k];
      }
    }
}

// A single level is bounded on both sides, because no other level enlarges its sets.
TEST(Bounds, HoldOnBothSidesForOneLevel) {
  for (const std::string controller : {"dtaci", "pid"})
    for (const Named& named : all_sequences())
      for (const double level : {0.5, 0.9, 0.99}) {
        const Walked found = run(named.source, {.controller = controller}, {level}, 12).front();
        EXPECT_LE(found.max_missed, bound_of(controller, level, steps)) << controller << ", " << named.name << ", " << level;
        EXPECT_LE(found.max_held, bound_of(controller, level, steps)) << controller << ", " << named.name << ", " << level;
      }
}

// Late outcomes: gains depend on the delay, so that levels do not oscillate where nothing drifts.
TEST(Delays, CostLittleWhereNothingDriftsSlow) {
  const Source exchangeable = sources().front().source;
  std::vector<Index> delays = {24, 336, 1000};
  if (is_long()) delays.push_back(10'000);
  for (const Index delay : delays)
    for (const std::string& controller : moving_controllers())
      for (const double level : {0.5, 0.9, 0.99}) {
        if (controller.starts_with("aci") && level == 0.99)
          continue;  // its step is large: see Controllers.AciGivesTheWholeLine...
        double moved = 0, fixed = 0;
        for (const std::uint64_t seed : {1, 2, 3}) {
          const Index rows = std::max(steps, 5 * delay);
          const Walked found = run(exchangeable, {.controller = controller, .delay = delay}, {level}, seed, rows).front();
          const Walked still =
              run(exchangeable, {.controller = "none", .delay = delay, .scorecast = false}, {level}, seed, rows).front();
          moved += found.width;
          fixed += still.width;
          const std::string which = controller + " at " + std::to_string(level) + ", delay " + std::to_string(delay);
          EXPECT_EQ(found.share_infinite, 0) << which;
          EXPECT_NEAR(found.coverage, level, 0.01) << which;
          EXPECT_GT(found.worst, -0.15) << which;
        }
        EXPECT_LE(moved / fixed, 1.03) << controller << " at " << level << ", delay " << delay;
      }
}

TEST(Delays, BoundMissesForEverySequenceSlow) {
  for (const Index delay : {5, 100})
    for (const std::string& controller : moving_controllers())
      for (const Named& named : all_sequences())
        for (const std::vector<double>& levels : {std::vector{0.9}, std::vector{0.8, 0.9}}) {
          const auto found = run(named.source, {.controller = controller, .delay = delay}, levels, 13);
          for (std::size_t k = 0; k < levels.size(); ++k)
            EXPECT_LE(found[k].max_missed, bound_of(controller, levels[k], steps, delay) + 1e-6)
                << controller << ", " << named.name << ", delay " << delay << ", level " << levels[k];
        }
}

// A change of the delay does not move any level at once, and leaves no sum that is too large for a smaller delay.
TEST(Delays, MayChangeOnTheWay) {
  for (const std::string& controller : moving_controllers()) {
    Random random(3);
    std::vector<SignedScore> scores;
    for (int i = 0; i < 1000; ++i) scores.push_back({Side::above, usual_score(random)});
    StreamSettings settings{.controller = controller, .delay = 500};
    LevelStream stream(settings, scores);
    stream.add_levels(std::vector{0.9});
    for (int i = 0; i < 3000; ++i) {
      (void)stream.thresholds();
      stream.learn(SignedScore{Side::above, usual_score(random) - 1});  // misses are rare, so sums grow
    }
    stream.catch_up();
    const double before = stream.asked()[0];
    settings.delay = 0;
    stream.change(settings);
    EXPECT_NEAR(stream.asked()[0], before, 1e-9) << controller;
    double covered = 0;
    for (int i = 0; i < 4000; ++i) {
      const double threshold = stream.thresholds()[0], score = usual_score(random);
      covered += score <= threshold ? 1.0 / 4000 : 0;
      stream.learn(SignedScore{Side::above, score});
    }
    EXPECT_NEAR(covered, 0.9, 0.02) << controller;
  }
}

// No set is empty, misses are bounded from above for every sequence, and if f is perfect nothing is missed.
TEST(AtLeast, BoundsMissesAndIsNeverEmptySlow) {
  for (const std::string& controller : moving_controllers())
    for (const Named& named : all_sequences())
      for (const auto& levels : {std::vector{0.9}, std::vector{0.5, 0.8, 0.9, 0.95, 0.99}})
        for (const Index delay : {0, 50}) {
          const auto found = run(named.source, {.controller = controller, .delay = delay, .at_least = true}, levels, 14);
          for (std::size_t k = 0; k < levels.size(); ++k) {
            const std::string which = controller + ", " + named.name + ", level " + std::to_string(levels[k]);
            EXPECT_EQ(found[k].share_empty, 0) << which;
            EXPECT_LE(found[k].max_missed, bound_of(controller, levels[k], steps, delay) + 1e-6) << which;
            if (named.name == "perfect") {
              EXPECT_EQ(found[k].coverage, 1) << which;
            }
          }
        }
}

// Where scores have no ties, the coverage is not above the level.
TEST(AtLeast, CostsNothingWhereNothingDrifts) {
  const Source exchangeable = sources().front().source;
  for (const std::string& controller : moving_controllers())
    for (const double level : {0.5, 0.9, 0.95}) {
      const Walked with = run(exchangeable, {.controller = controller, .at_least = true}, {level}, 15).front();
      const Walked without = run(exchangeable, {.controller = controller}, {level}, 15).front();
      EXPECT_NEAR(with.coverage, level, 0.005) << controller << " at " << level;
      EXPECT_LE(with.width, 1.001 * without.width) << controller << " at " << level;
    }
}

}  // namespace
}  // namespace taut
