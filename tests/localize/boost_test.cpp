// Properties of the boosted localizer only; localizer_test.cpp has those of every localizer.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/localize/localizer.hpp>
#include <tests/localize/support.hpp>

#include <gtest/gtest.h>

namespace taut {
namespace {

class BoostLocalizer : public testing::Test {
 protected:
  void start(double missing_share) {
    Random random(1);
    for (MatrixF* x : {&train_, &validation_})
      *x = MatrixF::NullaryExpr(x->rows(), x->cols(), [&] {
        return random.uniform() < missing_share ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(random.normal());
      });
    taut::start(*localizer_, train_, validation_, std::vector<double>{0.5, -2});
  }
  // The gradient towards |x| of the first column and towards whether the second is missing, as a mean over rows.
  void update() {
    Matrix gradient = localizer_->forward(rows_);
    for (Index i = 0; i < gradient.rows(); ++i) {
      gradient(i, 0) -= std::isnan(train_(i, 0)) ? 3 : std::abs(static_cast<double>(train_(i, 0)));
      gradient(i, 1) -= std::isnan(train_(i, 1)) ? 1 : 0;
    }
    const auto rows = static_cast<double>(gradient.rows());
    localizer_->update(rows_, gradient / rows, Matrix::Constant(gradient.rows(), 2, 1 / rows));
  }
  Matrix evaluated(const MatrixF& x) const {
    Matrix out(x.rows(), 2);
    localizer_->evaluate(x, out, 2);
    return out;
  }

  MatrixF train_{900, 4}, validation_{200, 4};
  Rows rows_ = all_rows(900);
  std::unique_ptr<Localizer> localizer_ = localizers().make("boost");
};

TEST_F(BoostLocalizer, LearnsEachOutputAndMissingCells) {
  start(0.2);
  for (int round = 0; round < 150; ++round) update();
  localizer_->finish();
  MatrixF x = MatrixF::Zero(2, 4);
  x(0, 0) = -2;
  x(1, 0) = x(1, 1) = std::numeric_limits<float>::quiet_NaN();
  const Matrix g = evaluated(x);
  EXPECT_NEAR(g(0, 0), 2, 0.3);
  EXPECT_NEAR(g(0, 1), 0, 0.1);
  EXPECT_NEAR(g(1, 0), 3, 0.3);
  EXPECT_NEAR(g(1, 1), 1, 0.1);
}

TEST_F(BoostLocalizer, CachedMarginsAreTheEvaluatedOnesToTheBit) {
  start(0.1);
  for (int round = 0; round < 12; ++round) update();
  EXPECT_EQ(localizer_->forward(rows_), evaluated(train_));
  EXPECT_EQ(localizer_->validation(), evaluated(validation_));
}

TEST_F(BoostLocalizer, GoesOnAfterRestore) {
  start(0.1);
  for (int round = 0; round < 5; ++round) update();
  localizer_->snapshot();
  const Matrix before = localizer_->validation();
  update();
  const Matrix after = localizer_->validation();
  EXPECT_NE(before, after);
  localizer_->restore();
  EXPECT_EQ(localizer_->validation(), before);
  update();
  EXPECT_EQ(localizer_->validation(), after);
  EXPECT_EQ(evaluated(validation_), after);
}

TEST_F(BoostLocalizer, RefusesPartOfTheRows) {
  start(0);
  const Rows few = {0, 1, 2};
  const Matrix g = localizer_->forward(few);
  EXPECT_THROW(localizer_->update(few, g, g), Error);
}

}  // namespace
}  // namespace taut
