// What a budget of time says, and what a step with one hands on.
#include <taut/fit/time_budget.hpp>

#include <gtest/gtest.h>

#include <string>

namespace taut {
namespace {

TEST(TimeBudget, ClockTimes) {
  EXPECT_EQ(clock_time(0), "0:00");
  EXPECT_EQ(clock_time(65.9), "1:05");
  EXPECT_EQ(clock_time(600), "10:00");
  EXPECT_EQ(clock_time(2 * 3600 + 5), "2:00:05");
  EXPECT_EQ(clock_time(-1), "0:00");
  EXPECT_EQ(clock_time(infinity).back(), '0') << "a number, however long";
}

TEST(TimeBudget, SaysHowMuchIsUsedAndHandsOnTheRest) {
  FitOptions options;
  options.time = "10m";
  const TimeBudget budget(options);
  EXPECT_EQ(budget.words(), "0:00 of 10:00");
  EXPECT_LE(budget.rest_of(options).seconds(), 600);
  EXPECT_GT(budget.rest_of(options).seconds(), 590);
  EXPECT_FALSE(TimeBudget(FitOptions()).rest_of(FitOptions()).has_time());
}

TEST(TimeBudget, StepsShowDetailsAndEndIfEitherSideGivesUp) {
  std::string shown;
  bool is_cancelled = false, gives_up = false;
  ExecutionContext outer;
  outer.progress = [&](std::string_view stage, double) { shown = stage; };
  outer.cancelled = [&] { return is_cancelled; };
  const ExecutionContext own = timed_context(
      outer, [] { return std::string("0:42 of 10:00"); }, [&] { return gives_up; });
  own.progress("training", 0.5);
  EXPECT_EQ(shown, "training; 0:42 of 10:00");
  EXPECT_FALSE(own.cancelled());
  gives_up = true;
  EXPECT_TRUE(own.cancelled());
  gives_up = false;
  is_cancelled = true;
  EXPECT_TRUE(own.cancelled());
}

}  // namespace
}  // namespace taut
