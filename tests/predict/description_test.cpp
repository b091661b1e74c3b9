// Descriptions of predictors (taut/core/description.hpp) give the numbers that the predictors compute.
#include <tests/predict/smooth_sample.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using namespace taut::testing;

struct ValueAt {
  const float* x;

  double operator()(const DescribedTrees& trees) const {
    float sum = 0;
    std::size_t first = 0;
    for (const std::int32_t size : trees.sizes) {
      // The k-th inner node has its children at 2k + 1 and 2k + 2.
      std::size_t at = 0;
      while (trees.features[first + at] >= 0) {
        const auto inner = static_cast<std::size_t>(
            std::count_if(trees.features.begin() + static_cast<std::ptrdiff_t>(first),
                          trees.features.begin() + static_cast<std::ptrdiff_t>(first + at), [](auto f) { return f >= 0; }));
        const float cell = x[trees.features[first + at]];
        const bool left = std::isnan(cell) ? trees.missing_left[first + at] != 0 : cell < trees.values[first + at];
        at = 2 * inner + (left ? 1 : 2);
      }
      sum += trees.values[first + at];
      first += static_cast<std::size_t>(size);
    }
    return static_cast<double>(sum);
  }
  double operator()(const DescribedWeights& own) const {
    double sum = 0;
    for (std::size_t k = 0; k < own.weights.size(); ++k) sum += own.weights[k] * static_cast<double>(x[own.inputs[k]]);
    return sum;
  }
  double operator()(const DescribedSplines& own) const {
    double sum = 0;
    for (const DescribedSpline& spline : own.splines) {
      const double at = std::clamp(static_cast<double>(x[spline.input]), spline.low, spline.high);
      const auto passed = std::count_if(spline.knots.begin(), spline.knots.end(), [&](double knot) { return at >= knot; });
      const auto& piece = spline.pieces[static_cast<std::size_t>(passed)];
      const double d = at - piece.from;
      sum += piece.constant + d * (piece.slope + d * (piece.square + d * piece.cube));
    }
    return sum;
  }
  double operator()(const DescribedFormula& own) const {
    std::vector<double> variables;
    for (const DescribedFunction& one : own.of) variables.push_back(one.centre + one.unit * std::visit(*this, one.body));
    return own.value.value(variables);
  }
  double operator()(const DescribedNetworks&) const { return missing; }  // tests of the C and ONNX exports cover these
  double operator()(const DescribedProcess&) const { return missing; }
};

TEST(Descriptions, AreWhatPredictorsCompute) {
  const SmoothSample train = smooth_sample(300, 1, 0.1), test = smooth_sample(50, 2, 0.1);
  int described = 0;
  for (const auto& entry : predictors().entries()) {
    const bool can = predictors().make(entry.example)->describe().has_value();
    const auto predictor = fitted(entry.example, train, 1, SearchEffort::quick);
    const auto own = predictor->describe();
    ASSERT_EQ(own.has_value(), can) << entry.name << ": whether it has a description must be known before it is trained";
    if (!own) continue;
    ++described;
    const auto wanted = predicted(*predictor, test.x);
    for (Index row = 0; row < test.x.rows(); ++row) {
      const double value = own->centre + own->unit * std::visit(ValueAt{test.x.row(row).data()}, own->body);
      if (std::isnan(value)) break;
      EXPECT_NEAR(value, wanted[static_cast<std::size_t>(row)], 1e-12) << entry.name;
    }
  }
  EXPECT_GE(described, 7);
}

}  // namespace
}  // namespace taut
