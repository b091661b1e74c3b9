// The training plan as data, and the policy of every listed part.
#include <taut/train/plan.hpp>

#include <taut/core/error.hpp>
#include <taut/train/member_training.hpp>
#include <taut/train/objective_names.hpp>

#include <gtest/gtest.h>

#include <algorithm>

namespace taut {
namespace {

using Lines = std::vector<std::string>;

std::string word(const Stage& stage) {
  switch (stage.kind) {
    case Stage::Kind::train:
      return stage.objective;
    case Stage::Kind::train_moving:
      return "move(" + stage.objective + ")";
    case Stage::Kind::choose_exponent:
      return "exponent";
  }
  return "";
}

// "level:0.9, 1: size > exponent > level:0.9", where 1 is the number of sides
Lines lines_of(const LocalizationPlan& plan) {
  Lines lines;
  for (const auto& candidate : plan.candidates) {
    Lines stages;
    for (const auto& stage : candidate.stages) stages.push_back(word(stage));
    lines.push_back(candidate.name + ", " + std::to_string(candidate.sides) + ": " + join(stages, " > "));
  }
  return lines;
}

Lines planned(const LocalizationOptions& options, const std::string& transform) {
  return lines_of(localization_plan(options, transform));
}

TEST(Plan, OfTheDefaults) {
  EXPECT_EQ(planned({}, "exp"), (Lines{"conditional, 1: conditional", "conditional, 2: conditional", "sidewise, 2: sidewise"}));
  EXPECT_EQ(localization_plan({}, "exp").validation_objective, "conditional");
}

TEST(Plan, ANamedObjectiveHasNoCompanions) {
  EXPECT_EQ(planned({.objective = "conditional"}, "exp"), (Lines{"conditional, 1: conditional", "conditional, 2: conditional"}));
}

TEST(Plan, AnObjectiveThatIsNotConvexIsWarmedUp) {
  EXPECT_EQ(planned({.objective = "level:0.9", .sides = {2}}, "exp"), (Lines{"size, 2: size", "level:0.9, 2: size > level:0.9"}));
}

TEST(Plan, AFocusSharpensAndThenTrainsItsLevel) {
  EXPECT_EQ(planned({.focus = 0.9, .sides = {1}}, "exp"),
            (Lines{"size, 1: size", "size ^ e, 1: size > exponent", "level:0.9, 1: size > exponent > level:0.9"}));
  EXPECT_EQ(planned({.focus = 0.9, .sides = {1}}, "shift"), (Lines{"size, 1: size", "level:0.9, 1: size > level:0.9"}));
}

TEST(Plan, AFocusBelowOneHalfTrainsThatLevel) {
  for (const double level : {0.1, 0.3, 0.5, 0.9}) {
    const auto plan = localization_plan({.focus = level, .sides = {1}}, "exp");
    EXPECT_EQ(objectives().make(plan.candidates.back().stages.back().objective)->levels(), std::vector{level});
    EXPECT_EQ(plan.focus, level);
  }
}

TEST(Plan, ACurveIsMovedBeforeItIsBent) {
  EXPECT_EQ(planned({.sides = {1}}, "spline"),
            (Lines{"likelihood, moved only, 1: move(likelihood)", "likelihood, 1: move(likelihood) > likelihood"}));
  EXPECT_EQ(planned({.objective = "level:0.9", .sides = {1}}, "spline"),
            (Lines{"likelihood, moved only, 1: move(likelihood)", "likelihood, 1: move(likelihood) > likelihood",
                   "level:0.9, 1: move(likelihood) > likelihood > level:0.9"}));
}

TEST(Plan, CompetingClassesAreComparedByOneLoss) {
  const auto plans = localization_plans({.objective = "pinball:0.9"}, {"exp", "shift", "spline"});
  ASSERT_EQ(plans.size(), 3U);
  for (const auto& plan : plans) EXPECT_EQ(plan.validation_objective, "pinball:0.9");
  EXPECT_EQ(plans[1].candidates.front().name, "size") << "pinball cannot train it";
  EXPECT_THROW(localization_plans({.objective = "pinball:0.9"}, {"shift", "exp"}), UsageError);
}

// First stages that candidates share are trained once, wherever the candidates are in the plan.
TEST(Plan, CandidatesGoOnFromTheLongestThatTheyBeginWith) {
  const Stage a{Stage::Kind::train, "size"}, b{Stage::Kind::choose_exponent}, c{Stage::Kind::train, "level:0.9"};
  const std::vector<CandidatePlan> candidates = {{"a", 1, {a}},         {"ab", 1, {a, b}}, {"c", 1, {c}}, {"abc", 1, {a, b, c}},
                                                 {"ab two", 2, {a, b}}, {"ac", 1, {a, c}}, {"a", 1, {a}}};
  EXPECT_EQ(origins(candidates), (std::vector<std::size_t>{0, 0, 2, 1, 4, 0, 6}));
}

// A plan for every objective with every transformation: invalid pairs are refused, valid ones can be carried out.
TEST(Policy, OfEveryListedObjective) {
  for (const auto& entry : objectives().entries()) {
    const auto objective = objectives().make(entry.example);
    for (const double level : objective->levels()) EXPECT_TRUE(level > 0 && level < 1) << entry.name;
    bool trains_something = false;
    for (const auto& phi : transforms().entries()) {
      const auto transform = transforms().make(phi.example);
      const LocalizationOptions options{.objective = entry.example};
      if (!objective->fits(*transform)) {
        EXPECT_THROW(localization_plan(options, phi.example), UsageError) << entry.name << " " << phi.name;
        continue;
      }
      trains_something = trains_something || transform->n_params() > 0;
      for (const auto& candidate : localization_plan(options, phi.example).candidates)
        for (const auto& stage : candidate.stages)
          if (stage.kind != Stage::Kind::choose_exponent) {
            EXPECT_TRUE(objectives().make(stage.objective)->fits(*transform)) << entry.name << " " << phi.name;
          }
      const std::string warm_up = default_objective(*transform, Aim::narrow);
      EXPECT_FALSE(objectives().make(warm_up)->needs_warm_up()) << "a warm-up that needs a warm-up: " << warm_up;
      for (const auto& companion : objective->two_sided_companions())
        EXPECT_TRUE(objectives().make(companion)->fits(*transform)) << entry.name << " " << companion << " " << phi.name;
    }
    EXPECT_TRUE(trains_something) << entry.name;
  }
}

TEST(Policy, EveryTransformationHasAnObjectiveOfItsOwn) {
  for (const auto& entry : transforms().entries()) {
    const auto transform = transforms().make(entry.example);
    for (const Aim aim : {Aim::equal_coverage, Aim::narrow})
      EXPECT_TRUE(objectives().make(default_objective(*transform, aim))->fits(*transform)) << entry.name;
  }
}

// A refusal lists what would be valid.
TEST(Policy, ARefusalNamesWhatGoesTogether) {
  try {
    require_fit("pinball:0.9", "shift");
    FAIL() << "not refused";
  } catch (const UsageError& error) {
    const std::string message = error.what();
    for (const auto& entry : transforms().entries()) {
      const auto transform = transforms().make(entry.example);
      EXPECT_EQ(message.find(entry.name, message.find("it trains")) != std::string::npos,
                (transform->is_scale() && transform->n_params() > 0) || entry.name == "shift")
          << entry.name << ": " << message;
    }
    EXPECT_NE(message.find("trained by size, level, likelihood"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace taut
