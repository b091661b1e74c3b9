#include <taut/core/random.hpp>
#include <taut/time/control/level_stream.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

std::vector<SignedScore> some_scores(Index count, std::uint64_t seed) {
  Random random(seed);
  std::vector<SignedScore> scores;
  for (Index i = 0; i < count; ++i)
    scores.push_back(
        {random.uniform() < 0.5 ? Side::below : Side::above, std::log(random.uniform()) + static_cast<double>(i % 50) / 25});
  return scores;
}

std::vector<StreamSettings> many_settings() {
  std::vector<StreamSettings> all;
  for (const auto& entry : controllers().entries())
    for (const Index delay : {Index{0}, Index{7}})
      for (const double half_life : {0.0, 30.0})
        for (const bool scorecast : {false, true})
          for (const bool at_least : {false, true})
            all.push_back({.controller = entry.example,
                           .window = 80,
                           .half_life = half_life,
                           .delay = delay,
                           .scorecast = scorecast,
                           .at_least = at_least});
  return all;
}

std::string name_of(const StreamSettings& settings) {
  return settings.controller + ", delay " + std::to_string(settings.delay) + ", half-life " + std::to_string(settings.half_life) +
         (settings.scorecast ? ", scorecast" : "") + (settings.at_least ? ", at least" : "");
}

constexpr double levels[] = {0.5, 0.9, 0.95};

// Every fifth row has no target.
std::vector<std::vector<double>> walk(LevelStream& stream, std::span<const SignedScore> scores, Index first = 0) {
  std::vector<std::vector<double>> answers;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto thresholds = stream.thresholds();
    answers.emplace_back(thresholds.begin(), thresholds.end());
    stream.learn((first + static_cast<Index>(i)) % 5 == 4 ? std::nullopt : std::optional(scores[i]));
  }
  return answers;
}

LevelStream begun(const StreamSettings& settings) {
  LevelStream stream(settings, some_scores(60, 1));
  stream.add_levels(levels);
  return stream;
}

std::string bytes_of(const LevelStream& stream) {
  Archive archive;
  stream.save(archive.scope("stream"));
  return archive.encode();
}

TEST(LevelStream, GoesOnAfterAFileAsIfThereHadBeenNone) {
  for (const StreamSettings& settings : many_settings()) {
    const auto scores = some_scores(300, 2);
    LevelStream whole = begun(settings), cut = begun(settings);
    const auto expected = walk(whole, scores);
    std::vector<std::vector<double>> found;
    for (const auto& [begin, end] : {std::pair{0, 1}, {1, 100}, {100, 203}, {203, 300}}) {
      const auto part =
          walk(cut, std::span(scores).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin)), begin);
      found.insert(found.end(), part.begin(), part.end());
      cut = LevelStream::load(Archive::decode(bytes_of(cut)).scope("stream"));
    }
    EXPECT_EQ(found, expected) << name_of(settings);
    EXPECT_EQ(bytes_of(cut), bytes_of(whole)) << name_of(settings);
  }
}

TEST(LevelStream, NeverLooksAhead) {
  for (const StreamSettings& settings : many_settings()) {
    const auto scores = some_scores(200, 3);
    auto other = scores;
    for (std::size_t i = 120; i < other.size(); ++i) other[i].score = -other[i].score * 3;
    LevelStream a = begun(settings), b = begun(settings);
    const auto first = walk(a, scores), second = walk(b, other);
    // A target is learnt from at the earliest `delay` rows after its own, so the next `delay` rows are the same too.
    const auto same = static_cast<std::ptrdiff_t>(120 + 1 + settings.delay);
    EXPECT_TRUE(std::equal(first.begin(), first.begin() + same, second.begin())) << name_of(settings);
    EXPECT_NE(first, second) << name_of(settings);
  }
}

TEST(LevelStream, LearnsFromALateTargetLate) {
  for (const StreamSettings& settings : many_settings()) {
    const auto scores = some_scores(200, 4);
    auto other = scores;
    other[100].score += 50;
    LevelStream a = begun(settings), b = begun(settings);
    const auto first = walk(a, scores), second = walk(b, other);
    std::size_t changed = 0;
    while (changed < first.size() && first[changed] == second[changed]) ++changed;
    EXPECT_GE(changed, static_cast<std::size_t>(101 + settings.delay)) << name_of(settings);
    if (settings.controller != "none") {
      EXPECT_EQ(changed, static_cast<std::size_t>(101 + settings.delay)) << name_of(settings);
    }
  }
}

// A level that was raised far for the scores of one model is not kept for another model, but its misses still have to be
// compensated.
TEST(LevelStream, GoesOnWithAnotherModel) {
  Random random(21);
  const auto scores = [&](double size) {
    std::vector<SignedScore> all;
    for (int i = 0; i < 1000; ++i) all.push_back({Side::above, size * random.uniform()});
    return all;
  };
  LevelStream before({}, scores(1));
  before.add_levels(std::vector{0.9});
  for (int i = 0; i < 40; ++i) {  // every target is far outside
    const double threshold = before.thresholds()[0];
    before.learn(SignedScore{Side::above, threshold + 1});
  }
  EXPECT_GT(before.asked()[0], 1 - 1e-6);
  before.catch_up();
  LevelStream after({}, scores(5));
  after.continue_from(std::move(before));
  EXPECT_EQ(after.rows(), 40);
  EXPECT_LE(after.thresholds()[0], 6);
  EXPECT_GT(after.asked()[0], 0.98);
  EXPECT_LT(after.asked()[0], 0.9999);
  // A late target moves the level, but its score comes from the previous model and is not among the recent scores.
  LevelStream late({.delay = 3}, scores(1)), next({.delay = 3}, scores(5));
  late.add_levels(std::vector{0.9});
  for (int i = 0; i < 3; ++i) {
    (void)late.thresholds();
    late.learn(SignedScore{Side::above, 1000});
  }
  next.continue_from(std::move(late));
  const double asked = next.asked()[0];
  for (int i = 0; i < 3; ++i) {
    (void)next.thresholds();
    next.learn({});
  }
  (void)next.thresholds();
  EXPECT_EQ(next.targets(), 3);
  EXPECT_GT(next.asked()[0], asked);
  for (const SignedScore& score : next.scores()) EXPECT_LE(score.score, 5);
}

TEST(LevelStream, StaysNested) {
  for (const StreamSettings& settings : many_settings()) {
    LevelStream stream = begun(settings);
    for (const auto& thresholds : walk(stream, some_scores(400, 5)))
      for (std::size_t i = 1; i < thresholds.size(); ++i)
        EXPECT_TRUE(std::isnan(thresholds[i - 1]) || thresholds[i - 1] <= thresholds[i]) << name_of(settings);
  }
}

TEST(LevelStream, TakesFurtherLevelsOnTheWay) {
  for (const StreamSettings& settings : many_settings()) {
    LevelStream stream = begun(settings);
    walk(stream, some_scores(50, 6));
    const double more[] = {0.8, 0.9};
    stream.add_levels(more);
    EXPECT_EQ(stream.levels(), (std::vector{0.5, 0.8, 0.9, 0.95}));
    const auto answers = walk(stream, some_scores(50, 7), 50);
    EXPECT_EQ(answers.back().size(), 4u);
    const LevelStream again = LevelStream::load(Archive::decode(bytes_of(stream)).scope("stream"));
    EXPECT_EQ(bytes_of(again), bytes_of(stream)) << name_of(settings);
  }
}

TEST(LevelStream, HoldsNoMoreThanItsWindow) {
  LevelStream stream({.window = 50}, some_scores(500, 8));
  stream.add_levels(levels);
  walk(stream, some_scores(500, 9));
  EXPECT_EQ(stream.scores().size(), 50u);
}

// The set of a level is at least as large as those of the levels below it, and all levels learn from the sets that were issued.
TEST(LevelStream, LearnsFromWhatWasIssued) {
  for (const StreamSettings& settings : many_settings()) {
    if (settings.controller == "none") continue;
    LevelStream stream = begun(settings), with_index = begun(settings), other = begun(settings);
    for (const SignedScore& score : some_scores(100, 11)) {
      const auto thresholds = stream.thresholds();
      (void)with_index.thresholds();
      (void)other.thresholds();
      const auto first = std::find_if(thresholds.begin(), thresholds.end(), [&](double one) { return score.score <= one; });
      EXPECT_EQ(stream.first_covering(score.score), first - thresholds.begin());
      stream.learn(score);
      with_index.learn(score, {}, first - thresholds.begin());
      other.learn(score, {}, 0);  // as if the set had contained every target
    }
    EXPECT_EQ(bytes_of(with_index), bytes_of(stream)) << name_of(settings);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_LT(other.asked()[i], stream.asked()[i]) << name_of(settings);
  }
}

TEST(LevelStream, RefusesDamagedFiles) {
  LevelStream stream = begun({.window = 80, .delay = 3});
  walk(stream, some_scores(40, 10));
  Archive archive;
  stream.save(archive);
  for (const auto& name : archive.names()) {
    Archive damaged = Archive::decode(archive.encode());
    damaged.put(name, std::vector<double>{missing});
    EXPECT_THROW(LevelStream::load(damaged), Error) << name;
  }
}

TEST(LevelStream, RefusesSettingsThatMakeNoSense) {
  for (const StreamSettings& wrong :
       {StreamSettings{.controller = "x"}, {.window = 3}, {.half_life = -1}, {.half_life = 0.5}, {.delay = -1}})
    EXPECT_THROW(wrong.check(), UsageError);
}

}  // namespace
}  // namespace taut
