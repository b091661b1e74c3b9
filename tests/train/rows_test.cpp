// The number of rows from which a member of g learns: a part of very many rows, if more do not help.
#include <taut/core/random.hpp>
#include <taut/train/member_training.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace taut {
namespace {

constexpr Index rows = 40'000, columns = 8;

// Noise with a different scale in each of 2^cuts cells, which the first `cuts` columns define.
struct Cells {
  MatrixF x{rows, columns};
  Residuals residuals;

  explicit Cells(int cuts) {
    Random random(1);
    std::array<double, 1 << columns> scale{};
    for (double& one : scale) one = std::exp(random.normal());
    for (Index i = 0; i < rows; ++i) {
      std::size_t cell = 0;
      for (int c = 0; c < columns; ++c) {
        x(i, c) = static_cast<float>(random.normal());
        if (c < cuts && x(i, c) > 0) cell |= std::size_t{1} << c;
      }
      const double noise = scale[cell] * random.normal();
      residuals.size.push_back(std::abs(noise));
      residuals.side.push_back(noise < 0 ? Side::below : Side::above);
    }
  }
};

Index found(const Cells& cells, Index many, int threads = 0) {
  LocalizationPlan plan = localization_plan({}, "exp");
  plan.training.many_rows = many;
  const auto transform = transforms().make(plan.transform);
  const InputPool x(cells.x);
  const auto parts = equal_parts(rows, 5);
  const Validation validation(*transform, cells.residuals, parts, plan);
  const MemberTraining members(*transform, x, cells.residuals, parts, plan);
  return sufficient_rows(members, validation, plan, ExecutionContext{.threads = threads});
}

TEST(RowsOfMembers, APartIsTakenWhereItIsAsGood) { EXPECT_EQ(found(Cells(1), 16'384), 16'384); }

TEST(RowsOfMembers, AllAreTakenWhereTheyHelp) {
  const Index all = TrainingSettings{}.max_rows;
  EXPECT_EQ(found(Cells(columns), 16'384), all);
  EXPECT_EQ(found(Cells(1), 32'000), all) << "a member has no more rows than that: nothing is tried";
}

TEST(RowsOfMembers, ThreadsChangeNothing) {
  for (const int cuts : {1, 2, 3, 4}) EXPECT_EQ(found(Cells(cuts), 8'192, 1), found(Cells(cuts), 8'192, 3)) << cuts;
}

}  // namespace
}  // namespace taut
