// f(x) = b + w·x by ridge regression:  w = argmin Σ (y - ȳ - w·(x - x̄))² + λ|w|²,  b = ȳ - w·x̄.
//
// With X centred and XᵀX = VΛVᵀ, z = VᵀXᵀy:  w = V z/(Λ + λ). Where there are fewer rows than columns the same w comes from
// XXᵀ = UΛUᵀ, u = Uᵀy:  w = Xᵀ U u/(Λ + λ). λ minimises Golub, Heath and Wahba's generalised cross-validation
//   n·RSS(λ) / (n - t(λ))²,  t = 1 + Σ Λ/(Λ + λ) the degrees of freedom.
// λ > 0 always, so collinear and constant columns do no harm: they share a weight or get none.
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/predictor.hpp>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace taut {
namespace {

using Vector = Eigen::VectorXd;
using Array = Eigen::ArrayXd;

// λ relative to the mean eigenvalue that can differ from zero.
constexpr double penalties[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
// A fit that leaves a smaller share of the degrees of freedom to the residuals cannot be judged by them.
constexpr double least_free_share = 0.05;

// The eigenvalues, and the target in their directions: in both forms z² = Λu², so that one formula serves for RSS.
struct Spectrum {
  Array values;   // Λ
  Array squares;  // z²/Λ = u²: how much of |y|² lies in this direction
  double rest;    // |y|² outside all directions
};

double residual_square(const Spectrum& spectrum, double penalty) {
  return spectrum.rest + (spectrum.squares * (penalty / (spectrum.values + penalty)).square()).sum();
}

double best_penalty(const Spectrum& spectrum, Index rows) {
  const double scale = spectrum.values.mean();
  const auto n = static_cast<double>(rows);
  double best = penalties[std::size(penalties) - 1] * scale;
  double least = infinity;
  for (const double relative : penalties) {
    const double penalty = relative * scale;
    const double freedom = n - 1 - (spectrum.values / (spectrum.values + penalty)).sum();
    if (freedom < least_free_share * n) continue;
    const double criterion = residual_square(spectrum, penalty) / (freedom * freedom);
    if (criterion < least) {
      least = criterion;
      best = penalty;
    }
  }
  return best;
}

class Linear final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }
  bool adds_up_columns() const override { return true; }

  void fit(const InputPool& all, RowsView rows, std::span<const double> y, const PredictorSettings&,
           const ExecutionContext& context) override {
    context.report("linear", 0);
    const MatrixF x = all.gather(rows);
    // A copy, because Eigen sums foreign memory in an order that depends on its alignment, which differs from run to run.
    const Vector target = Eigen::Map<const Vector>(y.data(), std::ssize(y));
    const Vector centre = x.cast<double>().colwise().mean().transpose();
    const double mean = target.mean();
    const Vector centred_target = target.array() - mean;
    weights_ = x.rows() > x.cols() ? primal(x, centre, centred_target) : dual(x, centre, centred_target);
    intercept_ = mean - weights_.dot(centre);
    context.report("linear", 1);
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    parallel_blocks(x.rows(), 4096, threads, [&](Index begin, Index end) {
      for (Index r = begin; r < end; ++r) {
        double sum = intercept_;
        for (Index c = 0; c < x.cols(); ++c) sum += weights_[c] * static_cast<double>(x(r, c));
        out[static_cast<std::size_t>(r)] = sum;
      }
    });
  }

  // The inputs are standardised: their means over training rows are 0.
  std::optional<AdditiveForm> additive_form(Index) const override {
    return AdditiveForm{intercept_, {}, {weights_.begin(), weights_.end()}};
  }

  void save(Archive archive) const override {
    archive.put("intercept", intercept_);
    archive.put("weights", std::vector<double>(weights_.begin(), weights_.end()));
  }
  void load(const Archive& archive, Index inputs) override {
    intercept_ = archive.number("intercept");
    const auto& weights = archive.get<std::vector<double>>("weights");
    if (std::ssize(weights) != inputs)
      throw Error("the linear predictor of the model file has " + std::to_string(weights.size()) + " weights for " +
                  std::to_string(inputs) + " inputs: the file is damaged");
    weights_ = Eigen::Map<const Vector>(weights.data(), inputs);
    if (!std::isfinite(intercept_) || !weights_.allFinite())
      throw Error("the linear predictor of the model file has weights that are not finite: the file is damaged");
  }

 private:
  static Vector primal(const Inputs& x, const Vector& centre, const Vector& y) {
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(x.cols(), x.cols());
    Vector product = Vector::Zero(x.cols());
    constexpr Index block = 1024;
    for (Index begin = 0; begin < x.rows(); begin += block) {  // so that only a block of the inputs exists twice
      const Index count = std::min(block, x.rows() - begin);
      const Eigen::MatrixXd part = x.middleRows(begin, count).cast<double>().rowwise() - centre.transpose();
      gram.selfadjointView<Eigen::Lower>().rankUpdate(part.transpose());
      product.noalias() += part.transpose() * y.segment(begin, count);
    }
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(gram);
    const Array values = solver.eigenvalues().array().max(0.0);
    const Array z = (solver.eigenvectors().transpose() * product).array();
    const double negligible = values.maxCoeff() * 1e-14 * static_cast<double>(x.cols());
    const Array squares = (values > negligible).select(z.square() / values, 0.0);
    const double penalty = best_penalty({values, squares, std::max(0.0, y.squaredNorm() - squares.sum())}, x.rows());
    return solve(solver.eigenvectors(), z, values, penalty);
  }

  static Vector dual(const Inputs& x, const Vector& centre, const Vector& y) {
    const Eigen::MatrixXd centred = x.cast<double>().rowwise() - centre.transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(Eigen::MatrixXd(centred * centred.transpose()));
    const Array values = solver.eigenvalues().array().max(0.0);
    const Array u = (solver.eigenvectors().transpose() * y).array();
    const double penalty = best_penalty({values, u.square(), 0.0}, x.rows());
    return centred.transpose() * solve(solver.eigenvectors(), u, values, penalty);
  }

  // A penalty of 0 means that every input is constant: nothing to learn from.
  static Vector solve(const Eigen::MatrixXd& directions, const Array& along, const Array& values, double penalty) {
    if (!(penalty > 0)) return Vector::Zero(directions.rows());
    return directions * (along / (values + penalty)).matrix();
  }

  Vector weights_;
  double intercept_ = 0;
};

}  // namespace

Listed<Predictor> linear_predictor() {
  return {"linear", "ridge regression, its penalty by generalised cross-validation",
          [](std::string_view) { return std::make_unique<Linear>(); }};
}

}  // namespace taut
