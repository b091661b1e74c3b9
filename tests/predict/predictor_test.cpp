// Properties of every listed predictor.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

constexpr Index inputs = 4;

MatrixF random_inputs(Index rows, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, inputs, [&] { return static_cast<float>(random.normal()); });
}

std::vector<double> targets(const MatrixF& x, double noise) {
  Random random(9);
  std::vector<double> y;
  for (Index r = 0; r < x.rows(); ++r)
    y.push_back(0.8 * static_cast<double>(x(r, 0)) - 0.5 * static_cast<double>(x(r, 1)) + noise * random.normal());
  return y;
}

class EveryPredictor : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<Predictor> fitted(int threads = 1) const {
    auto predictor = predictors().make(GetParam());
    PredictorSettings settings;
    settings.seed = 5;
    settings.knn_rows = 400;
    predictor->fit(train_, all_rows(train_.rows()), y_, settings, taut::ExecutionContext{.threads = threads});
    return predictor;
  }

  // All outputs, row by row.
  static std::vector<double> predicted(const Predictor& predictor, const Inputs& x, int threads = 1) {
    std::vector<double> all(static_cast<std::size_t>(x.rows() * predictor.outputs()));
    predictor.predict(x, all, threads);
    return all;
  }

  // f itself, or the middle of two ends.
  static std::vector<double> points(const Predictor& predictor, const Inputs& x) {
    const auto all = predicted(predictor, x);
    const auto outputs = static_cast<std::size_t>(predictor.outputs());
    std::vector<double> f(all.size() / outputs);
    for (std::size_t i = 0; i < all.size(); ++i) f[i / outputs] += all[i] / static_cast<double>(outputs);
    return f;
  }

  const MatrixF train_ = random_inputs(600, 1);
  const std::vector<double> y_ = targets(train_, 0.1);
  const MatrixF fresh_ = random_inputs(1000, 2);
};

TEST_P(EveryPredictor, LearnsASimpleFunction) {
  const auto f = points(*fitted(), fresh_);
  const auto truth = targets(fresh_, 0);
  double error = 0, variance = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    error += std::pow(f[i] - truth[i], 2);
    variance += truth[i] * truth[i];
  }
  EXPECT_LT(error, 0.25 * variance);
}

TEST_P(EveryPredictor, SameSeedSameBitsForAnyNumberOfThreads) {
  EXPECT_EQ(predicted(*fitted(1), fresh_), predicted(*fitted(2), fresh_, 2));
}

TEST_P(EveryPredictor, ARowHasTheSameBitsInAnyBatch) {
  const auto predictor = fitted();
  const auto all = predicted(*predictor, fresh_);
  for (const Index block : {1, 7, 300}) {
    std::vector<double> pieces;
    for (Index begin = 0; begin < fresh_.rows(); begin += block) {
      const auto piece = predicted(*predictor, fresh_.middleRows(begin, std::min(block, fresh_.rows() - begin)));
      pieces.insert(pieces.end(), piece.begin(), piece.end());
    }
    EXPECT_EQ(pieces, all) << "blocks of " << block;
  }
  MatrixF wide = MatrixF::Constant(fresh_.rows(), inputs + 3, 99.0F);
  wide.leftCols(inputs) = fresh_;
  EXPECT_EQ(predicted(*predictor, wide.leftCols(inputs)), all) << "rows that are not contiguous";
}

TEST_P(EveryPredictor, ComesBackFromAnArchiveToTheBit) {
  const auto predictor = fitted();
  Archive archive;
  predictor->save(archive.scope("part"));
  const Archive back = Archive::decode(archive.encode());
  auto loaded = predictors().make(GetParam());
  loaded->load(back.scope("part"), inputs);
  EXPECT_EQ(predicted(*loaded, fresh_), predicted(*predictor, fresh_));
  Archive again;
  loaded->save(again.scope("part"));
  EXPECT_EQ(again.encode(), archive.encode());
}

TEST_P(EveryPredictor, EveryMistypedEntryIsRefused) {
  Archive archive;
  fitted()->save(archive);
  ASSERT_FALSE(archive.names().empty());
  for (const std::string& name : archive.names()) {
    Archive damaged = Archive::decode(archive.encode());
    damaged.put(name, Archive::Texts{"of another type"});
    EXPECT_THROW(predictors().make(GetParam())->load(damaged, inputs), Error) << name;
  }
}

// Few rows, a constant target, constant and repeated columns must not make a fit fail.
TEST_P(EveryPredictor, AcceptsDegenerateData) {
  for (const Index rows : {1, 2, 3, 5, 40}) {
    MatrixF x = random_inputs(rows, 3);
    x.col(1) = x.col(0);
    x.col(2).setZero();
    auto predictor = predictors().make(GetParam());
    const std::vector<double> y(static_cast<std::size_t>(rows), 0.75);
    predictor->fit(x, all_rows(x.rows()), y, {}, taut::ExecutionContext{.threads = 1});
    for (const double f : predicted(*predictor, fresh_)) ASSERT_NEAR(f, 0.75, 0.05) << rows << " rows";
  }
}

std::vector<std::string> examples() {
  std::vector<std::string> all;
  for (const auto& entry : predictors().entries()) all.push_back(entry.example);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Listed, EveryPredictor, testing::ValuesIn(examples()));

}  // namespace
}  // namespace taut
