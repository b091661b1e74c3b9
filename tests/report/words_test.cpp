#include <taut/report/words.hpp>

#include <taut/report/facts.hpp>
#include <taut/report/page.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

std::string all(const Answer& answer) {
  std::string text = answer.headline;
  for (const auto& sentence : answer.sentences) text += " " + sentence;
  return text;
}

bool says(const Answer& answer, const std::string& words) { return all(answer).find(words) != std::string::npos; }

AnswerFigures good_figures() {
  AnswerFigures figures;
  figures.confidence = 0.9;
  figures.rows = 4323;
  figures.calibration_rows = 400;
  figures.rank = 361;
  figures.coverage = 0.9021;
  figures.coverage_low = 0.8906;
  figures.coverage_high = 0.9092;
  figures.mean_width = 62;
  figures.same_width = 100;
  figures.easiest = 12.34;
  figures.hardest = 123456;
  figures.unit = "EUR";
  return figures;
}

TEST(Words, GoodNews) {
  const Answer words = answer(good_figures());
  EXPECT_EQ(words.tone, "good");
  EXPECT_EQ(words.headline, "9 of 10 new cases will fall in their interval.");
  EXPECT_EQ(words.sentences[0], "On 4,323 test rows 90.2 % did (expected between 89.1 and 90.9 %).");
  EXPECT_EQ(
      words.sentences[1],
      "Intervals are 38 % narrower on average than one width for all rows that covers as many of them: from 12.3 EUR for the "
      "easiest tenth of the rows to 123,000 EUR for the hardest.");
  EXPECT_EQ(words.sentences.size(), 2U);
}

TEST(Words, TheBandIsPartOfTheGoodNews) {
  AnswerFigures figures = good_figures();
  figures.coverage = figures.coverage_low;
  EXPECT_EQ(answer(figures).tone, "good");
  figures.coverage = figures.coverage_high;
  EXPECT_EQ(answer(figures).tone, "good");
}

TEST(Words, BadNewsSaysWhatItMeansAndWhatToDo) {
  AnswerFigures figures = good_figures();
  figures.coverage = 0.89;
  const Answer words = answer(figures);
  EXPECT_EQ(words.tone, "low");
  EXPECT_TRUE(says(words, "Fewer cases than promised")) << all(words);
  EXPECT_TRUE(says(words, "89.0 % did, where 90 % were promised")) << all(words);
  EXPECT_TRUE(says(words, "probably not exchangeable")) << all(words);
  EXPECT_TRUE(says(words, "'taut calibrate'")) << all(words);
  EXPECT_FALSE(says(words, "narrower")) << all(words);  // no praise beside it
}

TEST(Words, TooMuchCoverageIsExplainedBySteps) {
  AnswerFigures figures = good_figures();
  figures.coverage = 0.95;
  EXPECT_EQ(answer(figures).tone, "high");
  EXPECT_TRUE(says(answer(figures), "not exchangeable"));
  figures.range_restricts = true;
  EXPECT_FALSE(says(answer(figures), "not exchangeable"));
  EXPECT_TRUE(says(answer(figures), "steps or limits"));
}

TEST(Words, TooFewCalibrationRows) {
  AnswerFigures figures = good_figures();
  figures.calibration_rows = 8;
  figures.rank = 9;
  const Answer words = answer(figures);
  EXPECT_EQ(words.tone, "none");
  EXPECT_TRUE(says(words, "8 calibration rows cannot promise 90 %")) << all(words);
  EXPECT_TRUE(says(words, "At least 9 are needed")) << all(words);
}

TEST(Words, WiderSameAndFixed) {
  AnswerFigures figures = good_figures();
  figures.mean_width = 104;
  EXPECT_TRUE(says(answer(figures), "4 % wider on average than one width")) << all(answer(figures));
  figures.mean_width = 100.2;
  EXPECT_TRUE(says(answer(figures), "as wide as one width for all rows")) << all(answer(figures));
  figures.adapts = false;
  EXPECT_TRUE(says(answer(figures), "Every interval is 100 EUR wide")) << all(answer(figures));
}

TEST(Words, WeakRegionsInfiniteSetsAndFewRows) {
  AnswerFigures figures = good_figures();
  figures.weak_region = "grade ≥ 11";
  figures.weak_share = "81.0 % of 96 rows";
  figures.infinite = 3;
  figures.rows = 20;
  const Answer words = answer(figures);
  EXPECT_TRUE(says(words, "But not everywhere: where grade ≥ 11, only 81.0 % of 96 rows did.")) << all(words);
  EXPECT_TRUE(says(words, "3 intervals have no end")) << all(words);
  EXPECT_TRUE(says(words, "With so few test rows")) << all(words);
}

TEST(Words, Numbers) {
  EXPECT_EQ(spoken(0), "0");
  EXPECT_EQ(spoken(0.012345), "0.0123");
  EXPECT_EQ(spoken(-4.5678), "−4.57");
  EXPECT_EQ(spoken(999.9), "1,000");
  EXPECT_EQ(spoken(1234567), "1,230,000");
  EXPECT_EQ(spoken(1.5e-7), "1.5e-07");
  EXPECT_EQ(spoken(infinity), "infinity");
  EXPECT_EQ(spoken(missing), "unknown");
  EXPECT_EQ(spoken(1234.5, 6), "1234.5");
  EXPECT_EQ(spoken_with(3, "mm"), "3 mm");
  EXPECT_EQ(spoken_with(infinity, "mm"), "infinity");
  EXPECT_EQ(spoken_share(0.9017), "90.2 %");
  EXPECT_EQ(spoken_share(0.9125), "91.3 %");
  EXPECT_EQ(spoken_share(1), "100.0 %");
  EXPECT_EQ(spoken_share(0.99999), "99.999 %");  // not all
  EXPECT_EQ(spoken_level(0.57), "57 %");
  EXPECT_EQ(spoken_level(0.995), "99.5 %");
  EXPECT_EQ(spoken_odds(0.9), "9 of 10");
  EXPECT_EQ(spoken_odds(0.95), "19 of 20");
  EXPECT_EQ(spoken_odds(0.5), "1 of 2");
  EXPECT_EQ(spoken_odds(0.995), "199 of 200");
  EXPECT_EQ(spoken_odds(1.0 / 3), "33.33333333 % of all");
}

TEST(Words, Shortened) {
  EXPECT_EQ(shortened("short", 5), "short");
  EXPECT_EQ(shortened("longer", 5), "long…");
  EXPECT_EQ(shortened("äöüß", 4), "äöüß");
  EXPECT_EQ(shortened("äöüßé", 4), "äöü…");
}

TEST(Words, ShellWords) {
  EXPECT_EQ(shell_word("data.csv"), "data.csv");
  EXPECT_EQ(shell_word("my data.csv"), "'my data.csv'");
  EXPECT_EQ(shell_word("it's; $(rm)"), "'it'\\''s; $(rm)'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Words, NothingCanEndItsElement) {
  EXPECT_EQ(escaped_html("<b a='1' c=\"2\">&"), "&lt;b a=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
  const std::string safe = script_safe(R"({"a":"</script><!--&"})");
  EXPECT_EQ(safe, R"({"a":"\u003c/script\u003e\u003c!--\u0026"})");
}

}  // namespace
}  // namespace taut
