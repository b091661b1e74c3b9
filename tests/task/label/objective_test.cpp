#include <taut/core/random.hpp>
#include <taut/task/label/set_objective.hpp>
#include <taut/task/label/set_shift.hpp>
#include <tests/support/derivative.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

struct Drawn {
  Matrix v;
  std::vector<Index> labels;
  std::vector<double> g;
};

Drawn draw(Index rows, Index classes, std::uint64_t seed) {
  Random random(seed);
  Drawn drawn{Matrix(rows, classes), {}, {}};
  for (Index i = 0; i < rows; ++i) {
    for (Index k = 0; k < classes; ++k) drawn.v(i, k) = 3 * random.normal();
    drawn.labels.push_back(random.below(classes));
    drawn.g.push_back(random.normal());
  }
  return drawn;
}

TEST(SetObjective, CutOffCoversTheLevel) {
  const Drawn drawn = draw(200, 4, 1);
  for (const double h : {0.02, 0.5, 3.0})
    for (const double level : {0.05, 0.5, 0.9, 0.99}) {
      SetObjective objective;
      objective.bandwidth = h;
      const double c = objective.cut_off({drawn.v, drawn.labels}, drawn.g, level);
      double covered = 0;
      for (std::size_t i = 0; i < drawn.g.size(); ++i)
        covered += 1 / (1 + std::exp(-(c + drawn.g[i] - drawn.v(static_cast<Index>(i), drawn.labels[i])) / h));
      EXPECT_NEAR(covered / 200, level, 1e-9) << h << " " << level;
    }
}

TEST(SetObjective, GradientIsThatOfDifferences) {
  for (const auto goal : {SetObjective::Goal::size, SetObjective::Goal::conditional})
    for (const auto& levels : {std::vector<double>{0.9}, std::vector<double>{0.5, 0.8, 0.95}}) {
      Drawn drawn = draw(12, 5, 7);
      const SetObjective objective{goal, levels, 0.7};
      Matrix gradient, curvature;
      objective.value({drawn.v, drawn.labels}, drawn.g, &gradient, &curvature, 1);
      for (std::size_t i = 0; i < drawn.g.size(); ++i) {
        const double numerical = testing::difference(
            [&](double at) {
              auto g = drawn.g;
              g[i] = at;
              return objective.value({drawn.v, drawn.labels}, g, nullptr, nullptr, 1);
            },
            drawn.g[i]);
        EXPECT_NEAR(gradient(static_cast<Index>(i), 0), numerical, 1e-7) << i;
        EXPECT_GE(curvature(static_cast<Index>(i), 0), 0);
      }
      EXPECT_GT(gradient.cwiseAbs().maxCoeff(), 1e-3);
      // The same shift for all rows changes nothing, because the cut-off compensates for it.
      if (goal == SetObjective::Goal::size) {
        EXPECT_NEAR(gradient.sum(), 0, 1e-12);
      }
    }
}

TEST(SetObjective, ConditionalCurvatureIsThatOfDifferencesAtTheCutOff) {
  // With a fixed cut-off the second derivative of the pinball loss is C'.
  const Drawn drawn = draw(1, 3, 9);
  const SetObjective objective{SetObjective::Goal::conditional, {0.8}, 0.5};
  Matrix gradient, curvature;
  objective.value({drawn.v, drawn.labels}, drawn.g, &gradient, &curvature, 1);
  EXPECT_NEAR(curvature(0, 0), 0.8 * 0.2 / 0.5, 1e-9);  // one row: its coverage is the level
}

TEST(SetObjective, SameBitsOnAnyNumberOfThreads) {
  const Drawn drawn = draw(5000, 6, 3);
  const SetObjective objective{SetObjective::Goal::size, {0.8, 0.9}, 0.5};
  Matrix one, two, curvature_one, curvature_two;
  const double a = objective.value({drawn.v, drawn.labels}, drawn.g, &one, &curvature_one, 1);
  const double b = objective.value({drawn.v, drawn.labels}, drawn.g, &two, &curvature_two, 2);
  EXPECT_EQ(a, b);
  EXPECT_TRUE(one == two && curvature_one == curvature_two);
}

TEST(JudgedShift, WithoutAShiftCostsAreThoseOfOneCutOff) {
  const Drawn drawn = draw(40, 3, 5);
  const SetObjective objective{SetObjective::Goal::size, {0.5}, 0.5};
  const std::vector<double> none(40);
  const ShiftedRows found = evaluate_shift({drawn.v, drawn.labels}, {40, 0, 40}, none, objective);
  EXPECT_EQ(found.with, found.without);
  std::vector<double> own;
  for (Index i = 0; i < 40; ++i) own.push_back(drawn.v(i, drawn.labels[static_cast<std::size_t>(i)]));
  std::sort(own.begin(), own.end());
  const double q = own[20];  // ⌈41 · 0.5⌉ = 21
  for (Index i = 0; i < 40; ++i)
    EXPECT_EQ(found.with[static_cast<std::size_t>(i)], static_cast<double>((drawn.v.row(i).array() <= q).count()));
}

}  // namespace
}  // namespace taut
