// Properties of the elastic net only; predictor_test.cpp has those of every predictor.
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/predict/elastic_sums.hpp>
#include <taut/predict/predictor.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace taut {
namespace {

struct Problem {
  Eigen::MatrixXd x;
  Eigen::VectorXd y;
};

// Correlated columns, of which five have an effect.
Problem correlated(Index rows, Index columns, std::uint64_t seed) {
  Random random(seed);
  Problem p{Eigen::MatrixXd(rows, columns), Eigen::VectorXd(rows)};
  for (Index r = 0; r < rows; ++r) {
    const double common = random.normal();
    for (Index c = 0; c < columns; ++c) p.x(r, c) = 0.6 * common + 0.8 * random.normal();
    p.y[r] = 0.5 * random.normal();
    for (Index c = 0; c < 5; ++c) p.y[r] += (c % 2 == 0 ? 1 : -2) * p.x(r, c);
  }
  p.x.rowwise() -= p.x.colwise().mean().eval();
  p.y.array() -= p.y.mean();
  return p;
}

// A weight is optimal exactly if the gradient of the squared error balances that of the penalty, or is at most α λ where the
// weight is 0.
void expect_optimal(const Problem& p, const Eigen::VectorXd& w, double mixing, double penalty) {
  const Eigen::VectorXd slopes = p.x.transpose() * (p.y - p.x * w) / static_cast<double>(p.x.rows());
  for (Index j = 0; j < w.size(); ++j) {
    if (w[j] == 0) {
      EXPECT_LE(std::abs(slopes[j]), mixing * penalty + 1e-6) << j;
    } else {
      EXPECT_NEAR(slopes[j], penalty * (std::copysign(mixing, w[j]) + (1 - mixing) * w[j]), 1e-6) << j;
    }
  }
}

TEST(CoordinateDescent, EverySolutionOfAPathIsOptimalInBothForms) {
  for (const Index columns : {8, 120})
    for (const double mixing : {1.0, 0.5, 0.1}) {
      const Problem p = correlated(60, columns, 1);
      const auto n = static_cast<double>(p.x.rows());
      const Eigen::MatrixXd gram = p.x.transpose() * p.x / n;
      ElasticDescent by_gram(GramProblem(gram, p.x.transpose() * p.y / n), mixing, 1e-14);
      ElasticDescent by_rows(RowsProblem(p.x, p.y), mixing, 1e-14);
      const double top = (p.x.transpose() * p.y / n).cwiseAbs().maxCoeff() / mixing;
      for (double penalty = top; penalty > top / 20; penalty *= 0.7) {
        by_gram.solve(penalty);
        by_rows.solve(penalty);
        expect_optimal(p, by_gram.weights(), mixing, penalty);
        expect_optimal(p, by_rows.weights(), mixing, penalty);
        if (penalty == top) {
          EXPECT_LT(by_rows.weights().cwiseAbs().maxCoeff(), 1e-12);
        }
      }
    }
}

struct Sample {
  MatrixF x;
  std::vector<double> y;
};

// Of `columns` columns the first `matter` have an effect.
Sample linear_sample(Index rows, Index columns, Index matter, double noise, std::uint64_t seed) {
  Random random(seed);
  Sample s{MatrixF(rows, columns), {}};
  for (Index r = 0; r < rows; ++r) {
    double y = noise * random.normal();
    for (Index c = 0; c < columns; ++c) {
      s.x(r, c) = static_cast<float>(random.normal());
      if (c < matter) y += (c % 2 == 0 ? 1 : -1) * static_cast<double>(s.x(r, c)) / std::sqrt(static_cast<double>(matter));
    }
    s.y.push_back(y);
  }
  return s;
}

std::unique_ptr<Predictor> fitted(const char* name, const Sample& s, int threads = 1) {
  auto predictor = predictors().make(name);
  predictor->fit(s.x, all_rows(s.x.rows()), s.y, {}, taut::ExecutionContext{.threads = threads});
  return predictor;
}

double square_error(const Predictor& predictor, const Sample& s) {
  std::vector<double> f(s.y.size());
  predictor.predict(s.x, f, 1);
  double sum = 0;
  for (std::size_t i = 0; i < f.size(); ++i) sum += std::pow(f[i] - s.y[i], 2) / static_cast<double>(f.size());
  return sum;
}

// 200 rows, 1,000 columns, ten with an effect: only the noise remains, and few weights are not zero.
TEST(Elastic, FindsTheColumnsThatMatter) {
  const Sample train = linear_sample(200, 1000, 10, 0.3, 1), test = linear_sample(1000, 1000, 10, 0, 2);
  const auto elastic = fitted("elastic", train);
  EXPECT_LT(square_error(*elastic, test), 0.04);
  EXPECT_GT(square_error(*fitted("linear", train), test), 0.5);
  Archive archive;
  elastic->save(archive);
  EXPECT_LT(archive.get<std::vector<double>>("weights").size(), 150U);
}

TEST(Elastic, IsAsGoodAsRidgeWhereEverythingMatters) {
  for (const Index rows : {60, 500}) {
    const Sample train = linear_sample(rows, 40, 40, 1, 3), test = linear_sample(2000, 40, 40, 0, 4);
    EXPECT_LT(square_error(*fitted("elastic", train), test), 1.15 * square_error(*fitted("linear", train), test)) << rows;
  }
}

// 300 categories with a few rows each: with the right shrinkage, the mean error is that of the best linear estimate.
TEST(Elastic, CategoriesWithFewRowsAreShrunk) {
  constexpr Index rows = 2000, categories = 300;
  Random random(5);
  std::vector<double> effects;
  for (Index c = 0; c < categories; ++c) effects.push_back(random.normal());
  Sample s{MatrixF::Zero(rows, categories), {}};
  std::vector<double> truth, sums(categories), counts(categories), best;
  std::vector<std::size_t> of_row;
  for (Index r = 0; r < rows; ++r) {
    const auto c = static_cast<std::size_t>(static_cast<double>(categories) * std::pow(random.uniform(), 2));
    s.x(r, static_cast<Index>(c)) = 1;
    truth.push_back(effects[c]);
    s.y.push_back(effects[c] + 2 * random.normal());
    sums[c] += s.y.back();
    counts[c] += 1;
    of_row.push_back(c);
  }
  double ideal = 0, got = 0;
  std::vector<double> f(static_cast<std::size_t>(rows));
  fitted("elastic", s)->predict(s.x, f, 1);
  for (std::size_t r = 0; r < f.size(); ++r) {
    ideal += std::pow(sums[of_row[r]] / (counts[of_row[r]] + 4) - truth[r], 2);  // the posterior mean: noise variance 4
    got += std::pow(f[r] - truth[r], 2);
  }
  EXPECT_LT(got, 1.1 * ideal);
}

TEST(Elastic, OddInputsGiveFinitePredictions) {
  Sample s = linear_sample(80, 6, 2, 0.1, 6);
  s.x.col(3).setZero();
  s.x.col(4) = s.x.col(0);
  s.x(7, 5) = 1e9F;
  const auto predictor = fitted("elastic", s);
  const MatrixF far = MatrixF::Constant(1, 6, -1e9F);
  double f = 0;
  predictor->predict(far, {&f, 1}, 1);
  EXPECT_TRUE(std::isfinite(f));
  EXPECT_LT(square_error(*predictor, s), 0.1);
}

TEST(Elastic, SameBitsForAnyNumberOfThreads) {
  for (const Index columns : {20, 300}) {
    const Sample s = linear_sample(200, columns, 5, 0.5, 7);
    std::vector<double> one(200), three(200);
    fitted("elastic", s, 1)->predict(s.x, one, 1);
    fitted("elastic", s, 3)->predict(s.x, three, 2);
    EXPECT_EQ(one, three);
  }
}

TEST(Elastic, CanBeStopped) {
  const Sample s = linear_sample(100, 5, 2, 0.1, 8);
  taut::ExecutionContext context;
  context.cancelled = [] { return true; };
  EXPECT_THROW(predictors().make("elastic")->fit(s.x, all_rows(100), s.y, {}, context), Interrupted);
}

TEST(Elastic, ADamagedFileIsRefused) {
  const auto load = [](double intercept, const std::vector<std::int32_t>& columns, const std::vector<double>& weights) {
    Archive archive;
    archive.put("intercept", intercept);
    archive.put("columns", columns);
    archive.put("weights", weights);
    predictors().make("elastic")->load(archive, 2);
  };
  EXPECT_NO_THROW(load(0, {1}, {2}));
  EXPECT_NO_THROW(load(0, {}, {}));
  EXPECT_THROW(load(0, {1}, {1, 2}), Error);
  EXPECT_THROW(load(0, {2}, {1}), Error);
  EXPECT_THROW(load(0, {-1}, {1}), Error);
  EXPECT_THROW(load(0, {1}, {infinity}), Error);
  EXPECT_THROW(load(missing, {1}, {1}), Error);
}

}  // namespace
}  // namespace taut
