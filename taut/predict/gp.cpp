// f(x) by Gaussian process regression. With α = (K + s²I)⁻¹(y - ȳ),
//   f(x) = ȳ + Σ_i α_i k(x, x_i)
// With many rows the sum goes over a subset, the m inducing rows. α then minimises the squared errors of all n rows with the
// process as a prior (subset of regressors; Quiñonero-Candela and Rasmussen, 2005):
//   α = (K_mn K_nm + s² K_mm)⁻¹ K_mn (y - ȳ)
// The kernel maximises the likelihood of the rows or of a sample of them. It has each column twice, as a value and as a rank
// among the training rows, with two length scales. The data thus decide how distances in a skewed column are measured.
#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/gp_kernel.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/predict/smooth_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {
namespace {

struct GpPlan {
  Index exact = 3000;     // up to this number of rows, the regression is exact
  Index inducing = 1500;  // number of inducing rows otherwise
  Index rows = 20'000;    // maximum number of training rows
  Index searched = 500;   // maximum number of rows for the choice of the kernel
  GpSearch search;
};

GpPlan gp_plan(SearchEffort effort) {
  GpPlan plan;
  if (effort == SearchEffort::quick) plan = {1000, 500, 10'000, 300, {150, 30, 10}};
  if (effort == SearchEffort::thorough) plan = {4000, 2000, 40'000, 800, {300, 60, 25}};
  return plan;
}

constexpr Index max_stacked_rows = 6000;
constexpr Index max_kept_cells = 900'000;  // inducing rows x columns: the model file stays below 4 MB
constexpr Index bins_of_ranks = 32;
constexpr Index gp_block = 2048;
constexpr double jitter = 1e-6;  // added to the diagonal of K_mm, as a share of its mean

// Solves K x = y for a K that is positive definite up to rounding: the diagonal is increased until the factorisation succeeds.
template <class Right>
Right solve_firmly(Eigen::MatrixXd k, const Right& right) {
  double more = jitter * k.diagonal().mean();
  for (int attempt = 0; attempt < 8; ++attempt, more *= 10) {
    const Cholesky factor(k);
    if (factor.succeeded()) {
      Right solution = factor.solve(right);
      if (solution.allFinite()) return solution;
    }
    k.diagonal().array() += more;
  }
  return Right::Zero(right.rows(), right.cols());
}

class GaussianProcess final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }
  // With more than some thousand rows, trees and networks are as accurate in less time.
  bool joins_stack(Index rows, Index, SearchEffort effort) const override {
    return rows <= max_stacked_rows && effort != SearchEffort::quick;
  }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    context.report("gp", 0);
    const GpPlan plan = gp_plan(settings.effort);
    const std::vector<double> weights = x.weights_of(rows);
    centre_ = weighted_mean(y, weights);
    double square = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      square += weight_of(weights, static_cast<Index>(i)) * ((y[i] - centre_) * (y[i] - centre_));
    unit_ = std::sqrt(square / total_weight(weights, std::ssize(rows)));
    if (!std::isfinite(unit_)) unit_ = 0;

    // In random order, so that any number of first rows is a random sample.
    const Rows order = Random(settings.seed).permutation(std::ssize(rows));
    Rows used;
    std::vector<double> target;
    for (const Index i : RowsView(order).first(static_cast<std::size_t>(std::min(plan.rows, std::ssize(order))))) {
      used.push_back(rows[static_cast<std::size_t>(i)]);
      target.push_back(unit_ > 0 ? (y[static_cast<std::size_t>(i)] - centre_) / unit_ : 0);
    }
    robust_ = RobustInputs(x, rows);
    MatrixF z = robust_.apply(x, used);
    const std::vector<double> of_used = x.weights_of(used);
    ranks_ = PiecewiseInputs(z, bins_of_ranks, bins_of_ranks * z.cols(), of_used);
    z = with_ranks(z);
    const Eigen::Map<const Eigen::VectorXd> all_targets(target.data(), z.rows());
    const Index searched = std::min(plan.searched, z.rows());
    const Eigen::VectorXd logs =
        gp_search(z.topRows(searched).cast<double>(), Eigen::VectorXd(all_targets.head(searched)), plan.search, context,
                  RowWeights(of_used).first(of_used.empty() ? 0 : static_cast<std::size_t>(searched)));
    const GpKernel kernel(logs);
    const Index max_kept = std::max<Index>(1, max_kept_cells / std::max<Index>(z.cols(), 1));
    const bool exact = z.rows() <= std::min(plan.exact, max_kept);
    rows_ = z.topRows(exact ? z.rows() : std::min({plan.inducing, max_kept, z.rows()}));
    const Eigen::VectorXd alpha = exact ? weights_of_all(kernel, rows_.cast<double>(), all_targets, of_used)
                                        : weights_of_some(kernel, rows_.cast<double>(), z, all_targets, of_used, context);
    alpha_.assign(alpha.begin(), alpha.end());
    logs_.assign(logs.begin(), logs.end());
    prepare();
    context.report("gp", 1);
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    parallel_blocks(x.rows(), 64, threads, [&](Index begin, Index end) {
      Eigen::RowVectorXf robust(x.cols()), z(rows_.cols());
      Eigen::ArrayXd square(points_.cols());
      for (Index r = begin; r < end; ++r) {
        robust_.apply(x.row(r).data(), robust.data());
        ranks_.apply_ranks(robust.data(), z.data());
        out[static_cast<std::size_t>(r)] = centre_ + unit_ * process(z, square);
      }
    });
  }

  std::optional<DescribedFunction> describe() const override {
    DescribedProcess own{.bins = ranks_.describe(robust_),
                         .rows = {rows_.data(), rows_.data() + rows_.size()},
                         .scale = {scale_.begin(), scale_.end()},
                         .slopes = {weights_.begin(), weights_.end()},
                         .heights = {heights_.begin(), heights_.begin() + rows_.rows()},
                         .level = level_};
    return DescribedFunction{centre_, unit_, std::move(own)};
  }

  void save(Archive archive) const override {
    archive.put("centre", centre_);
    archive.put("unit", unit_);
    archive.put("logs", logs_);
    archive.put("rows", rows_);
    archive.put("weights", alpha_);
    robust_.save(archive.scope("robust"));
    ranks_.save(archive.scope("bins"));
  }
  void load(const Archive& archive, Index inputs) override {
    const auto damaged = [](const std::string& what) {
      return Error(format_text("the gp predictor of the model file {}: the file is damaged", what));
    };
    const auto finite = [](const std::vector<double>& values) {
      return std::all_of(values.begin(), values.end(), [](double value) { return std::isfinite(value); });
    };
    centre_ = archive.number("centre");
    unit_ = archive.number("unit");
    logs_ = archive.get<std::vector<double>>("logs");
    rows_ = archive.get<MatrixF>("rows");
    alpha_ = archive.get<std::vector<double>>("weights");
    robust_ = RobustInputs::load(archive.scope("robust"), inputs);
    ranks_ = PiecewiseInputs::load(archive.scope("bins"), inputs);
    const Index width = ranks_.width_with_ranks();
    if (!std::isfinite(centre_) || !(unit_ >= 0) || !std::isfinite(unit_)) throw damaged("has units that make no sense");
    if (std::ssize(logs_) != width + 3 || rows_.rows() < 1 || rows_.cols() != width || std::ssize(alpha_) != rows_.rows())
      throw damaged(format_text("has {} rows of {} columns, {} weights and {} kernel parameters for {} inputs", rows_.rows(),
                                rows_.cols(), alpha_.size(), logs_.size(), width));
    if (!finite(logs_) || !finite(alpha_) || !rows_.allFinite()) throw damaged("has numbers that are not finite");
    if (std::any_of(logs_.begin(), logs_.end(), [](double value) { return std::abs(value) > 50; }))
      throw damaged("has a kernel that makes no sense");
    prepare();
  }

 private:
  // A row of weight w is the mean of w observations: its noise is s²/w.
  static Eigen::VectorXd weights_of_all(const GpKernel& kernel, const Eigen::MatrixXd& x, const Eigen::VectorXd& y,
                                        RowWeights weights) {
    Eigen::MatrixXd k = kernel.covariance(x, x);
    const double noise = kernel.noise * kernel.noise;
    for (Index i = 0; i < k.rows(); ++i) k(i, i) += noise / weight_of(weights, i);
    return solve_firmly(std::move(k), y);
  }

  // With K_mm = LLᵀ: α = L⁻ᵀ(L⁻¹ K_mn K_nm L⁻ᵀ + s²I)⁻¹ L⁻¹ K_mn y. This form is far better conditioned than the one at the top
  // of this file.
  static Eigen::VectorXd weights_of_some(const GpKernel& kernel, const Eigen::MatrixXd& kept, const MatrixF& z,
                                         const Eigen::VectorXd& y, RowWeights weights, const ExecutionContext& context) {
    const Index m = kept.rows();
    Eigen::MatrixXd products = Eigen::MatrixXd::Zero(m, m);
    Eigen::VectorXd right = Eigen::VectorXd::Zero(m);
    for (Index begin = 0; begin < z.rows(); begin += gp_block) {
      context.report("gp", static_cast<double>(begin) / static_cast<double>(z.rows()));
      const Index count = std::min(gp_block, z.rows() - begin);
      Eigen::MatrixXd k = kernel.covariance(kept, z.middleRows(begin, count).cast<double>());
      Eigen::VectorXd own = y.segment(begin, count);
      if (!weights.empty()) {
        const Eigen::VectorXd roots =
            Eigen::Map<const Eigen::VectorXd>(weights.data(), z.rows()).segment(begin, count).cwiseSqrt();
        k = k * roots.asDiagonal();
        own.array() *= roots.array();
      }
      add_gram(k, Transpose::right, products);
      right.noalias() += k * own;
    }
    copy_lower_to_upper(products);
    Eigen::MatrixXd own = kernel.covariance(kept, kept);
    own.diagonal().array() += jitter * own.diagonal().mean();
    const Cholesky factor(own);
    if (!factor.succeeded()) {  // rows are nearly equal: use the form that needs no factor of K_mm
      own *= kernel.noise * kernel.noise;
      return solve_firmly(Eigen::MatrixXd(products + own), right);
    }
    factor.solve_lower(products);
    Eigen::MatrixXd inner = products.transpose();
    factor.solve_lower(inner);
    inner.diagonal().array() += kernel.noise * kernel.noise;
    factor.solve_lower(right);
    Eigen::VectorXd alpha = solve_firmly(std::move(inner), right);
    factor.solve_upper(alpha);
    return alpha;
  }

  MatrixF with_ranks(const MatrixF& z) const {
    MatrixF all(z.rows(), ranks_.width_with_ranks());
    for (Index r = 0; r < z.rows(); ++r) ranks_.apply_ranks(z.row(r).data(), all.row(r).data());
    return all;
  }

  // Computes what predict() needs: the scaled rows as columns, and the sum of all linear parts.
  void prepare() {
    const GpKernel kernel(Eigen::Map<const Eigen::VectorXd>(logs_.data(), std::ssize(logs_)));
    constexpr Index whole = 16;  // rows are padded to a multiple of this, so that all are evaluated in SIMD packets
    const Index padded_rows = (rows_.rows() + whole - 1) / whole * whole;
    scale_ = std::sqrt(5.0) * kernel.lengths.cwiseInverse();
    points_ = Points::Zero(rows_.cols(), padded_rows);
    heights_ = Eigen::ArrayXd::Zero(padded_rows);
    weights_ = Eigen::VectorXd::Zero(rows_.cols());
    level_ = 0;
    for (Index r = 0; r < rows_.rows(); ++r) {
      const double alpha = alpha_[static_cast<std::size_t>(r)];
      points_.col(r) = rows_.row(r).cast<double>().cwiseProduct(scale_).transpose();
      heights_[r] = alpha * kernel.amplitude * kernel.amplitude;
      weights_ += alpha * kernel.slope * kernel.slope * rows_.row(r).cast<double>().transpose();
      level_ += alpha * kernel.slope * kernel.slope;
    }
  }

  double process(const Eigen::RowVectorXf& z, Eigen::ArrayXd& d) const {
    double sum = level_;
    d.setZero();
    for (Index c = 0; c < z.size(); ++c) {
      const auto value = static_cast<double>(z[c]);
      sum += weights_[c] * value;
      d += (points_.row(c).transpose().array() - value * scale_[c]).square();
    }
    d = d.sqrt();
    d = heights_ * (1 + d + d.square() / 3) * (-d).exp();
    return sum + d.sum();
  }

  using Points = Matrix;  // row-major: the columns of the table are contiguous
  double centre_ = 0, unit_ = 0, level_ = 0;
  RobustInputs robust_;
  PiecewiseInputs ranks_;
  MatrixF rows_;
  std::vector<double> alpha_, logs_;
  Points points_;
  Eigen::RowVectorXd scale_;
  Eigen::ArrayXd heights_;
  Eigen::VectorXd weights_;
};

}  // namespace

Listed<Predictor> gp_predictor() {
  return {"gp", "Gaussian process regression: for up to some thousand rows of a smooth function",
          [](std::string_view) { return std::make_unique<GaussianProcess>(); }};
}

}  // namespace taut
