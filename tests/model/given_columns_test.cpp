// Which columns --quantile-columns and --sample-columns name, and how levels are read from names.
#include <taut/core/error.hpp>
#include <taut/options/given_columns.hpp>
#include <taut/options/options.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

FitOptions asking(std::vector<std::string> quantiles) {
  FitOptions options;
  options.target = "quality";
  options.quantile_columns = std::move(quantiles);
  return options;
}

std::vector<double> levels_of(std::vector<std::string> texts, std::vector<std::string> names) {
  std::vector<double> levels;
  for (const auto& column : given_columns(asking(std::move(texts)), names).quantiles) levels.push_back(column.level);
  return levels;
}

std::string error_of(std::vector<std::string> texts, std::vector<std::string> names) {
  try {
    given_columns(asking(std::move(texts)), names);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "none";
}

TEST(GivenColumns, LevelsAreReadFromNames) {
  const std::vector<double> three = {0.05, 0.5, 0.95};
  EXPECT_EQ(levels_of({"q*"}, {"x", "q0.05", "q0.5", "q0.95"}), three);
  EXPECT_EQ(levels_of({"q*"}, {"x", "q0.95", "q0.5", "q0.05"}), three) << "the order of columns does not matter";
  EXPECT_EQ(levels_of({"q_*"}, {"q_5", "q_50", "q_95"}), three);
  EXPECT_EQ(levels_of({"q*"}, {"q05", "q50", "q95"}), three);
  EXPECT_EQ(levels_of({"*"}, {"0.05", "0.5", "0.95"}), three);
  EXPECT_EQ(levels_of({"*"}, {"5%", "50%", "95%"}), three);
  EXPECT_EQ(levels_of({"pred_*"}, {"pred_0.05", "pred_0.5", "pred_0.95", "other"}), three);
  EXPECT_EQ(levels_of({"quantile_*_of_y"}, {"quantile_0.05_of_y", "quantile_0.5_of_y", "quantile_0.95_of_y"}), three);
  EXPECT_EQ(levels_of({"m2_*"}, {"m2_q0.05", "m2_q0.5", "m2_q0.95"}), three) << "of several numbers the one below 1";
  EXPECT_EQ(levels_of({"q*"}, {"q2.5", "q97.5"}), (std::vector<double>{0.025, 0.975}));
  EXPECT_EQ(levels_of({"q.05", "q.95"}, {"q.05", "q.95"}), (std::vector<double>{0.05, 0.95}));
  EXPECT_EQ(levels_of({"low=0.05", "q0.5", "b=0.95"}, {"low", "q0.5", "b"}), three);
  EXPECT_EQ(levels_of({"q*", "q_high=0.9"}, {"q0.05", "q_high"}), (std::vector<double>{0.05, 0.9}));
}

TEST(GivenColumns, ErrorsSayWhatWasUnderstood) {
  const auto says = [](const std::string& error, const std::string& words) {
    EXPECT_NE(error.find(words), std::string::npos) << error;
  };
  says(error_of({"q*"}, {"q0.05", "q1", "q0.9"}), "mix levels below 1, such as 'q0.9', and whole numbers, such as 'q1'");
  says(error_of({"q*"}, {"q1", "q2", "q9"}), "on one side of 50: 'q1' as 0.01");
  says(error_of({"q*"}, {"q025", "q975"}), "'025' in the name of the column 'q025' can be 0.025 or 25 per cent");
  says(error_of({"q.5", "q.9"}, {"q.5", "q.9"}), "can be 0.5 or 5 per cent");
  says(error_of({"q*"}, {"q2_3"}), "has 2 numbers, and none is a level below 1");
  says(error_of({"median", "q0.9"}, {"median", "q0.9"}), "there is no level in the name of the column 'median'");
  says(error_of({"q*"}, {"q0.05", "q0.050"}), "have the same level 0.05");
  says(error_of({"q0.5"}, {"q0.5"}), "at least two levels, got 'q0.5' as 0.5; for a single prediction there is --prediction");
  says(error_of({"q*"}, {"x", "quality"}), "no column with a number in its name fits 'q*'");
  says(error_of({"quality", "q0.5"}, {"quality", "q0.5"}), "both name 'quality'");
  says(error_of({"q0.1", "q0.1"}, {"q0.1"}), "names 'q0.1' twice");
  says(error_of({"a=1.5", "b=0.1"}, {"a", "b"}), "a level lies between 0 and 1");
  says(error_of({"q*"}, {"q0%", "q50%"}), "levels lie between 0 and 1");
}

TEST(GivenColumns, PatternsLeaveOutTheTargetDroppedColumnsAndNamesWithoutNumber) {
  FitOptions options = asking({"q*"});
  options.drop = {"q0.01"};
  const GivenColumns found = given_columns(options, {"quality", "q0.01", "q0.1", "q0.9", "quiet"});
  ASSERT_EQ(found.quantiles.size(), 2U);
  EXPECT_EQ(found.without_number, (std::vector<std::string>{"quiet"}));
}

TEST(GivenColumns, ReplacingPatternsTwiceChangesNothing) {
  const std::vector<std::string> names = {"q0.1", "a=0.5", "q0.9", "s1", "s2", "s3", "s4", "s5", "square"};
  const FitOptions once = with_given_columns(asking({"q*", "a=0.5"}), names);
  EXPECT_EQ(once.quantile_columns, (std::vector<std::string>{"q0.1=0.1", "a=0.5=0.5", "q0.9=0.9"}));
  EXPECT_EQ(with_given_columns(once, names).quantile_columns, once.quantile_columns);
  EXPECT_EQ(once.prediction_columns(), (std::vector<std::string>{"q0.1", "a=0.5", "q0.9"}));
  FitOptions samples;
  samples.sample_columns = {"s*"};
  const FitOptions named = with_given_columns(samples, names);
  EXPECT_EQ(named.sample_columns, (std::vector<std::string>{"s1", "s2", "s3", "s4", "s5"}));
  EXPECT_EQ(with_given_columns(named, names).sample_columns, named.sample_columns);
  samples.sample_columns = {"s1", "s2"};
  EXPECT_THROW(given_columns(samples, names), UsageError);
}

TEST(GivenColumns, PatternsMatch) {
  EXPECT_TRUE(fits_pattern("q0.5", "q*"));
  EXPECT_TRUE(fits_pattern("a_q0.5_b", "*q*_b"));
  EXPECT_TRUE(fits_pattern("q5", "q?"));
  EXPECT_FALSE(fits_pattern("q55", "q?"));
  EXPECT_FALSE(fits_pattern("aq5", "q*"));
  EXPECT_TRUE(fits_pattern("abab", "*ab"));
}

TEST(GivenColumns, OtherPredictionsAreRefusedByName) {
  for (auto set :
       {+[](FitOptions& options) { options.prediction = "p"; }, +[](FitOptions& options) { options.sample_columns = {"s*"}; },
        +[](FitOptions& options) { options.lower_prediction = options.upper_prediction = "p"; },
        +[](FitOptions& options) { options.score_scale = "log"; }}) {
    FitOptions options = asking({"q*"});
    set(options);
    EXPECT_THROW(options.check(), UsageError);
  }
  FitOptions options;
  options.score_scale = "probability";
  EXPECT_THROW(options.check(), UsageError);
}

}  // namespace
}  // namespace taut
