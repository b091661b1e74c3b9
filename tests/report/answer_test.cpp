#include <taut/report/answer.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace taut {
namespace {

std::string text_of(const Answer& answer, const std::string& label) {
  for (const Statement& statement : answer.statements)
    if (statement.label == label) return statement.text;
  return "";
}

// The inputs of an answer: `covered` of `rows` test rows are covered, calibrated with n scores without ties.
AnswerInputs inputs_of(double confidence, Index n, Index rows, Index covered) {
  std::vector<double> scores(static_cast<std::size_t>(n));
  std::iota(scores.begin(), scores.end(), 0.0);
  const ScoreDistribution distribution(scores);
  const ExpectedRanges expected(distribution, confidence, rows, 1);
  AnswerInputs inputs;
  inputs.confidence = confidence;
  inputs.rows = rows;
  inputs.covered = covered;
  inputs.calibration_rows = n;
  inputs.rank = distribution.rank(confidence);
  inputs.expected = expected.of(rows);
  inputs.max_without_ties = expected.max_without_ties();
  inputs.width = {62, 12.34, 123456, false, -38};
  inputs.unit = "EUR";
  return inputs;
}

// 81.5 % found where 90 % were asked for: the answer states the number, and that chance explains it.
TEST(Answer, FoundBelowThePromiseButWithinChance) {
  const Answer words = answer(inputs_of(0.9, 50, 200, 163));
  EXPECT_EQ(words.tone, Tone::as_promised);
  EXPECT_EQ(words.headline, "81.5 % of 200 test rows fall in their interval; 90 % were asked for.");
  EXPECT_EQ(text_of(words, "Promised"),
            "At least 90.2 % of new cases (46 of 51), on average, if they come from the same source as the calibration rows.");
  EXPECT_EQ(text_of(words, "Found"),
            "81.5 % of 200 test rows. With this many test rows and 50 calibration rows, chance explains anything from 75.5 to "
            "98.5 % (99 times in 100), so chance can explain the difference.");
  EXPECT_EQ(
      text_of(words, "How sure"),
      "The promise is an average over all sets of 50 calibration rows that might have been drawn. For one set, the share of "
      "new cases covered in the long run is between 82.6 and 96.0 % for 9 of 10, and between 76.9 and 97.8 % for 99 of 100 "
      "sets. More calibration rows make this more certain.");
  EXPECT_EQ(text_of(words, "What to do"), "");
}

// Alarms about the rows come before every conclusion from them.
TEST(Answer, AlarmsComeFirst) {
  AnswerInputs inputs = inputs_of(0.9, 50, 200, 163);
  inputs.alarms = {"at least 3 of these 200 rows trained the model"};
  EXPECT_EQ(answer(inputs).statements.front().label, "Take care");
  EXPECT_EQ(answer(inputs).statements.front().text, "At least 3 of these 200 rows trained the model.");
  EXPECT_EQ(answer(inputs).statements.size(), answer(inputs_of(0.9, 50, 200, 163)).statements.size() + 1);
}

TEST(Answer, HeadlinesAreWhatWasFound) {
  struct Case {
    double confidence;
    Index calibration_rows, rows, covered;
    Tone tone;
    std::string headline;
  };
  for (const Case& one : {
           Case{0.9, 400, 4323, 3900, Tone::as_promised,
                "90.2 % of 4,323 test rows fall in their interval; 90 % were asked for."},
           Case{0.9, 400, 4323, 3600, Tone::too_low,
                "Only 83.3 % of 4,323 test rows fall in their interval; 90 % were asked for."},
           Case{0.9, 400, 4323, 4200, Tone::too_high,
                "97.2 % of 4,323 test rows fall in their interval, more often than the 90 % asked for."},
           Case{0.9, 8, 100, 100, Tone::no_quantile, "There are too few calibration rows for 90 %."},
           Case{0.9, 9, 100, 60, Tone::as_promised, "60.0 % of 100 test rows fall in their interval; 90 % were asked for."},
           Case{0.5, 5, 10, 10, Tone::as_promised, "100.0 % of 10 test rows fall in their interval; 50 % were asked for."},
           Case{0.995, 999, 2000, 1990, Tone::as_promised,
                "99.5 % of 2,000 test rows fall in their interval; 99.5 % were asked for."},
           Case{0.9, 400, 1, 1, Tone::as_promised, "The only test row falls in its interval; 90 % were asked for."},
           Case{0.9, 400, 1, 0, Tone::as_promised, "The only test row falls outside its interval; 90 % were asked for."},
       }) {
    const Answer words = answer(inputs_of(one.confidence, one.calibration_rows, one.rows, one.covered));
    EXPECT_EQ(words.headline, one.headline);
    EXPECT_EQ(words.tone, one.tone) << one.headline;
  }
}

// The ends of the range agree with the promise; one row beyond them does not.
TEST(Answer, ToneFollowsTheRange) {
  for (const Index n : {9, 50, 400}) {
    const CountRange range = inputs_of(0.9, n, 300, 0).expected;
    EXPECT_EQ(answer(inputs_of(0.9, n, 300, range.minimum)).tone, Tone::as_promised);
    EXPECT_EQ(answer(inputs_of(0.9, n, 300, range.maximum)).tone, Tone::as_promised);
    EXPECT_EQ(answer(inputs_of(0.9, n, 300, range.minimum - 1)).tone, Tone::too_low);
    if (range.maximum < 300) {
      EXPECT_EQ(answer(inputs_of(0.9, n, 300, range.maximum + 1)).tone, Tone::too_high);
    }
  }
}

TEST(Answer, BadNewsSaysWhatItMeansAndWhatToDo) {
  const Answer words = answer(inputs_of(0.9, 400, 4323, 3600));
  EXPECT_EQ(text_of(words, "Found"),
            "83.3 % of 4,323 test rows. With this many test rows and 400 calibration rows, chance explains anything from 85.6 to "
            "93.6 % (99 times in 100), but not this. So these rows probably do not come from the same source as the calibration "
            "rows (they are not exchangeable with them): another time, place or population.");
  EXPECT_EQ(
      text_of(words, "What to do"),
      "Do not rely on the intervals for rows like these. Collect fresh rows with known targets and run 'taut calibrate', or "
      "fit anew.");
  EXPECT_EQ(text_of(words, "Width"),
            "Widths go from 12.3 EUR for the narrowest tenth of the rows to 123,000 EUR for the widest.");  // no praise
  EXPECT_EQ(text_of(words, "How sure"), "");  // it assumes exchangeable rows
}

TEST(Answer, MoreThanAskedIsNoAlarmWhereTheTargetsRangeIsKnown) {
  AnswerInputs inputs = inputs_of(0.9, 400, 4323, 4200);
  EXPECT_NE(text_of(answer(inputs), "Found").find("not exchangeable"), std::string::npos);
  inputs.range_restricts = true;
  const Answer words = answer(inputs);
  EXPECT_EQ(words.tone, Tone::more);
  EXPECT_NE(text_of(words, "Found").find("The target has limits or steps, which can only raise the coverage: nothing is wrong."),
            std::string::npos);
  EXPECT_NE(text_of(words, "How sure").find("is at least 87.5 % for 19 of 20, and at least 85.8 % for 199 of 200 sets."),
            std::string::npos)
      << text_of(words, "How sure");
  EXPECT_EQ(text_of(words, "What to do"), "");
}

TEST(Answer, TiesBelongToWhatIsExpected) {
  AnswerInputs inputs = inputs_of(0.9, 400, 4323, 4300);
  inputs.expected.maximum = 4323;  // the score of the rank is also the largest
  const Answer words = answer(inputs);
  EXPECT_EQ(words.tone, Tone::as_promised);
  EXPECT_NE(text_of(words, "Found").find("chance and equal calibration scores explain anything from 85.6 to 100.0 %"),
            std::string::npos)
      << text_of(words, "Found");
  EXPECT_NE(text_of(words, "How sure").find("is at least 87.5 %"), std::string::npos) << text_of(words, "How sure");
}

TEST(Answer, TooFewCalibrationRows) {
  const Answer words = answer(inputs_of(0.9, 1, 100, 100));
  EXPECT_EQ(
      text_of(words, "Why"),
      "1 calibration row cannot promise 90 %, so every interval is the whole line, or what is known of the target's range.");
  EXPECT_EQ(text_of(words, "What to do"),
            "At least 9 calibration rows are needed: give the model more with 'taut calibrate', or move the slider to a lower "
            "level.");
  EXPECT_EQ(words.statements.size(), 2U);
}

TEST(Answer, Widths) {
  AnswerInputs inputs = inputs_of(0.9, 400, 4323, 3900);
  const std::string range = "from 12.3 EUR for the narrowest tenth of the rows to 123,000 EUR for the widest.";
  const std::string other = "one width for all rows that covers as many of them: ";
  EXPECT_EQ(text_of(answer(inputs), "Width"), "Intervals are 38 % narrower on average than " + other + range);
  inputs.width.against_constant = 4;
  EXPECT_EQ(text_of(answer(inputs), "Width"), "Intervals are 4 % wider on average than " + other + range);
  inputs.width.against_constant = 0;
  EXPECT_EQ(text_of(answer(inputs), "Width"), "On average intervals are as wide as " + other + range);
  inputs.width.against_constant.reset();
  EXPECT_EQ(text_of(answer(inputs), "Width"), "Widths go " + range);
  inputs.width.all_equal = true;
  EXPECT_EQ(text_of(answer(inputs), "Width"), "Every interval is 62 EUR wide: the width does not depend on x.");
  inputs.width = {};
  EXPECT_EQ(text_of(answer(inputs), "Width"), "");  // none is finite
}

TEST(Answer, WeakGroupsInfiniteIntervalsAndFewRows) {
  AnswerInputs inputs = inputs_of(0.9, 400, 20, 18);
  inputs.weakest = WeakGroup{"grade ≥ 11", 96, 77};
  inputs.infinite = 1;
  EXPECT_EQ(text_of(answer(inputs), "Weakest"), "Where grade ≥ 11, only 80.2 % of 96 rows were covered: see 'Where it fails'.");
  EXPECT_EQ(text_of(answer(inputs), "No end"),
            "5.0 % of the intervals (1 of 20) have an infinite end, so the mean width and the interval score are infinite.");
  EXPECT_EQ(text_of(answer(inputs), "Few rows"), "20 test rows say little about the coverage.");
  inputs.infinite = 3;
  EXPECT_EQ(text_of(answer(inputs), "No end"),
            "15.0 % of the intervals (3 of 20) have an infinite end, so the mean width and the interval score are infinite.");
  inputs.width = {.mean = infinity, .narrow = 2, .wide = 5};
  EXPECT_EQ(text_of(answer(inputs), "Width"),
            "The other intervals are from 2 EUR for their narrowest tenth to 5 EUR for their widest.");
}

}  // namespace
}  // namespace taut
