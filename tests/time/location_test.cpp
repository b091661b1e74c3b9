// Intervals that are shifted as a whole: they cover in the long run like those that are not, follow a level that has jumped, and
// stay where nothing has.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/time/control/level_stream.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace taut {
namespace {

constexpr Index rows_streamed = 10'000, rows_calibrated = 1'000;
constexpr double turn = 2 * 3.14159265358979323846;

bool at_length() {
  const char* how = std::getenv("TAUT_VALIDATE");
  return how != nullptr && std::string(how) == "long";
}

double drawn_normal(Random& random) { return std::sqrt(-2 * std::log(1 - random.uniform())) * std::cos(turn * random.uniform()); }

// The target of row t where f is 0, given the interval that was announced for it: an adversary may use it.
using Target = std::function<double(Random&, Index t, const Interval& interval)>;
struct Drift {
  std::string name;
  Target target;
};

std::vector<Drift> drifts() {
  const auto around = [](auto level, double scale_after = 1) {
    return [level, scale_after](Random& random, Index t, const Interval&) {
      return level(static_cast<double>(t)) + (t < rows_streamed / 2 ? 1 : scale_after) * drawn_normal(random);
    };
  };
  return {
      {"exchangeable", around([](double) { return 0.0; })},
      {"level jumps and comes back", around([](double t) { return static_cast<int>(t) / 1000 % 2 == 1 ? 6.0 : 0.0; })},
      {"level jumps far", around([](double t) { return t < 3000 ? 0.0 : 1e6; })},
      {"level drifts", around([](double t) { return t / 500; })},
      {"level jumps, variance doubles", around([](double t) { return t < 7000 ? 0.0 : -4.0; }, std::sqrt(2.0))},
      {"season", around([](double t) { return 2 * std::sin(turn * t / 168); })},
      {"skewed", [](Random& random, Index, const Interval&) { return -std::log(1 - random.uniform()); }},
      {"adversary who leads intervals away",
       [](Random& random, Index t, const Interval& interval) {
         const double usual = drawn_normal(random);
         return t % 3 == 0 && std::isfinite(interval.upper) ? std::min(interval.upper + 0.01, 1e6) : usual;
       }},
      {"adversary on both sides in turn",
       [](Random& random, Index t, const Interval& interval) {
         const double usual = drawn_normal(random);
         if (t % 3 != 0 || !std::isfinite(interval.width())) return usual;
         return t / 60 % 2 == 0 ? std::min(interval.upper + 0.01, 1e6) : std::max(interval.lower - 0.01, -1e6);
       }},
  };
}

struct Moved {
  double coverage = 0, width = 0, shift = 0;
};

// The coverage of the rows from `first` on, the mean width of their intervals and the mean shift of f.
Moved moved(const Target& target, const StreamSettings& settings, double confidence, std::uint64_t seed, Index first = 0) {
  Random random(seed);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < rows_calibrated; ++i) {
    const double y = target(random, 0, {-1, 1});
    scores.push_back({y < 0 ? Side::below : Side::above, std::log(std::abs(y))});
  }
  LevelStream stream(settings, scores);
  stream.add_levels(std::vector{confidence});
  Moved result;
  for (Index t = 0; t < rows_streamed; ++t) {
    const double reach = std::exp(stream.thresholds()[0]), shift = stream.shift();
    const Interval interval = std::isnan(reach) ? Interval{infinity, -infinity} : Interval{shift - reach, shift + reach};
    const double y = target(random, t, interval), score = std::log(std::abs(y - shift));
    stream.learn(SignedScore{y < 0 ? Side::below : Side::above, std::log(std::abs(y))},
                 StreamError{y, std::exp(stream.usual_score()), score});
    if (t < first) continue;
    const double part = 1 / static_cast<double>(rows_streamed - first);
    result.coverage += score <= std::log(reach) ? part : 0;
    result.width += std::isfinite(interval.width()) ? part * interval.width() : 0;
    result.shift += part * std::abs(shift);
  }
  return result;
}

void expect_moved_coverage(Index repetitions) {
  for (const auto& entry : controllers().entries()) {
    if (entry.name == "none") continue;
    for (const Drift& drift : drifts())
      for (const double confidence : {0.9, 0.95}) {
        double farthest = 0;
        for (Index repetition = 0; repetition < repetitions; ++repetition) {
          const double coverage =
              moved(drift.target, {.controller = entry.example}, confidence, static_cast<std::uint64_t>(repetition)).coverage;
          EXPECT_NEAR(coverage, confidence, 0.005) << entry.name << ", " << drift.name << ", repetition " << repetition;
          farthest = std::max(farthest, std::abs(coverage - confidence));
        }
        if (at_length())
          std::printf("%s at %g, %s: farthest %.5f\n", entry.example.c_str(), confidence, drift.name.c_str(), farthest);
      }
  }
}

TEST(Location, CoversInTheLongRunWhateverComes) { expect_moved_coverage(1); }

TEST(Location, CoversInManyLongRunsWhateverComesSlow) { expect_moved_coverage(at_length() ? 200 : 3); }

// After a permanent jump, intervals that are not shifted stay wide on both sides.
TEST(Location, FollowsALevelThatHasJumped) {
  for (const double jump : {6.0, -6.0, 100.0}) {
    const auto target = [jump](Random& random, Index t, const Interval&) { return (t < 2000 ? 0 : jump) + drawn_normal(random); };
    const Moved with = moved(target, {}, 0.9, 1, 4000), without = moved(target, {.recentre = false}, 0.9, 1, 4000);
    EXPECT_NEAR(with.shift, std::abs(jump), 0.3) << jump;
    EXPECT_LT(with.width, 1.1 * 2 * 1.645) << jump;
    EXPECT_GT(without.width, 2 * std::abs(jump) + 1) << jump;
  }
}

TEST(Location, CostsLittleWhereNothingDrifts) {
  for (const double confidence : {0.8, 0.9, 0.95, 0.99})
    for (const std::size_t still : {std::size_t{0}, std::size_t{6}}) {
      double with = 0, fixed = 0;
      for (std::uint64_t seed = 100; seed < 105; ++seed) {
        with += moved(drifts()[still].target, {}, confidence, seed).width;
        fixed +=
            moved(drifts()[still].target, {.controller = "none", .scorecast = false, .recentre = false}, confidence, seed).width;
      }
      EXPECT_LE(with / fixed, 1.03) << confidence << ", " << drifts()[still].name;
    }
}

std::string bytes_after(LevelStream& stream, std::span<const double> errors, std::vector<double>* shifts) {
  for (const double error : errors) {
    (void)stream.thresholds();
    if (shifts != nullptr) shifts->push_back(stream.shift());
    stream.learn(SignedScore{error < 0 ? Side::below : Side::above, std::log(std::abs(error))},
                 StreamError{error, std::exp(stream.usual_score()), std::log(std::abs(error - stream.shift()))});
  }
  Archive archive;
  stream.save(archive.scope("stream"));
  return archive.encode();
}

TEST(Location, KnowsNoTargetBeforeItsTimeAndGoesOnAfterAFile) {
  Random random(5);
  std::vector<SignedScore> scores;
  for (int i = 0; i < 200; ++i) scores.push_back({Side::above, std::log(random.uniform())});
  std::vector<double> errors;
  for (int i = 0; i < 300; ++i) errors.push_back((i < 100 ? 0 : 4) + 2 * random.uniform() - 1);
  for (const Index delay : {Index{0}, Index{7}}) {
    const auto begun = [&] {
      LevelStream stream({.delay = delay}, scores);
      stream.add_levels(std::vector{0.5, 0.9});
      return stream;
    };
    LevelStream whole = begun(), first = begun(), other = begun();
    std::vector<double> shifts, of_other;
    const std::string expected = bytes_after(whole, errors, &shifts);
    LevelStream rest =
        LevelStream::load(Archive::decode(bytes_after(first, std::span(errors).first(130), nullptr)).scope("stream"));
    EXPECT_EQ(bytes_after(rest, std::span(errors).subspan(130), nullptr), expected) << delay;
    auto changed = errors;
    for (std::size_t i = 150; i < changed.size(); ++i) changed[i] = -changed[i];
    bytes_after(other, changed, &of_other);
    const auto same = static_cast<std::ptrdiff_t>(150 + 1 + delay);
    EXPECT_TRUE(std::equal(shifts.begin(), shifts.begin() + same, of_other.begin())) << delay;
    EXPECT_NE(shifts, of_other) << delay;
    EXPECT_NE(shifts[149], 0) << delay;
  }
}

TEST(Location, IgnoresErrorsThatSayNothing) {
  Location location;
  const auto before = location.state();
  for (const StreamError& row : {StreamError{1, 0, 0}, {1, infinity, 0}, {infinity, 1, 0}, {1, -1, 0}})
    location.learn(row, location.means());
  EXPECT_EQ(location.state(), before);
  EXPECT_EQ(location.shift(), 0);
}

TEST(Location, RefusesStatesThatItCannotHave) {
  Location location;
  const auto state = location.state();
  for (std::size_t i = 0; i < state.size(); ++i) {
    auto wrong = state;
    wrong[i] = missing;
    EXPECT_THROW(location.restore(wrong), Error);
  }
  auto wrong = state;
  wrong.back() = 0;
  EXPECT_THROW(location.restore(wrong), Error);
  wrong.pop_back();
  EXPECT_THROW(location.restore(wrong), Error);
}

}  // namespace
}  // namespace taut
