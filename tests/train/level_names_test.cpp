// A number in the name of an objective is a confidence, below one half too; alpha is called alpha.
#include <taut/train/objective_names.hpp>

#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/train/validation.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

TEST(Levels, ANumberIsAConfidenceEverywhere) {
  for (const auto& entry : objectives().entries()) {
    if (objectives().make(entry.example)->levels().empty()) continue;
    for (const double level : {0.05, 0.1, 0.3, 0.5, 0.68, 0.9, 0.99}) {
      const auto levels_of = [&](const std::string& argument) {
        return objectives().make(entry.name + ":" + argument)->levels();
      };
      EXPECT_EQ(levels_of(print_number(level)), std::vector{level}) << entry.name;
      EXPECT_EQ(levels_of("confidence=" + print_number(level)), std::vector{level}) << entry.name;
      EXPECT_EQ(levels_of("alpha=" + print_number(level)), std::vector{1 - level}) << entry.name;
    }
    for (const char* wrong : {"0", "1", "-0.1", "1.5", "alpha=0", "alpha=1", "alpha=confidence=0.1", "beta=0.1", "nan", "alpha="})
      EXPECT_THROW(objectives().make(entry.name + ":" + wrong), UsageError) << entry.name << " " << wrong;
  }
  EXPECT_EQ(objectives().make("level:0.3,alpha=0.25, 0.9")->levels(), (std::vector{0.3, 0.75, 0.9}));
}

// Residuals 1 ... 10 with one width: the loss of level:C is the log of the quantile at C, which shows the level in use.
TEST(Levels, LevelUsesTheQuantileThatItNames) {
  std::vector<double> residual;
  for (int r = 1; r <= 10; ++r) residual.push_back(r);
  const std::vector<Side> side(residual.size(), Side::above);
  const auto transform = transforms().make("exp");
  const Matrix g = Matrix::Zero(10, 1);
  for (int k = 1; k < 10; ++k) {
    const std::string argument = print_number(k / 10.0);
    const ObjectiveRows rows{residual, side, *transform, g};
    EXPECT_DOUBLE_EQ(objectives().make("level:" + argument)->evaluate(rows, nullptr, nullptr),
                     std::log(sample_quantile(residual, k / 10.0)));
  }
  const ObjectiveRows rows{residual, side, *transform, g};
  EXPECT_DOUBLE_EQ(objectives().make("level:0.3")->evaluate(rows, nullptr, nullptr), std::log(3.0));
  EXPECT_DOUBLE_EQ(objectives().make("level:alpha=0.25")->evaluate(rows, nullptr, nullptr), std::log(8.0));
}

TEST(Levels, AFocusNamesItsOwnLevel) {
  for (const double level : {0.05, 0.3, 0.5, 0.9})
    EXPECT_EQ(objectives().make(level_objective(level))->levels(), std::vector{level});
}

// Names in model files must mean the same to Taut 0.1 and to this version.
TEST(Levels, AreSpelledOutBelowOneHalf) {
  const auto spelled = [](const char* name) { return spell_out_levels(name, Spelling::confidence); };
  EXPECT_EQ(spelled("level:0.3"), "level:confidence=0.3");
  EXPECT_EQ(spelled("level:0.3, moved only"), "level:confidence=0.3, moved only");
  EXPECT_EQ(spelled("level:0.3 ^ 1.2"), "level:confidence=0.3 ^ 1.2");
  EXPECT_EQ(spelled("level:0.9, 0.1,0.2"), "level:0.9, confidence=0.1,confidence=0.2");
  EXPECT_EQ(spell_out_levels("pinball:0.1", Spelling::alpha), "pinball:alpha=0.1");
  for (const char* same : {"", "size", "size ^ 0.3", "power:0.3", "level:0.9", "level:0.68, 0.9", "level:alpha=0.1",
                           "level:", "level:confidence=0.3", "likelihood, moved only", "pinball:x", "fixed", "unheard of:0.3"})
    EXPECT_EQ(spelled(same), same);
}

TEST(Levels, ALowOneIsHintedAtUnlessItIsSpelledOut) {
  EXPECT_NE(level_hint("level:0.1").find("level:alpha=0.1"), std::string::npos);
  for (const char* clear : {"", "level:0.9", "level:confidence=0.1", "level:alpha=0.1", "power:0.1", "level:0.68, 0.9"})
    EXPECT_EQ(level_hint(clear), "") << clear;
}

}  // namespace
}  // namespace taut
