#include <taut/core/error.hpp>
#include <taut/trees/booster.hpp>
#include <tests/trees/support.hpp>

#include <gtest/gtest.h>

#include <map>

namespace taut {
namespace {

Matrix margins(const Booster& booster, std::span<const std::uint32_t> rows) {
  Matrix some(std::ssize(rows), booster.margins().cols());
  for (Index i = 0; i < some.rows(); ++i) some.row(i) = booster.margins().row(rows[static_cast<std::size_t>(i)]).cast<double>();
  return some;
}

std::shared_ptr<const BinnedInputs> binned(const MatrixF& x, const BoosterSettings& settings) {
  return std::make_shared<const BinnedInputs>(x, settings.bins, settings.threads);
}

Booster squared_error(const MatrixF& x, const MatrixF& validation, const Matrix& y, Index rounds, BoosterSettings settings) {
  settings.outputs = y.cols();
  const Rows rows = all_rows(x.rows() + validation.rows());
  const auto train = static_cast<std::size_t>(x.rows());
  MatrixF both(x.rows() + validation.rows(), x.cols());
  both << x, validation;
  Booster booster(binned(both, settings), RowsView(rows).first(train), RowsView(rows).subspan(train), settings);
  const Matrix curvature = Matrix::Ones(y.rows(), y.cols());
  for (Index round = 0; round < rounds; ++round) booster.boost(margins(booster, booster.train_rows()) - y, curvature);
  return booster;
}

Matrix evaluate(const Forest& forest, const MatrixF& x, int threads = 2) {
  Matrix out(x.rows(), forest.outputs());
  forest.evaluate(x, out, threads);
  return out;
}

void expect_same(const Forest& a, const Forest& b) {
  Archive first, second;
  a.save(first);
  b.save(second);
  EXPECT_EQ(first.encode(), second.encode());
}

// Margins of training rows (kept from leaf to leaf), of validation rows (by bins) and of the forest (by thresholds) agree.
TEST(Booster, ForestRepeatsTheMarginsToTheLastBit) {
  for (const double missing_share : {0.0, 0.2})
    for (const Index outputs : {1, 2, 3})
      for (const Index depth : {1, 4, 9}) {
        const MatrixF x = random_inputs(1500, 5, 1, missing_share), v = random_inputs(333, 5, 2, missing_share);
        auto booster = squared_error(x, v, random_targets(x, outputs, 3), 40, {.depth = depth, .rate = 0.3});
        const Forest forest = booster.forest();
        EXPECT_EQ(forest.rounds(), 40);
        EXPECT_LE(forest.depth(), depth);
        EXPECT_GT(forest.nodes(), 40);
        const Matrix ours = evaluate(forest, x), ours_v = evaluate(forest, v);
        EXPECT_TRUE((ours.array() == margins(booster, booster.train_rows()).array()).all()) << outputs << " " << depth;
        EXPECT_TRUE((ours_v.array() == margins(booster, booster.validation_rows()).array()).all()) << outputs << " " << depth;
        std::vector<double> row(static_cast<std::size_t>(outputs));
        for (Index i = 0; i < v.rows(); ++i) {
          forest.evaluate_row({v.row(i).data(), 5}, row);
          for (Index k = 0; k < outputs; ++k) EXPECT_EQ(row[static_cast<std::size_t>(k)], ours_v(i, k));
        }
      }
}

// Enough rows that several threads work on one node, and then on its subtrees.
TEST(Booster, SameForestForAnyNumberOfThreads) {
  const MatrixF x = random_inputs(20'000, 12, 1, 0.05);
  const Matrix y = random_targets(x, 2, 2);
  const auto grow = [&](int threads) {
    return squared_error(x, MatrixF(0, 12), y, 8,
                         {.depth = 7, .row_share = 0.9, .column_share = 0.7, .seed = 5, .threads = threads})
        .forest();
  };
  const Forest one = grow(1);
  for (const int threads : {2, 3, 8}) expect_same(one, grow(threads));
}

TEST(Booster, SeedDecidesTheSampling) {
  const MatrixF x = random_inputs(500, 4, 1);
  const Matrix y = random_targets(x, 1, 2);
  const auto nodes = [&](std::uint64_t seed) {
    Archive archive;
    squared_error(x, MatrixF(0, 4), y, 5, {.row_share = 0.5, .seed = seed}).forest().save(archive);
    return archive.encode();
  };
  EXPECT_EQ(nodes(1), nodes(1));
  EXPECT_NE(nodes(1), nodes(2));
}

TEST(Booster, Learns) {
  const MatrixF x = random_inputs(4000, 3, 1), test = random_inputs(1000, 3, 7);
  const Matrix y = random_targets(x, 1, 2), y_test = random_targets(test, 1, 8);
  const auto booster = squared_error(x, MatrixF(0, 3), y, 200, {.depth = 4, .rate = 0.1, .min_weight = 10});
  const double error = (evaluate(booster.forest(), test) - y_test).squaredNorm() / 1000;
  EXPECT_LT(error, 0.2);  // noise alone has .09, the targets' variance is above 3
}

TEST(Booster, GoesOnFromAnEarlierRound) {
  const MatrixF x = random_inputs(700, 4, 1, 0.1), v = random_inputs(100, 4, 2);
  const Matrix y = random_targets(x, 2, 3);
  const Matrix curvature = Matrix::Ones(y.rows(), y.cols());
  const auto straight = squared_error(x, v, y, 12, {.depth = 3}).forest();
  for (const Index kept : {0, 1, 7}) {
    auto booster = squared_error(x, v, y, kept, {.depth = 3});
    const auto grow = [&](Index rounds) {
      while (booster.rounds() < rounds) booster.boost(margins(booster, booster.train_rows()) - y, curvature);
    };
    booster.mark();
    for (int times = 0; times < 2; ++times) {
      booster.boost(y, curvature);
      booster.boost(y, curvature);
      booster.rewind();
      EXPECT_EQ(booster.rounds(), kept);
      EXPECT_EQ(booster.forest().rounds(), kept);
    }
    grow(9);
    booster.mark();
    grow(11);
    booster.rewind();
    grow(12);
    expect_same(booster.forest(), straight);
    EXPECT_TRUE((margins(booster, booster.train_rows()).array() == evaluate(straight, x).array()).all());
    EXPECT_TRUE((margins(booster, booster.validation_rows()).array() == evaluate(straight, v).array()).all());
  }
}

// Two folds of the same inputs: each is trained on its own rows only, and both share the bins.
TEST(Booster, TrainsOnSomeOfTheRows) {
  const MatrixF x = random_inputs(900, 4, 1, 0.1);
  const Matrix y = random_targets(x, 1, 2);
  const BoosterSettings settings{.depth = 3, .bins = 64};
  const auto bins = binned(x, settings);
  for (const Index fold : {0, 1}) {
    Rows train, held_out;
    for (Index row = 899; row >= 0; --row) (row % 3 == fold ? held_out : train).push_back(row);
    Booster booster(bins, train, RowsView(held_out).first(100), settings);
    Matrix target(std::ssize(train), 1);
    for (Index i = 0; i < target.rows(); ++i) target(i, 0) = y(train[static_cast<std::size_t>(i)], 0);
    for (int round = 0; round < 10; ++round)
      booster.boost(margins(booster, booster.train_rows()) - target, Matrix::Ones(target.rows(), 1));
    const Matrix all = evaluate(booster.forest(), x);
    for (const Index row : train) EXPECT_EQ(all(row, 0), static_cast<double>(booster.margins()(row, 0)));
    for (std::size_t i = 0; i < held_out.size(); ++i)
      EXPECT_EQ(static_cast<double>(booster.margins()(held_out[i], 0)), i < 100 ? all(held_out[i], 0) : 0.0);
  }
}

TEST(Booster, TakesStrangeColumns) {
  MatrixF x = random_inputs(300, 6, 1);
  x.col(1).setConstant(4);
  x.col(2).setConstant(std::numeric_limits<float>::quiet_NaN());
  for (Index i = 0; i < 300; i += 3)
    x(i, 3) = i % 2 == 0 ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
  x.col(4) *= 1e38F;
  const auto booster = squared_error(x, x.topRows(50), random_targets(x, 1, 3), 20, {.depth = 4});
  const Matrix ours = evaluate(booster.forest(), x);
  EXPECT_TRUE((ours.array() == margins(booster, booster.train_rows()).array()).all());
  EXPECT_TRUE((ours.topRows(50).array() == margins(booster, booster.validation_rows()).array()).all());
}

TEST(Booster, TakesABlockOfRowsOfAWiderMatrix) {
  const MatrixF wide = random_inputs(400, 7, 1);
  const MatrixF x = wide.leftCols(4);
  const Matrix y = random_targets(x, 1, 3);
  const auto grow = [&](const Inputs& inputs) {
    Booster booster(inputs, {});
    for (int round = 0; round < 5; ++round) booster.boost(booster.margins().cast<double>() - y, Matrix::Ones(400, 1));
    return booster.forest();
  };
  expect_same(grow(x), grow(wide.leftCols(4)));
}

// Row numbers have 32 bits, those of validation rows too.
TEST(Booster, RefusesMoreRowsThanItsNumbersCanTell) {
  constexpr Index maximum = 4'294'967'295;
  EXPECT_NO_THROW(check_boosting(1, maximum, 1));
  EXPECT_NO_THROW(check_boosting(maximum, maximum, 1));
  EXPECT_THROW(check_boosting(1, maximum + 1, 1), Error);
  EXPECT_THROW(check_boosting(maximum + 1, maximum + 1, 1), Error);
  EXPECT_THROW(check_boosting(0, 10, 1), Error);
  EXPECT_THROW(check_boosting(10, 10, 0), Error);
}

TEST(Booster, RefusesRowsThatTheInputsDoNotHave) {
  const auto bins = binned(random_inputs(20, 2, 1), {});
  const Rows good{0, 19}, behind{0, 20}, before{-1};
  EXPECT_NO_THROW(Booster(bins, good, good, {}));
  for (const Rows& bad : {behind, before}) {
    EXPECT_THROW(Booster(bins, bad, good, {}), Error);
    EXPECT_THROW(Booster(bins, good, bad, {}), Error);
  }
}

TEST(Booster, RefusesWhatItCannotGrow) {
  const MatrixF x = random_inputs(20, 2, 1);
  EXPECT_THROW(Booster(MatrixF(0, 2), {}), Error);
  EXPECT_THROW(Booster(MatrixF(5, 0), {}), Error);
  Booster booster(x, {});
  EXPECT_THROW(booster.boost(Matrix::Constant(20, 1, missing), Matrix::Ones(20, 1)), Error);
  EXPECT_THROW(booster.boost(Matrix::Constant(20, 1, infinity), Matrix::Ones(20, 1)), Error);
}

// Each leaf adds the value that the callback returns, here the number of its rows: in the margins and in the forest, for subtrees
// that are grown separately too.
TEST(Booster, LeavesTakeTheValuesThatTheyAreGiven) {
  const MatrixF x = random_inputs(20'000, 4, 3, 0.1);
  const Matrix y = random_targets(x, 1, 4), curvature = Matrix::Ones(x.rows(), 1);
  for (const int threads : {1, 2}) {
    BoosterSettings settings;
    settings.rate = 0.5;
    settings.depth = 5;
    settings.threads = threads;
    Booster booster(x, settings);
    booster.boost(-y, curvature, 1, [](std::span<const GradientRow> rows) { return static_cast<double>(rows.size()); });
    std::map<double, Index> rows_with;
    for (Index row = 0; row < x.rows(); ++row) ++rows_with[static_cast<double>(booster.margins()(row, 0))];
    EXPECT_GT(rows_with.size(), 10U);
    for (const auto& [margin, rows] : rows_with) EXPECT_EQ(rows % static_cast<Index>(2 * margin), 0) << margin;
    EXPECT_EQ(evaluate(booster.forest(), x), booster.margins().cast<double>());
  }
}

}  // namespace
}  // namespace taut
