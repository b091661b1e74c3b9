// A row of weight w counts as w equal rows, for every listed predictor, its target's units and the stack.
#include <taut/predict/folded_predictor.hpp>
#include <taut/predict/stack_weights.hpp>
#include <tests/predict/smooth_sample.hpp>

#include <map>

namespace taut {
namespace {

// Two branches, y = 2a and y = −2a, the second with fewer rows but more weight: with weights f rises, without them it falls.
struct Branches {
  MatrixF x, repeated;
  std::vector<double> y, weights, repeated_y;
};

Branches branches(Index rows, std::uint64_t seed, double share_rising = 0.4) {
  Random random(seed);
  Branches sample;
  sample.x = testing::random_inputs(rows, 3, seed);
  Rows origin;
  for (Index r = 0; r < rows; ++r) {
    const bool rises = random.uniform() < share_rising;
    const double a = static_cast<double>(sample.x(r, 0));
    sample.y.push_back((rises ? 2 : -2) * a + 0.2 * static_cast<double>(sample.x(r, 1)) + 0.05 * random.normal());
    sample.weights.push_back(rises ? 4 : 1);
    for (double left = sample.weights.back(); left > 0; --left) origin.push_back(r);
  }
  sample.repeated.resize(std::ssize(origin), 3);
  for (Index i = 0; i < sample.repeated.rows(); ++i) sample.repeated.row(i) = sample.x.row(origin[static_cast<std::size_t>(i)]);
  sample.repeated_y = pick(sample.y, origin);
  return sample;
}

std::vector<double> points(const std::string& name, const MatrixF& x, const std::vector<double>& y, std::vector<double> weights,
                           const MatrixF& at, std::uint64_t seed, SearchEffort effort = SearchEffort::quick) {
  auto predictor = predictors().make(name);
  predictor->fit(InputPool(x, std::move(weights)), all_rows(x.rows()), y, {.seed = seed, .knn_rows = 4000, .effort = effort},
                 ExecutionContext{.threads = 1});
  const auto outputs = static_cast<std::size_t>(predictor->outputs());
  std::vector<double> all(static_cast<std::size_t>(at.rows()) * outputs), f(static_cast<std::size_t>(at.rows()));
  predictor->predict(at, all, 1);
  for (std::size_t i = 0; i < all.size(); ++i) f[i / outputs] += all[i] / static_cast<double>(outputs);
  return f;
}

double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]) / static_cast<double>(a.size());
  return sum;
}

class WeightedPredictor : public ::testing::TestWithParam<std::string> {};

// Held-out rows, inner folds and samples are random, and a repeated row that is on both sides gives away its target. The
// comparison is therefore with other rows of the population that the weights describe, in which the rising branch has 0.4 · 4 of
// 0.4 · 4 + 0.6. Means over seeds are compared.
TEST_P(WeightedPredictor, LearnsThePopulationThatTheWeightsDescribe) {
  const MatrixF at = testing::random_inputs(100, 3, 99);
  std::vector<double> weighted(100), described(100), plain(100);
  constexpr int seeds = 3;
  for (int seed = 0; seed < seeds; ++seed) {
    Branches sample = branches(500, 20 + static_cast<std::uint64_t>(seed));
    for (double& weight : sample.weights) weight /= 2.2;  // mean 1: these weights are no counts
    const Branches other = branches(500, 40 + static_cast<std::uint64_t>(seed), 1.6 / 2.2);
    const auto add = [&](std::vector<double>& mean, const std::vector<double>& f) {
      for (std::size_t i = 0; i < f.size(); ++i) mean[i] += f[i] / seeds;
    };
    add(weighted, points(GetParam(), sample.x, sample.y, sample.weights, at, 1));
    add(described, points(GetParam(), other.x, other.y, {}, at, 1));
    add(plain, points(GetParam(), sample.x, sample.y, {}, at, 1));
  }
  EXPECT_LT(distance(weighted, described), 0.6 * distance(plain, described)) << distance(plain, described);
}

TEST_P(WeightedPredictor, ComesBackFromAnArchiveToTheBit) {
  const Branches sample = branches(120, 3);
  auto predictor = predictors().make(GetParam());
  predictor->fit(InputPool(sample.x, sample.weights), all_rows(sample.x.rows()), sample.y,
                 {.knn_rows = 50, .effort = SearchEffort::quick}, {});
  Archive archive;
  predictor->save(archive);
  auto loaded = predictors().make(GetParam());
  loaded->load(Archive::decode(archive.encode()), 3);
  std::vector<double> a(static_cast<std::size_t>(120 * predictor->outputs())), b = a;
  predictor->predict(sample.x, a, 1);
  loaded->predict(sample.x, b, 2);
  EXPECT_EQ(a, b);
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  // Near the middle the weights decide which branch has the quantile.
  for (const auto& entry : predictors().entries())
    names.push_back(entry.name == "quantile" ? "quantile:0.35,0.5" : entry.example);
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, WeightedPredictor, ::testing::ValuesIn(all_names()),
                         [](const auto& info) { return info.param.substr(0, info.param.find(':')); });

// Without random parts (few rows hold none out) the same function: to the bit where sums are exact, else within rounding. The
// search for a kernel multiplies rounding errors.
TEST(RowWeights, PredictorsWithoutRandomPartsAreThoseOfRepeatedRows) {
  const std::map<std::string, double> tolerances = {{"symmetric", 0}, {"linear", 1e-9}, {"additive", 1e-5}, {"gp", 1e-3}};
  const MatrixF at = testing::random_inputs(50, 3, 99);
  for (const auto& [name, tolerance] : tolerances) {
    Branches sample = branches(name == "symmetric" ? 12 : 30, 7);
    for (double& y : sample.y) y = std::round(64 * y) / 64;  // both sums are exact, so the means and all gradients are the same
    for (double& y : sample.repeated_y) y = std::round(64 * y) / 64;
    const auto weighted = points(name, sample.x, sample.y, sample.weights, at, 1);
    const auto repeated = points(name, sample.repeated, sample.repeated_y, {}, at, 1);
    const auto plain = points(name, sample.x, sample.y, {}, at, 1);
    EXPECT_LE(distance(weighted, repeated), tolerance) << name;
    EXPECT_GT(distance(weighted, plain), 0.05) << name;
  }
}

// The mean of the nearest rows until their weights add up to K.
TEST(RowWeights, NearestRowsCountByTheirWeights) {
  MatrixF x(4, 1);
  x << 0, 1, 2, 3;
  auto knn = predictors().make("knn");
  Archive archive;
  archive.put("neighbours", std::int64_t{3});
  archive.put("rows", x);
  archive.put("targets", std::vector<double>{10, 20, 30, 40});
  archive.put("weights", std::vector<double>{0.5, 2, 1, 8});
  knn->load(archive, 1);
  MatrixF at(2, 1);
  at << -1, 4;
  std::vector<double> f(2);
  knn->predict(at, f, 1);
  EXPECT_DOUBLE_EQ(f[0], (0.5 * 10 + 2 * 20 + 0.5 * 30) / 3);
  EXPECT_DOUBLE_EQ(f[1], 40);
  archive.put("weights", std::vector<double>{1, 0, 1, 1});
  EXPECT_THROW(predictors().make("knn")->load(archive, 1), Error);
}

TEST(RowWeights, UnitsErrorsAndStackWeightsAreThoseOfRepeatedRows) {
  Random random(3);
  const std::vector<double> weights = {1, 3, 2, 5, 1, 4, 2, 2};
  Matrix predictions(std::ssize(weights), 3);
  std::vector<double> y;
  Rows origin;
  for (Index i = 0; i < predictions.rows(); ++i) {
    y.push_back(random.normal());
    for (Index k = 0; k < 3; ++k) predictions(i, k) = y.back() + random.normal();
    for (double left = weights[static_cast<std::size_t>(i)]; left > 0; --left) origin.push_back(i);
  }
  const Matrix repeated = predictions(origin, Eigen::all);
  const std::vector<double> repeated_y = pick(y, origin);
  EXPECT_NEAR(StandardUnits::of(y, weights).centre, StandardUnits::of(repeated_y).centre, 1e-14);
  EXPECT_NEAR(StandardUnits::of(y, weights).unit, StandardUnits::of(repeated_y).unit, 1e-14);
  EXPECT_NE(StandardUnits::of(y, weights).unit, StandardUnits::of(y).unit);
  for (Index k = 0; k < 3; ++k)
    EXPECT_NEAR(mean_absolute_error(predictions, k, y, weights), mean_absolute_error(repeated, k, repeated_y), 1e-14);
  for (const bool mean : {false, true}) {
    const auto own = stack_weights(predictions, y, weights, mean), other = stack_weights(repeated, repeated_y, {}, mean);
    for (std::size_t k = 0; k < own.size(); ++k) EXPECT_NEAR(own[k], other[k], 1e-6);
  }
  EXPECT_EQ(needed_in_stack(predictions, y, {0.5, 0.5, 0}, weights), needed_in_stack(repeated, repeated_y, {0.5, 0.5, 0}));
}

}  // namespace
}  // namespace taut
