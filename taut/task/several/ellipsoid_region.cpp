// The ellipsoid: the score is the Mahalanobis distance with a local covariance,
//   s(y) = |L(x)⁻¹ r|,  r_j = (y_j − c_j(x)) / σ_j(x),
// with the correlation L Lᵀ of dependence.hpp. c_j is the middle and σ_j the half-width, in normal units, of the interval between
// the 0.05- and the 0.95-quantile of target j at x. The region of q has the volume V_d q^d Π σ_j |L|.
#include <taut/task/several/dependence.hpp>
#include <taut/task/several/joint_region.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut {

namespace {

constexpr double central_share = 0.9;  // whose ends give centre and scale
constexpr double min_scale = 1e-9;     // of a target's spread; a discrete target may have an interval of width 0

struct LocalEllipsoid {
  std::vector<double> centre, scale;

  explicit LocalEllipsoid(const JointRow& row) {
    const double w = -std::log(1 - central_share);  // P(|w| > a) = exp(−a)
    static const double normal_units = normal_score(w);
    for (Index j = 0; j < row.count(); ++j) {
      const double low = row.value_at(j, -w), high = row.value_at(j, w);
      centre.push_back(low / 2 + high / 2);
      const double smallest = min_scale * row.targets.spreads[static_cast<std::size_t>(j)];
      scale.push_back(std::max((high / 2 - low / 2) / normal_units, smallest));
    }
  }
};

Correlation correlation_of(const JointRow& row) { return {row.dependence, row.count()}; }

class EllipsoidAt final : public RegionAt {
 public:
  explicit EllipsoidAt(double threshold) : threshold_(threshold) {}

  void enclose(const JointRow& row, std::span<Interval> out) const override {
    const LocalEllipsoid local(row);
    constexpr double outward = 1 + 1e-12;  // for rounding
    for (std::size_t j = 0; j < out.size(); ++j) {
      const double reach = threshold_ * local.scale[j] * outward;
      const Interval box = std::isinf(threshold_) ? Interval{} : Interval{local.centre[j] - reach, local.centre[j] + reach};
      out[j] = row.possible(static_cast<Index>(j), box);
    }
  }
  double volume(const JointRow& row) const override {
    const LocalEllipsoid local(row);
    const auto d = static_cast<double>(row.count());
    // The volume of the unit ball, π^(d/2) / Γ(d/2 + 1).
    double log_volume = d / 2 * std::log(std::numbers::pi) - std::lgamma(d / 2 + 1) + d * std::log(threshold_) -
                        correlation_of(row).log_determinant_of_inverse();
    for (const double scale : local.scale) log_volume += std::log(scale);
    return std::exp(log_volume);
  }

 private:
  double threshold_;
};

class EllipsoidRegion final : public JointRegion {
 public:
  double score(const JointRow& row, RowTarget y) const override {
    const LocalEllipsoid local(row);
    std::vector<double> r(y.size()), z(y.size());
    for (std::size_t j = 0; j < y.size(); ++j) r[j] = (y[j] - local.centre[j]) / local.scale[j];
    correlation_of(row).whiten(r, z);
    double sum = 0;
    for (const double one : z) sum += one * one;
    return std::isnan(sum) ? infinity : std::sqrt(sum);
  }
  std::unique_ptr<RegionAt> at(double threshold, const JointTargets&) const override {
    return std::make_unique<EllipsoidAt>(threshold);
  }
};

}  // namespace

Listed<JointRegion> ellipsoid_region() {
  return {"ellipsoid", "an ellipsoid whose axes follow the correlation of the targets at x",
          [](std::string_view) { return std::make_unique<EllipsoidRegion>(); }};
}

}  // namespace taut
