// The region of highest conditional density, which may have holes and bends: the score is the negative log density
//   s(y) = −log p(z) − Σ_j log h_j − Σ_j log (dn_j / dy_j) − β log V(x),   z = L(x)⁻¹ n,
// where n_j is the normal score of target j at x, L its correlation (dependence.hpp), and p a kernel density of the whitened
// scores of rows that select the model. dn_j / dy_j comes from quantiles of the target at x.
//
// log V(x) = Σ_j log (distance of two quantiles of target j at x) − Σ_j log h_j is the log size of the noise at x. With β = 0 the
// mean volume would be lowest, and rows with little noise would be covered more often than others. The mean side, volume^(1/d),
// is lowest where −log density is (1 − 1/d) log V(x) higher than a constant: the derivative of V^(1/d) is V^(1/d − 1) / d. So β =
// 1 − 1/d.
//
// Volumes are sampled: with values y of density f, the mean of 1{s(y) <= q} / f(y). All rows use the same points z. Half of them
// are values of p, for fine structure; half are evenly spread over a normal density that is wider than p, because at the edge of
// a region, where most of its volume is, values of p alone are few and have unequal weights.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/text.hpp>
#include <taut/task/several/dependence.hpp>
#include <taut/task/several/joint_region.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace taut {

namespace {

constexpr Index max_centres = 400;  // of kernels
constexpr Index n_points = 1024;    // for volumes, an even number
constexpr double sd_of_spread_points = 2;
constexpr double normal_share = 0.1;  // of a wide normal density in the mixture: the tails stay finite
constexpr double wide = 1.5;          // its standard deviation

// Normal scores at which quantiles of a target are computed. Beyond the outermost ones quantiles go on linearly.
constexpr std::array nodes = {-3.5, -3.0, -2.5, -2.0, -1.6, -1.2, -0.8, -0.4, 0.0, 0.4, 0.8, 1.2, 1.6, 2.0, 2.5, 3.0, 3.5};

double log_normal_density(double square, double d, double sd) {
  return -0.5 * square / (sd * sd) - d * (std::log(sd) + 0.5 * std::log(2 * std::numbers::pi));
}

// The quantiles of one target at x as a function of the normal score, piecewise linear, and the density that smooths its slopes.
struct QuantileLine {
  std::array<double, nodes.size()> y{};
  std::array<double, nodes.size() - 1> log_slope{};  // of n by y, in each piece

  QuantileLine(const JointRow& row, Index target) {
    static const std::array<double, nodes.size()> w = [] {
      std::array<double, nodes.size()> all{};
      for (std::size_t i = 0; i < nodes.size(); ++i) all[i] = laplace_score(nodes[i]);
      return all;
    }();
    // Pieces have a width, also if the target is discrete.
    const double smallest = 1e-6 * row.targets.spreads[static_cast<std::size_t>(target)];
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      y[i] = row.value_at(target, w[i]);
      if (i > 0) y[i] = std::max(y[i], y[i - 1] + smallest * (nodes[i] - nodes[i - 1]));
      if (i > 0 && !(y[i] > y[i - 1])) y[i] = std::nextafter(y[i - 1], infinity);
      if (i > 0) log_slope[i - 1] = std::log((nodes[i] - nodes[i - 1]) / (y[i] - y[i - 1]));
    }
  }

  // Of the interval that holds about 0.9 of the target.
  double log_central_width() const {
    constexpr std::size_t from = 4, to = nodes.size() - 1 - from;
    static_assert(nodes[from] == -1.6 && nodes[to] == 1.6);
    return std::log(y[to] - y[from]);
  }
  std::size_t piece_of_value(double value) const {
    const auto next = std::upper_bound(y.begin() + 1, y.end() - 1, value) - y.begin();
    return static_cast<std::size_t>(next - 1);
  }
  double normal_at(double value) const {
    const std::size_t i = piece_of_value(value);
    return nodes[i] + (value - y[i]) * std::exp(log_slope[i]);
  }
  static std::size_t piece_of_normal(double n) {
    const auto next = std::upper_bound(nodes.begin() + 1, nodes.end() - 1, n) - nodes.begin();
    return static_cast<std::size_t>(next - 1);
  }
  double value_at(double n) const {
    const std::size_t i = piece_of_normal(n);
    return y[i] + (n - nodes[i]) * std::exp(-log_slope[i]);
  }
  // Linear between the middles of pieces.
  double smooth_log_slope(double n) const {
    std::size_t i = piece_of_normal(n);
    const double middle = (nodes[i] + nodes[i + 1]) / 2;
    if (n < middle ? i == 0 : i + 1 == log_slope.size()) return log_slope[i];
    if (n < middle) --i;
    const double from = (nodes[i] + nodes[i + 1]) / 2, to = (nodes[i + 1] + nodes[i + 2]) / 2;
    return log_slope[i] + (n - from) / (to - from) * (log_slope[i + 1] - log_slope[i]);
  }
};

// A kernel density of points in d dimensions, with kernels that keep the variance, mixed with a wide normal density.
class KernelDensity {
 public:
  KernelDensity() = default;
  KernelDensity(Matrix centres, double bandwidth) : centres_(std::move(centres)), bandwidth_(bandwidth) {}

  bool empty() const { return centres_.rows() == 0; }
  const Matrix& centres() const { return centres_; }
  double bandwidth() const { return bandwidth_; }

  // Without the contribution of the centre `left_out`.
  double log_density(std::span<const double> z, Index left_out = -1) const {
    const auto d = static_cast<double>(z.size());
    double square = 0;
    for (const double one : z) square += one * one;
    const double of_wide = std::log(normal_share) + log_normal_density(square, d, wide);
    const double shrink = std::sqrt(std::max(0.0, 1 - bandwidth_ * bandwidth_));
    const double rate = -0.5 / (bandwidth_ * bandwidth_);
    double sum = 0, largest = -infinity;
    for (Index i = 0; i < centres_.rows(); ++i) {
      if (i == left_out) continue;
      const double* const centre = centres_.row(i).data();
      double distance = 0;
      for (std::size_t j = 0; j < z.size(); ++j) {
        const double one = z[j] - shrink * centre[j];
        distance += one * one;
      }
      const double exponent = rate * distance;
      if (exponent > largest) {
        sum = sum * std::exp(largest - exponent) + 1;
        largest = exponent;
      } else {
        sum += std::exp(exponent - largest);
      }
    }
    const auto count = static_cast<double>(centres_.rows() - (left_out >= 0 ? 1 : 0));
    const double of_kernels = std::log(1 - normal_share) + largest + std::log(sum / count) + log_normal_density(0, d, bandwidth_);
    const double top = std::max(of_wide, of_kernels);
    return top + std::log(std::exp(of_wide - top) + std::exp(of_kernels - top));
  }

  void sample(Random& random, std::span<double> z) const {
    const bool is_wide = random.uniform() < normal_share;
    const Index centre = random.below(centres_.rows());
    const double shrink = std::sqrt(std::max(0.0, 1 - bandwidth_ * bandwidth_));
    for (std::size_t j = 0; j < z.size(); ++j)
      z[j] = is_wide ? wide * random.normal() : shrink * centres_(centre, static_cast<Index>(j)) + bandwidth_ * random.normal();
  }

 private:
  Matrix centres_;
  double bandwidth_ = 1;
};

// What a row needs to compute densities.
struct LocalDensity {
  std::vector<QuantileLine> lines;
  Correlation correlation;
  double log_h;
  double log_size;  // log V(x)

  explicit LocalDensity(const JointRow& row)
      : correlation{row.dependence, row.count()}, log_h(correlation.log_determinant_of_inverse()), log_size(-log_h) {
    for (Index j = 0; j < row.count(); ++j) {
      lines.emplace_back(row, j);
      log_size += lines.back().log_central_width();
    }
  }
  // z of y, and the sum of the logs of dn/dy.
  double whitened(RowTarget y, std::span<double> z) const {
    std::vector<double> n(y.size());
    double slopes = 0;
    for (std::size_t j = 0; j < y.size(); ++j) {
      n[j] = lines[j].normal_at(y[j]);
      slopes += lines[j].smooth_log_slope(n[j]);
    }
    correlation.whiten(n, z);
    return slopes;
  }
};

// Points z with the log densities log p(z), and those of the distribution that they were drawn from.
struct Points {
  Matrix z;
  std::vector<double> log_density, log_proposal;

  // The standard error of the volume in z of the region that holds 0.9 of p, relative to it: from the volumes by 16 parts of the
  // points. Evenly spread points are better together than their parts, so it is rather too large.
  double relative_error() const {
    constexpr Index parts = 16;
    std::vector<double> of_values(log_density.begin() + n_points / 2, log_density.end());
    const auto tenth = of_values.begin() + std::ssize(of_values) / 10;
    std::nth_element(of_values.begin(), tenth, of_values.end());
    const double threshold = *tenth;
    std::array<double, parts> volumes{};
    for (std::size_t s = 0; s < log_density.size(); ++s)
      if (log_density[s] >= threshold) volumes[s % parts] += std::exp(-log_proposal[s]);
    double mean = 0, squares = 0;
    for (const double volume : volumes) mean += volume / parts;
    for (const double volume : volumes) squares += (volume - mean) * (volume - mean);
    return std::sqrt(squares / (parts - 1) / parts) / mean;
  }
};

// The s-th of points that fill the unit cube evenly: s multiples of the powers of 1/φ, modulo 1, where φ is the root of
// φ^(d+1) = φ + 1 above 1. The sequence is that of the golden section for d = 1.
void spread_point(Index s, std::span<double> u) {
  const auto d = static_cast<double>(u.size());
  double root = 2;
  for (int i = 0; i < 60; ++i) root = std::pow(1 + root, 1 / (d + 1));
  double power = 1;
  for (double& one : u) {
    power /= root;
    const double along = 0.5 + power * static_cast<double>(s + 1);
    one = std::clamp(along - std::floor(along), 1e-9, 1 - 1e-9);
  }
}

double normal_quantile(double p) { return normal_score(p < 0.5 ? std::log(2 * p) : -std::log(2 * (1 - p))); }

class DensityAt final : public RegionAt {
 public:
  DensityAt(double threshold, double size_share, std::shared_ptr<const Points> points)
      : threshold_(threshold), size_share_(size_share), points_(std::move(points)) {}

  void enclose(const JointRow& row, std::span<Interval> out) const override {
    const bool is_unbounded = threshold_ == infinity;
    std::fill(out.begin(), out.end(), is_unbounded ? Interval{} : Interval{infinity, -infinity});
    if (!is_unbounded) enclose_points(row, out);
    for (std::size_t j = 0; j < out.size(); ++j) out[j] = row.possible(static_cast<Index>(j), out[j]);
  }
  double volume(const JointRow& row) const override {
    if (threshold_ == infinity) return infinity;
    double sum = 0;
    for_each_inside(row, [&](std::span<const double>, double log_proposal) { sum += std::exp(-log_proposal); });
    return sum / static_cast<double>(points_->z.rows());
  }

 private:
  // Calls visit(y, log density of the distribution that y was drawn from) for points in the region.
  template <class Visit>
  void for_each_inside(const JointRow& row, Visit visit) const {
    const LocalDensity local(row);
    const double threshold = threshold_ + size_share_ * local.log_size;
    const auto d = static_cast<std::size_t>(row.count());
    std::vector<double> n(d), y(d);
    for (Index s = 0; s < points_->z.rows(); ++s) {
      local.correlation.colour({points_->z.row(s).data(), d}, n);
      double smooth = 0, exact = 0;
      for (std::size_t j = 0; j < d; ++j) {
        y[j] = local.lines[j].value_at(n[j]);
        smooth += local.lines[j].smooth_log_slope(n[j]);
        exact += local.lines[j].log_slope[QuantileLine::piece_of_normal(n[j])];
      }
      const auto at = static_cast<std::size_t>(s);
      if (-(points_->log_density[at] + local.log_h + smooth) <= threshold)
        visit(std::span<const double>(y), points_->log_proposal[at] + local.log_h + exact);
    }
  }
  void enclose_points(const JointRow& row, std::span<Interval> out) const {
    for_each_inside(row, [&](std::span<const double> y, double) {
      for (std::size_t j = 0; j < out.size(); ++j) {
        out[j].lower = std::min(out[j].lower, y[j]);
        out[j].upper = std::max(out[j].upper, y[j]);
      }
    });
  }

  double threshold_, size_share_;
  std::shared_ptr<const Points> points_;
};

class DensityRegion final : public JointRegion {
 public:
  void fit(const JointTraining& training) override {
    const Index n = std::ssize(training.rows), d = training.targets.count();
    if (n < 10) throw Error(format_text("a density needs at least 10 rows that select the model, and there are {}", n));
    const Index step = (n + max_centres - 1) / max_centres;
    size_share_ = 1 - 1 / static_cast<double>(d);
    Matrix centres((n + step - 1) / step, d);
    for (Index i = 0; i < centres.rows(); ++i)
      LocalDensity(training.rows[static_cast<std::size_t>(i * step)])
          .whitened({training.y.row(i * step).data(), static_cast<std::size_t>(d)},
                    {centres.row(i).data(), static_cast<std::size_t>(d)});
    centres = centres.cwiseMax(-8.0).cwiseMin(8.0);  // far outliers are no places of high density
    // The bandwidth with the highest likelihood of each centre under the others.
    double best = -infinity, chosen = 1;
    for (const double bandwidth : {0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.85, 1.0}) {
      const KernelDensity density(centres, bandwidth);
      double sum = 0;
      for (Index i = 0; i < centres.rows(); ++i)
        sum += density.log_density({centres.row(i).data(), static_cast<std::size_t>(d)}, i);
      if (!(sum > best)) continue;
      best = sum;
      chosen = bandwidth;
    }
    density_ = KernelDensity(std::move(centres), chosen);
    draw_points();
  }
  double score(const JointRow& row, RowTarget y) const override {
    const LocalDensity local(row);
    std::vector<double> z(y.size());
    const double slopes = local.whitened(y, z);
    const double score = -(density_.log_density(z) + local.log_h + slopes) - size_share_ * local.log_size;
    return std::isnan(score) ? infinity : score;
  }
  std::unique_ptr<RegionAt> at(double threshold, const JointTargets&) const override {
    return std::make_unique<DensityAt>(threshold, size_share_, points_);
  }
  std::string note_on_volume() const override {
    return format_text(
        "volumes of regions are estimates from {} points each, with a standard error of about {} %; the boxes around regions are "
        "those of the points inside",
        n_points, print_rounded(100 * points_->relative_error(), 1));
  }

  void save(Archive archive) const override {
    archive.put("centres", density_.centres());
    archive.put("bandwidth", density_.bandwidth());
    archive.put("size_share", size_share_);
  }
  void load(const Archive& archive, Index targets) override {
    const Matrix& centres = archive.get<Matrix>("centres");
    const double bandwidth = archive.number("bandwidth");
    if (centres.rows() == 0 || centres.cols() != targets || !centres.allFinite() || !(bandwidth > 0 && bandwidth <= 1))
      throw Error("the model file's density of targets makes no sense: it is damaged");
    if (archive.has("size_share")) size_share_ = archive.number("size_share");  // 0 in files from before there was one
    if (!(size_share_ >= 0 && size_share_ <= 1)) throw Error("the model file's density of targets makes no sense: it is damaged");
    density_ = KernelDensity(centres, bandwidth);
    draw_points();
  }

 private:
  void draw_points() {
    constexpr std::uint64_t stream_of_points = 0x766F6C756D65;
    Random random(stream_of_points);
    auto points = std::make_shared<Points>();
    const auto d = static_cast<double>(density_.centres().cols());
    points->z.resize(n_points, density_.centres().cols());
    for (Index s = 0; s < n_points; ++s) {
      const std::span<double> z(points->z.row(s).data(), static_cast<std::size_t>(d));
      if (s < n_points / 2) {
        spread_point(s, z);
        for (double& one : z) one = sd_of_spread_points * normal_quantile(one);
      } else {
        density_.sample(random, z);
      }
      double square = 0;
      for (const double one : z) square += one * one;
      const double own = density_.log_density(z), spread = log_normal_density(square, d, sd_of_spread_points);
      const double top = std::max(own, spread);
      points->log_density.push_back(own);
      points->log_proposal.push_back(top + std::log((std::exp(own - top) + std::exp(spread - top)) / 2));
    }
    points_ = std::move(points);
  }

  KernelDensity density_;
  double size_share_ = 0;  // β
  std::shared_ptr<const Points> points_;
};

}  // namespace

Listed<JointRegion> density_region() {
  return {"density", "where the joint density is highest; may have bends and holes",
          [](std::string_view) { return std::make_unique<DensityRegion>(); }};
}

}  // namespace taut
