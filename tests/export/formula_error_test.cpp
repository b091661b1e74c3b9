// Error bounds hold: if the variables are off by at most their bounds, the formula is off by at most its bound.
#include <taut/core/random.hpp>
#include <taut/export/exported.hpp>

#include <gtest/gtest.h>

namespace taut {

namespace {

TEST(FormulaError, BoundsWhatVariablesThatAreOffDo) {
  const Formula x = Formula::variable(0), y = Formula::variable(1);
  const Formula formulas[] = {x + y,
                              x - y,
                              x * y,
                              x / y,
                              min(x, y),
                              max(x, y),
                              abs(x),
                              sqrt(x),
                              exp(x),
                              log(x),
                              if_negative(x - y, 3 * x, exp(y)),
                              sqrt(abs(x * y - 1)) / (1 + exp(x - y)),
                              2.0 * x - log(1 + y * y)};
  Random random(1);
  for (std::size_t which = 0; which < std::size(formulas); ++which)
    for (int repeat = 0; repeat < 2000; ++repeat) {
      const double size = repeat % 2 == 0 ? 1e-6 : 0.1, off_x = size * random.uniform(), off_y = size * random.uniform();
      const std::vector<double> at = {2 * random.normal(), 2 * random.normal()};
      const std::vector<double> moved = {at[0] + off_x * (2 * random.uniform() - 1), at[1] + off_y * (2 * random.uniform() - 1)};
      const double value = formulas[which].value(at), other = formulas[which].value(moved);
      if (std::isnan(value) || std::isnan(other)) continue;
      const double bound = error_of(formulas[which], {off_x, off_y}).value(at);
      EXPECT_LE(std::abs(value - other), bound) << which << " at " << at[0] << " " << at[1];
      if (which < 3) {
        EXPECT_LE(bound, (4 + std::abs(at[0]) + std::abs(at[1])) * (off_x + off_y) + 1e-14);
      }
    }
}

TEST(FormulaError, OfWhatIsExactIsARounding) {
  const Formula x = Formula::variable(0);
  EXPECT_LE(error_of(exp(x) * 2 - 1, {Formula(0)}).value(std::vector<double>{3.0}), 1e-12);
  EXPECT_TRUE(error_of(abs(x), {Formula(0)}).is_zero());
}

}  // namespace

}  // namespace taut
