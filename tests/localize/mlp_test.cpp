#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/localize/localizer.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <new>

// Eigen allocates by malloc, the standard library by new, which calls malloc. With glibc both can be counted here.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define TAUT_COUNTS_ALLOCATIONS
namespace {
std::atomic<long> allocations{0};
}
extern "C" void* __libc_malloc(std::size_t size);  // NOLINT(bugprone-reserved-identifier)
extern "C" void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
#endif

namespace taut {
namespace {

constexpr Index inputs = 6;

MatrixF random_inputs(Index rows, std::uint64_t seed) {
  Random random(seed);
  return MatrixF::NullaryExpr(rows, inputs, [&] { return static_cast<float>(random.normal()); });
}

std::unique_ptr<Localizer> loaded(const Archive& archive, Index outputs) {
  auto localizer = localizers().make("mlp");
  localizer->load(archive, inputs, outputs);
  return localizer;
}

Archive saved(const Localizer& localizer) {
  Archive archive;
  localizer.save(archive);
  return archive;
}

// L = Σ coefficients ⊙ g(x), by a network read from the archive.
double loss(const Archive& archive, const MatrixF& x, const Matrix& coefficients) {
  Matrix g(x.rows(), coefficients.cols());
  loaded(archive, coefficients.cols())->evaluate(x, g, 1);
  return (g.array() * coefficients.array()).sum();
}

// Calls visit(name, index, value) for each weight and bias.
template <class Visit>
void each_parameter(const Archive& archive, const Visit& visit) {
  for (const std::string& name : archive.names()) {
    if (name.ends_with("/weights")) {
      const auto& weights = archive.get<MatrixF>(name);
      for (Index i = 0; i < weights.size(); ++i) visit(name, i, weights.data()[i]);
    } else if (name.ends_with("/bias")) {
      const auto& bias = archive.get<std::vector<float>>(name);
      for (Index i = 0; i < std::ssize(bias); ++i) visit(name, i, bias[static_cast<std::size_t>(i)]);
    }
  }
}

Archive with(const Archive& archive, const std::string& name, Index index, float value) {
  Archive changed = Archive::decode(archive.encode());
  if (name.ends_with("/weights")) {
    MatrixF weights = archive.get<MatrixF>(name);
    weights.data()[index] = value;
    changed.put(name, weights);
  } else {
    auto bias = archive.get<std::vector<float>>(name);
    bias[static_cast<std::size_t>(index)] = value;
    changed.put(name, bias);
  }
  return changed;
}

// ∂L/∂parameter of L = Σ coefficients ⊙ g over some rows, read off one step of Adam. Its first step is -rate·d/(|d| + ε): with
// coefficients shrunk to ε = 1e-8 the step shows not only the sign of d but its size, d = -ε·step/(rate - |step|).
std::vector<double> derivatives(const MatrixF& x, RowsView rows, const Matrix& coefficients, LocalizerSettings settings) {
  settings.rate = 1.0;  // large against the rounding of the weights
  auto localizer = localizers().make("mlp");
  const std::vector<double> initial(static_cast<std::size_t>(coefficients.cols()), 0.3);
  localizer->start(x, all_rows(x.rows()), all_rows(1), initial, settings, taut::ExecutionContext{});
  std::vector<double> result;
  each_parameter(saved(*localizer), [&](const std::string&, Index, float value) { result.push_back(value); });
  localizer->forward(rows);
  localizer->update(rows, 1e-8 * coefficients, coefficients);
  std::size_t at = 0;
  each_parameter(saved(*localizer), [&](const std::string&, Index, float value) {
    const double step = static_cast<double>(value) - result[at];
    result[at++] = -step / (1 - std::abs(step));
  });
  return result;
}

Matrix random_coefficients(Index rows, Index outputs) {
  Random random(2);
  return Matrix::NullaryExpr(rows, outputs, [&] { return random.normal(); });
}

TEST(Mlp, BackPropagationAgreesWithDifferencesForEveryParameter) {
  constexpr Index rows = 21, outputs = 2;
  const MatrixF x = random_inputs(rows, 1);
  const Matrix coefficients = random_coefficients(rows, outputs);
  LocalizerSettings settings;
  settings.hidden = {7, 19, 5};
  settings.batch = rows;
  const std::vector<double> derivative = derivatives(x, all_rows(rows), coefficients, settings);

  auto localizer = localizers().make("mlp");
  const double initial[] = {0.3, 0.3};
  localizer->start(x, all_rows(x.rows()), all_rows(1), initial, settings, taut::ExecutionContext{});
  const Archive start = saved(*localizer);
  const double centre = loss(start, x, coefficients);
  std::size_t at = 0;
  int compared = 0;
  each_parameter(start, [&](const std::string& name, Index index, float value) {
    constexpr float h = 0x1p-7F;
    const double above = (loss(with(start, name, index, value + h), x, coefficients) - centre) / h;
    const double below = (centre - loss(with(start, name, index, value - h), x, coefficients)) / h;
    const double expected = (above + below) / 2;
    // A network of ReLUs is piecewise linear in one parameter. Where the two one-sided slopes differ, there is a kink within the
    // step.
    const bool bends = std::abs(above - below) > 1e-3 * (1 + std::abs(above));
    if (!bends) {
      EXPECT_NEAR(derivative[at], expected, 1e-3 * (1 + std::abs(expected))) << name << '[' << index << ']';
      compared += std::abs(expected) > 0.01;
    }
    ++at;
  });
  EXPECT_GT(compared, 150) << "of " << at << " parameters";
}

// A batch of more than 1024 rows goes through the network in parts. The gradient of a sum is the sum of gradients.
TEST(Mlp, ALargeBatchInPartsHasTheGradientOfTheWhole) {
  constexpr Index rows = 2500;
  const MatrixF x = random_inputs(rows, 1);
  const Rows all = all_rows(rows);
  const Matrix coefficients = random_coefficients(rows, 1) / 50;
  LocalizerSettings settings;
  settings.hidden = {20, 20};
  settings.batch = rows;
  const auto whole = derivatives(x, all, coefficients, settings);
  std::vector<double> sum(whole.size());
  for (Index begin = 0; begin < rows; begin += 500) {
    settings.batch = 500;
    const auto part = derivatives(x, RowsView(all).subspan(static_cast<std::size_t>(begin), 500),
                                  coefficients.middleRows(begin, 500), settings);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += part[i];
  }
  for (std::size_t i = 0; i < sum.size(); ++i) EXPECT_NEAR(whole[i], sum[i], 1e-4 * (1 + std::abs(sum[i]))) << i;
}

TEST(Mlp, TheStepIsAdamsToRounding) {
  const MatrixF x = MatrixF::Zero(4, inputs);  // then only the biases of the last layer have a gradient, which is known by hand
  const Rows all = all_rows(4);
  LocalizerSettings settings;
  settings.hidden = {3};
  settings.rate = 0.01;
  settings.batch = 4;
  const double initial[] = {1.0};
  auto localizer = localizers().make("mlp");
  localizer->start(x, all_rows(x.rows()), all_rows(1), initial, settings, taut::ExecutionContext{});
  double m = 0, v = 0, w = 1.0;
  Matrix g(1, 1);
  for (int t = 1; t <= 50; ++t) {
    const double d = std::sin(t);
    localizer->forward(all);
    localizer->update(all, Matrix::Constant(4, 1, d / 4), Matrix::Ones(4, 1));
    m = 0.9 * m + 0.1 * d;
    v = 0.999 * v + 0.001 * d * d;
    w -= 0.01 * (m / (1 - std::pow(0.9, t))) / (std::sqrt(v / (1 - std::pow(0.999, t))) + 1e-8);
    localizer->evaluate(x.topRows(1), g, 1);
    ASSERT_NEAR(g(0, 0), w, 1e-5) << t;
  }
}

#ifdef TAUT_COUNTS_ALLOCATIONS
TEST(Mlp, AStepAllocatesNothing) {
  const MatrixF x = random_inputs(100, 1);  // 100 = 6·16 + 4: the last batch is a short one
  const double initial[] = {0.0};
  auto localizer = localizers().make("mlp");
  localizer->start(x, all_rows(x.rows()), all_rows(20), initial, {}, taut::ExecutionContext{.threads = 1});
  const Rows all = all_rows(100);
  const Matrix gradient = Matrix::Ones(16, 1);
  const Matrix short_gradient = Matrix::Ones(4, 1);
  const long before_probe = allocations;
  void* volatile probe = std::malloc(1);  // NOLINT: shows that malloc is counted; volatile, or a compiler may remove the pair
  std::free(probe);                       // NOLINT
  ASSERT_GT(allocations, before_probe);
  const long before = allocations;
  for (int epoch = 0; epoch < 3; ++epoch)
    for (std::size_t begin = 0; begin < all.size(); begin += 16) {
      const RowsView rows = RowsView(all).subspan(begin, std::min<std::size_t>(16, all.size() - begin));
      localizer->forward(rows);
      localizer->update(rows, rows.size() == 16 ? gradient : short_gradient, gradient);
    }
  EXPECT_EQ(allocations, before);
}
#endif

TEST(Mlp, AnyShapeServes) {
  const MatrixF x = random_inputs(40, 1);
  const Rows all = all_rows(40);
  const double initial[] = {0.25, 0.5, 0.75};
  for (const std::vector<Index>& hidden : {std::vector<Index>{}, {1}, {16}, {17, 15}, {130}, {3, 200, 1}}) {
    LocalizerSettings settings;
    settings.hidden = hidden;
    auto localizer = localizers().make("mlp");
    localizer->start(x, all_rows(x.rows()), all_rows(5), initial, settings, taut::ExecutionContext{});
    for (int step = 0; step < 5; ++step) localizer->update(all, localizer->forward(all) / 40, Matrix());
    EXPECT_TRUE(localizer->validation().allFinite());
    EXPECT_EQ(loaded(saved(*localizer), 3)->accepts_missing(), false);
  }
  LocalizerSettings settings;
  settings.hidden = {10, 0};
  EXPECT_THROW(
      localizers().make("mlp")->start(x, all_rows(x.rows()), all_rows(x.rows()), initial, settings, taut::ExecutionContext{}),
      UsageError);
}

// Far from the training rows the network would extrapolate linearly, and e^g of that would be a useless width.
TEST(Mlp, InputsAreHeldInTheirRangeOnTrainingRows) {
  const MatrixF x = random_inputs(64, 1);
  const double initial[] = {0.0};
  auto localizer = localizers().make("mlp");
  localizer->start(x, all_rows(x.rows()), all_rows(x.rows()), initial, {}, taut::ExecutionContext{});
  MatrixF outside = 1000 * random_inputs(64, 2), edge = outside;
  for (Index k = 0; k < inputs; ++k) edge.col(k) = outside.col(k).cwiseMax(x.col(k).minCoeff()).cwiseMin(x.col(k).maxCoeff());
  Matrix far(64, 1), at_edge(64, 1), back(64, 1);
  localizer->evaluate(outside, far, 1);
  localizer->evaluate(edge, at_edge, 1);
  EXPECT_EQ(far, at_edge);
  const Archive archive = saved(*localizer);
  loaded(archive, 1)->evaluate(outside, back, 1);
  EXPECT_EQ(back, far);
  for (const auto& minimum :
       {std::vector<float>(inputs - 1), std::vector<float>(inputs, 1e9F), std::vector<float>(inputs, NAN)}) {
    Archive damaged = Archive::decode(archive.encode());
    damaged.put("least", minimum);
    EXPECT_THROW(loaded(damaged, 1), Error);
  }
}

TEST(Mlp, ADamagedNetworkIsRefused) {
  const MatrixF x = random_inputs(40, 1);
  const double initial[] = {0.0};
  auto localizer = localizers().make("mlp");
  localizer->start(x, all_rows(x.rows()), all_rows(x.rows()), initial, {}, taut::ExecutionContext{});
  const Archive good = saved(*localizer);
  EXPECT_NO_THROW(loaded(good, 1));
  const auto damaged = [&](const std::string& name, Archive::Value value) {
    Archive archive = Archive::decode(good.encode());
    archive.put(name, std::move(value));
    return archive;
  };
  EXPECT_THROW(loaded(with(good, "layer2/weights", 5, std::nanf("")), 1), Error);
  EXPECT_THROW(loaded(with(good, "layer5/bias", 0, INFINITY), 1), Error);
  EXPECT_THROW(loaded(damaged("layer1/weights", MatrixF::Zero(99, 100).eval()), 1), Error);
  EXPECT_THROW(loaded(damaged("layer1/bias", std::vector<float>(99)), 1), Error);
  EXPECT_THROW(loaded(damaged("layers", std::int64_t{5}), 1), Error);
  EXPECT_THROW(loaded(damaged("layers", std::int64_t{0}), 1), Error);
  EXPECT_THROW(loaded(damaged("layers", std::int64_t{7}), 1), Error);
  auto other = localizers().make("mlp");
  EXPECT_THROW(other->load(good, inputs + 1, 1), Error);
}

}  // namespace
}  // namespace taut
