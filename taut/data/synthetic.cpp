#include <taut/data/synthetic.hpp>

#include <cmath>
#include <numbers>

namespace taut {
namespace {

double normal_cdf(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

constexpr double rho = 0.1;  // the noise at every x

// ρ + 2 cos(π|x|/2) where |x| < 1/2
double cos_scale(double x) { return rho + (std::abs(x) < 0.5 ? 2 * std::cos(std::numbers::pi * std::abs(x) / 2) : 0); }
// ρ + 2 x² where |x| > 1/2
double squared_scale(double x) { return rho + (std::abs(x) > 0.5 ? 2 * x * x : 0); }
// ρ + 2 / (ρ + |x|) where |x| > 1/2
double inverse_scale(double x) { return rho + (std::abs(x) > 0.5 ? 2 / (rho + std::abs(x)) : 0); }
// ρ + 2 − |x| where |x| < 1/2
double linear_scale(double x) { return rho + (std::abs(x) < 0.5 ? 2 - std::abs(x) : 0); }

template <double scale_of(double)>
class NormalNoise final : public SyntheticSet {
 public:
  double scale(double x) const override { return scale_of(x); }
};

// The shape of the noise depends on x, its mean size does not. The noise is normal at x = −1; the share of outliers, whose noise
// is ten times as large, grows to one half at x = 1. sigma shrinks so that the mean of |noise| is 1 at every x. (Student's t with
// 2 to 30 degrees of freedom is no alternative: rescaled to equal mean size, its 90 % quantiles hardly differ.)
class ShapeNoise final : public SyntheticSet {
 public:
  double outliers(double x) const override { return (x + 1) / 4; }
  double scale(double x) const override { return std::sqrt(std::numbers::pi / 2) / (1 - outliers(x) + larger * outliers(x)); }
  double noise(double x, Random& random) const override {
    const bool outlier = random.uniform() < outliers(x);
    return scale(x) * (outlier ? larger : 1) * random.normal();
  }
  double cdf(double x, double value) const override {
    const double z = value / scale(x);
    return (1 - outliers(x)) * normal_cdf(z) + outliers(x) * normal_cdf(z / larger);
  }

 private:
  static constexpr double larger = 10;
};

template <double scale_of(double)>
Listed<SyntheticSet> listed(std::string name, std::string summary) {
  return {std::move(name), std::move(summary), [](std::string_view) { return std::make_unique<NormalNoise<scale_of>>(); }};
}

}  // namespace

double SyntheticSet::cdf(double x, double value) const { return normal_cdf(value / scale(x)); }

const Registry<SyntheticSet>& synthetic_sets() {
  static const Registry<SyntheticSet> registry(
      "synthetic set", {
                           listed<cos_scale>("cos", "noise in the middle, most at x = 0"),
                           listed<squared_scale>("squared", "noise at the ends, growing outward"),
                           listed<inverse_scale>("inverse", "noise at the ends, growing inward"),
                           listed<linear_scale>("linear", "noise in the middle, falling linearly"),
                           {"shape", "noise of one mean size everywhere, normal at x = -1, half outliers at x = 1",
                            [](std::string_view) { return std::make_unique<ShapeNoise>(); }},
                       });
  return registry;
}

Table synthetic_table(const SyntheticSet& set, Index rows, std::uint64_t seed, bool truth) {
  const Random root(seed);
  Random weights = root.fork(0), inputs = root.fork(1), noise = root.fork(2);
  const double w0 = weights.normal(), w1 = weights.normal(), w2 = weights.normal();
  Table table;
  table.source = "the synthetic rows";
  for (const char* name : {"x", "x2", "y"}) table.columns.push_back({name});
  const bool has_outliers = truth && set.outliers(0) > 0;
  if (truth)
    for (const char* name : {"f", "sigma"}) table.columns.push_back({name});
  if (has_outliers) table.columns.push_back({"outliers"});
  table.values.resize(rows, static_cast<Index>(table.columns.size()));
  for (Index row = 0; row < rows; ++row) {
    const double x = inputs.uniform(-1, 1);
    const double f = w0 + w1 * x + w2 * x * x;
    table.values.row(row).head(3) << x, x * x, f + set.noise(x, noise);
    if (truth) table.values.row(row).segment(3, 2) << f, set.scale(x);
    if (has_outliers) table.values(row, 5) = set.outliers(x);
  }
  return table;
}

}  // namespace taut
