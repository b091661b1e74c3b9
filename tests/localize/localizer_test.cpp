// Properties of every listed localizer.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/localize/localizer.hpp>
#include <tests/localize/support.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace taut {
namespace {

constexpr Index inputs = 5;
const std::vector<double> initial = {0.5, -1.25};
const auto outputs = static_cast<Index>(initial.size());

MatrixF random_inputs(Index rows, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, inputs, [&] { return static_cast<float>(random.normal()); });
}

// Pulls g towards a function of x: loss = mean over rows of |g - h(x)|² / 2.
Matrix pull(const Matrix& g, const MatrixF& x, RowsView rows) {
  Matrix gradient(g.rows(), g.cols());
  for (Index r = 0; r < g.rows(); ++r) {
    const auto row = x.row(rows[static_cast<std::size_t>(r)]).cast<double>();
    gradient(r, 0) = g(r, 0) - std::abs(row[0]);
    gradient(r, 1) = g(r, 1) + row[1] * row[2];
  }
  return gradient / static_cast<double>(g.rows());
}

Rows rows_from(Index begin, Index end) {
  Rows rows(static_cast<std::size_t>(end - begin));
  std::iota(rows.begin(), rows.end(), begin);
  return rows;
}

class EveryLocalizer : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Localizer> started(std::uint64_t seed = 3, int threads = 1) {
    auto localizer = localizers().make(GetParam());
    LocalizerSettings settings;
    settings.seed = seed;
    start(*localizer, train_, validation_, initial, settings, taut::ExecutionContext{.threads = threads});
    return localizer;
  }

  void train(Localizer& localizer, Index epochs) const {
    const Index batch = localizer.batch() == 0 ? train_.rows() : localizer.batch();
    const Matrix curvature = Matrix::Constant(batch, outputs, 1.0 / static_cast<double>(batch));
    for (Index epoch = 0; epoch < epochs; ++epoch)
      for (Index begin = 0; begin < train_.rows(); begin += batch) {
        const Rows rows = rows_from(begin, std::min(begin + batch, train_.rows()));
        const Matrix gradient = pull(localizer.forward(rows), train_, rows);
        localizer.update(rows, gradient, curvature.topRows(gradient.rows()));
      }
  }

  std::unique_ptr<Localizer> trained(std::uint64_t seed = 3, int threads = 1) {
    auto localizer = started(seed, threads);
    train(*localizer, 3);
    return localizer;
  }

  Matrix evaluated(const Localizer& localizer, const MatrixF& x, int threads = 1) const {
    Matrix g(x.rows(), outputs);
    localizer.evaluate(x, g, threads);
    return g;
  }

  const MatrixF train_ = random_inputs(203, 1);
  const MatrixF validation_ = random_inputs(57, 2);
  const MatrixF fresh_ = random_inputs(1000, 4);
};

TEST_P(EveryLocalizer, StartsCloseToInitial) {
  auto localizer = started();
  EXPECT_GT(localizer->default_epochs(), 0);
  EXPECT_GT(localizer->default_patience(), 0);
  const Matrix g = evaluated(*localizer, fresh_);
  for (Index k = 0; k < outputs; ++k) {
    EXPECT_NEAR(g.col(k).mean(), initial[static_cast<std::size_t>(k)], 0.15);
    EXPECT_LT((g.col(k).array() - g.col(k).mean()).abs().maxCoeff(), 1.5);
  }
}

TEST_P(EveryLocalizer, SameSeedSameBitsForAnyNumberOfThreads) {
  EXPECT_EQ(evaluated(*trained(3, 1), fresh_), evaluated(*trained(3, 2), fresh_));
}

TEST_P(EveryLocalizer, ForwardValidationAndEvaluateAgreeToTheBit) {
  auto localizer = trained();
  const Rows rows = {7, 7, 0, 202, 31};
  const Matrix all = evaluated(*localizer, train_);
  const Matrix& g = localizer->forward(rows);
  ASSERT_EQ(g.rows(), std::ssize(rows));
  ASSERT_EQ(g.cols(), outputs);
  for (Index r = 0; r < g.rows(); ++r) EXPECT_EQ(g.row(r), all.row(rows[static_cast<std::size_t>(r)]));
  EXPECT_EQ(localizer->validation(), evaluated(*localizer, validation_));
}

TEST_P(EveryLocalizer, ARowHasTheSameBitsInAnyBatchAndAnyThread) {
  const auto localizer = trained();
  const Matrix all = evaluated(*localizer, fresh_);
  EXPECT_EQ(evaluated(*localizer, fresh_, 2), all);
  for (const Index block : {1, 7, 256}) {
    Matrix pieces(fresh_.rows(), outputs);
    for (Index begin = 0; begin < fresh_.rows(); begin += block) {
      const Index count = std::min(block, fresh_.rows() - begin);
      localizer->evaluate(fresh_.middleRows(begin, count), pieces.middleRows(begin, count), 1);
    }
    EXPECT_EQ(pieces, all) << "blocks of " << block;
  }
}

// Inputs may be a block of a wider matrix.
TEST_P(EveryLocalizer, TakesRowsThatLieApart) {
  const auto localizer = trained();
  MatrixF wide = MatrixF::Constant(fresh_.rows(), inputs + 3, 99.0F);
  wide.leftCols(inputs) = fresh_;
  Matrix g(fresh_.rows(), outputs);
  localizer->evaluate(wide.leftCols(inputs), g, 1);
  EXPECT_EQ(g, evaluated(*localizer, fresh_));
}

TEST_P(EveryLocalizer, TheInputsOfStartNeedNotOutliveIt) {
  auto localizer = localizers().make(GetParam());
  {
    auto train_copy = std::make_unique<MatrixF>(train_);
    auto validation_copy = std::make_unique<MatrixF>(validation_);
    LocalizerSettings settings;
    settings.seed = 3;
    start(*localizer, *train_copy, *validation_copy, initial, settings, taut::ExecutionContext{.threads = 1});
    train_copy->setConstant(1e6F);
    validation_copy->setConstant(1e6F);
  }
  train(*localizer, 3);
  EXPECT_EQ(evaluated(*localizer, fresh_), evaluated(*trained(), fresh_));
}

TEST_P(EveryLocalizer, RestoreReturnsToTheSnapshotAndTrainsOnFromThere) {
  auto localizer = trained();
  localizer->snapshot();
  const Matrix at_snapshot = evaluated(*localizer, fresh_);
  const Matrix validated = localizer->validation();
  train(*localizer, 2);
  const Matrix later = evaluated(*localizer, fresh_);
  localizer->restore();
  EXPECT_EQ(evaluated(*localizer, fresh_), at_snapshot);
  EXPECT_EQ(localizer->validation(), validated);
  train(*localizer, 2);
  EXPECT_EQ(evaluated(*localizer, fresh_), later);
}

TEST_P(EveryLocalizer, TrainingHalvesTheLossAndConstantsStay) {
  auto localizer = started();
  const auto loss = [&] { return pull(evaluated(*localizer, train_), train_, rows_from(0, train_.rows())).squaredNorm(); };
  const double before = loss();
  train(*localizer, 20);
  if (!localizer->adapts()) {
    EXPECT_EQ(loss(), before);
  } else {
    EXPECT_LT(loss(), 0.5 * before);
  }
}

TEST_P(EveryLocalizer, ComesBackFromAnArchiveToTheBit) {
  auto localizer = trained();
  const Matrix g = evaluated(*localizer, fresh_);
  localizer->finish();
  EXPECT_EQ(evaluated(*localizer, fresh_), g) << "finish must not change g";
  Archive archive;
  localizer->save(archive.scope("part"));
  const Archive back = Archive::decode(archive.encode());
  auto loaded = localizers().make(GetParam());
  loaded->load(back.scope("part"), inputs, outputs);
  EXPECT_EQ(evaluated(*loaded, fresh_), g);
  Archive again;
  loaded->save(again.scope("part"));
  EXPECT_EQ(again.encode(), archive.encode());
  EXPECT_THROW(localizers().make(GetParam())->load(back.scope("part"), inputs, outputs + 1), Error);
}

TEST_P(EveryLocalizer, EveryMistypedEntryIsRefused) {
  Archive archive;
  trained()->save(archive);
  for (const std::string& name : archive.names()) {
    Archive mistyped = Archive::decode(archive.encode());
    mistyped.put(name, std::string("of another type"));
    EXPECT_THROW(localizers().make(GetParam())->load(mistyped, inputs, outputs), Error) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Listed, EveryLocalizer, testing::ValuesIn(localizers().names()));

}  // namespace
}  // namespace taut
