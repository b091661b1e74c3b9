#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/nearest.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

std::vector<Neighbour> brute_force(const MatrixF& data, const float* query, Index k) {
  std::vector<Neighbour> all;
  for (Index r = 0; r < data.rows(); ++r) {
    double square = 0;
    for (Index c = 0; c < data.cols(); ++c) {
      const double difference = static_cast<double>(data(r, c)) - static_cast<double>(query[c]);
      square += difference * difference;
    }
    all.push_back({square, r});
  }
  std::sort(all.begin(), all.end());
  all.resize(static_cast<std::size_t>(k));
  return all;
}

void expect_exact(const MatrixF& data, const MatrixF& queries, Index k) {
  using Make = std::unique_ptr<Nearest> (*)(const MatrixF&);
  for (const Make make : {nearest_by_tree, nearest_by_products}) {
    std::vector<std::vector<Neighbour>> found(static_cast<std::size_t>(queries.rows()));
    make(data)->search(queries, k, 2, [&](Index q, std::span<const Neighbour> neighbours) {
      found[static_cast<std::size_t>(q)].assign(neighbours.begin(), neighbours.end());
    });
    for (Index q = 0; q < queries.rows(); ++q)
      ASSERT_EQ(found[static_cast<std::size_t>(q)], brute_force(data, queries.row(q).data(), k))
          << (make == nearest_by_tree ? "tree" : "products") << ", query " << q;
  }
}

MatrixF random_matrix(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, columns, [&] { return static_cast<float>(random.normal()); });
}

TEST(Nearest, IsExactInAnyNumberOfColumns) {
  for (const Index columns : {1, 2, 3, 8, 17, 60})
    expect_exact(random_matrix(1111, columns, 1), random_matrix(150, columns, 2), 16);
}

TEST(Nearest, IsExactForAnyNumberOfRowsAndNeighbours) {
  for (const Index rows : {1, 2, 15, 16, 17, 33, 200})
    for (const Index k : {Index{1}, Index{7}, rows})
      expect_exact(random_matrix(rows, 3, 1), random_matrix(20, 3, 2), std::min(k, rows));
}

// On a lattice most distances are tied, and among ties the earlier rows come first.
TEST(Nearest, BreaksTiesByTheOrderOfRows) {
  MatrixF lattice = random_matrix(900, 3, 1);
  lattice = lattice.array().round();
  expect_exact(lattice, lattice.topRows(200), 20);
  expect_exact(MatrixF::Ones(300, 4), MatrixF::Ones(3, 4), 40);
}

// Far from the origin |x|² - 2x·q + |q|² loses all digits in single precision; tiny and huge numbers leave its range.
TEST(Nearest, IsExactWhereSinglePrecisionFails) {
  for (const Index columns : {3, 20}) {
    const MatrixF data = random_matrix(700, columns, 1), queries = random_matrix(60, columns, 2);
    expect_exact(data.array() + 3000.0F, queries.array() + 3000.0F, 10);
    expect_exact(data * 1e-22F, queries * 1e-22F, 10);
    expect_exact(data * 1e25F, queries * 1e25F, 10);
    expect_exact(data, queries * 1e25F, 10);
  }
}

std::vector<double> predicted(const Predictor& predictor, const MatrixF& x) {
  std::vector<double> f(static_cast<std::size_t>(x.rows()));
  predictor.predict(x, f, 1);
  return f;
}

Archive saved(const Predictor& predictor) {
  Archive archive;
  predictor.save(archive);
  return archive;
}

TEST(Knn, IsTheMeanOfTheNearest) {
  const MatrixF x = random_matrix(500, 3, 1), fresh = random_matrix(100, 3, 2);
  Random random(3);
  std::vector<double> y(500);
  for (double& value : y) value = random.normal();
  auto knn = predictors().make("knn");
  knn->fit(x, all_rows(x.rows()), y, {}, taut::ExecutionContext{.threads = 1});
  const Index k = saved(*knn).integer("neighbours");
  const auto f = predicted(*knn, fresh);
  for (Index q = 0; q < fresh.rows(); ++q) {
    double sum = 0;
    for (const Neighbour& neighbour : brute_force(x, fresh.row(q).data(), k)) sum += y[static_cast<std::size_t>(neighbour.row)];
    ASSERT_DOUBLE_EQ(f[static_cast<std::size_t>(q)], sum / static_cast<double>(k));
  }
}

// Pure noise needs many neighbours, a clean steep function few.
TEST(Knn, ChoosesKByPredictionOfRowsItDidNotSee) {
  const MatrixF x = random_matrix(800, 1, 1);
  Random random(3);
  std::vector<double> noise, clean;
  for (Index r = 0; r < x.rows(); ++r) {
    noise.push_back(random.normal());
    clean.push_back(std::sin(20 * static_cast<double>(x(r, 0))));
  }
  auto knn = predictors().make("knn");
  knn->fit(x, all_rows(x.rows()), noise, {}, taut::ExecutionContext{.threads = 1});
  EXPECT_EQ(saved(*knn).integer("neighbours"), 32);
  knn->fit(x, all_rows(x.rows()), clean, {}, taut::ExecutionContext{.threads = 1});
  EXPECT_LE(saved(*knn).integer("neighbours"), 4);
}

TEST(Knn, KeepsAtMostTheRowsAskedFor) {
  const MatrixF x = random_matrix(300, 2, 1);
  const std::vector<double> y(300, 0.0);
  const auto kept = [&](std::uint64_t seed, Index maximum) {
    PredictorSettings settings;
    settings.seed = seed;
    settings.knn_rows = maximum;
    auto knn = predictors().make("knn");
    knn->fit(x, all_rows(x.rows()), y, settings, taut::ExecutionContext{.threads = 1});
    return saved(*knn).get<MatrixF>("rows");
  };
  EXPECT_EQ(kept(1, 1000), x);
  EXPECT_EQ(kept(1, 50).rows(), 50);
  EXPECT_EQ(kept(1, 50), kept(1, 50));
  EXPECT_NE(kept(1, 50), kept(2, 50));
  EXPECT_THROW(kept(1, 0), UsageError);
}

TEST(Knn, ADamagedFileIsRefused) {
  const MatrixF x = random_matrix(30, 2, 1);
  auto knn = predictors().make("knn");
  knn->fit(x, all_rows(x.rows()), std::vector<double>(30, 0.0), {}, taut::ExecutionContext{.threads = 1});
  const auto load = [&](const std::string& name, Archive::Value value) {
    Archive archive = saved(*knn);
    archive.put(name, std::move(value));
    predictors().make("knn")->load(archive, 2);
  };
  EXPECT_NO_THROW(load("neighbours", std::int64_t{30}));
  EXPECT_THROW(load("neighbours", std::int64_t{0}), Error);
  EXPECT_THROW(load("neighbours", std::int64_t{31}), Error);
  EXPECT_THROW(load("targets", std::vector<double>(29)), Error);
  EXPECT_THROW(load("targets", std::vector<double>(30, missing)), Error);
  EXPECT_THROW(load("rows", MatrixF::Zero(30, 3).eval()), Error);
  EXPECT_THROW(load("rows", MatrixF::Constant(30, 2, std::nanf("")).eval()), Error);
  EXPECT_THROW(load("rows", MatrixF(0, 2)), Error);
}

}  // namespace
}  // namespace taut
