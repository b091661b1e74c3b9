#include <taut/predict/linear.hpp>

#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

using Array = Eigen::ArrayXd;

// λ relative to the mean eigenvalue that can differ from zero.
constexpr double penalties[] = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1, 10};
// With a smaller share of the degrees of freedom left for the residuals, generalised cross-validation is not reliable.
constexpr double min_free_share = 0.05;
// An eigendecomposition of 800 columns takes a second, five factorisations a tenth of that.
constexpr Index max_eigen_columns = 400;

// In both forms z² = Λu², so that RSS has one formula.
struct Spectrum {
  const Array& values;  // Λ
  Array squares;        // z²/Λ = u²: the part of |y|² in each direction
  double rest;          // the part of |y|² outside of all directions
};

double residual_square(const Spectrum& spectrum, double penalty) {
  return spectrum.rest + (spectrum.squares * (penalty / (spectrum.values + penalty)).square()).sum();
}

double best_penalty(const Spectrum& spectrum, Index rows) {
  const double scale = spectrum.values.mean();
  const auto n = static_cast<double>(rows);
  double best = penalties[std::size(penalties) - 1] * scale;
  double minimum = infinity;
  for (const double relative : penalties) {
    const double penalty = relative * scale;
    const double freedom = n - 1 - (spectrum.values / (spectrum.values + penalty)).sum();
    if (freedom < min_free_share * n) continue;
    const double criterion = residual_square(spectrum, penalty) / (freedom * freedom);
    if (criterion < minimum) {
      minimum = criterion;
      best = penalty;
    }
  }
  return best;
}

// A = VΛVᵀ, and the coordinates z of a vector in the eigenvectors.
struct Directions {
  Eigen::MatrixXd vectors;
  Array values;
  Array along;

  Directions(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
    SymmetricEigen found = symmetric_eigen(a);
    vectors = std::move(found.vectors);
    values = found.values.array().max(0.0);
    along = (vectors.transpose() * b).array();
  }
  Ridge solve(double penalty) const {
    if (!(penalty > 0)) return {Eigen::VectorXd::Zero(vectors.rows()), penalty};
    return {vectors * (along / (values + penalty)).matrix(), penalty};
  }
};

// The solution for one λ and its generalised cross-validation, by A = XᵀX + λ = LLᵀ: with w = A⁻¹Xᵀy,
//   RSS = |y|² - Xᵀy·w - λ|w|²,  Σ Λ/(Λ + λ) = p - λ tr A⁻¹,  tr A⁻¹ = Σ (L⁻¹)².
struct Factored {
  Ridge ridge;
  double criterion = infinity;

  Factored(const Eigen::MatrixXd& gram, const Eigen::VectorXd& product, double square, Index rows, double penalty) {
    Eigen::MatrixXd penalised = gram;
    penalised.diagonal().array() += penalty;
    const Cholesky factors(std::move(penalised));
    if (!factors.succeeded()) return;
    ridge = {factors.solve(product), penalty};
    Eigen::MatrixXd inverse = Eigen::MatrixXd::Identity(gram.rows(), gram.cols());
    factors.solve_lower(inverse);
    const auto n = static_cast<double>(rows), p = static_cast<double>(gram.cols());
    const double freedom = n - 1 - (p - penalty * inverse.squaredNorm());
    if (freedom < min_free_share * n) return;
    const double rest = square - product.dot(ridge.solution) - penalty * ridge.solution.squaredNorm();
    criterion = std::max(0.0, rest) / (freedom * freedom);
  }
};

// The largest penalty first: smaller ones are tried as long as the criterion falls.
Ridge ridge_by_factors(const Eigen::MatrixXd& gram, const Eigen::VectorXd& product, double square, Index rows) {
  const double scale = gram.diagonal().mean();
  if (!(scale > 0)) return {Eigen::VectorXd::Zero(gram.cols()), 0};
  std::size_t at = std::size(penalties) - 1;
  Factored best(gram, product, square, rows, penalties[at] * scale);
  while (at-- > 0) {
    Factored next(gram, product, square, rows, penalties[at] * scale);
    if (!(next.criterion < best.criterion)) break;
    best = std::move(next);
  }
  return best.ridge.penalty > 0 ? std::move(best.ridge) : Ridge{Eigen::VectorXd::Zero(gram.cols()), 0};
}

}  // namespace

Ridge ridge_by_columns(const Eigen::MatrixXd& gram, const Eigen::VectorXd& product, double square, Index rows) {
  if (gram.cols() > max_eigen_columns) return ridge_by_factors(gram, product, square, rows);
  const Directions directions(gram, product);
  const double negligible = directions.values.maxCoeff() * 1e-14 * static_cast<double>(gram.cols());
  const Array squares = (directions.values > negligible).select(directions.along.square() / directions.values, 0.0);
  return directions.solve(best_penalty({directions.values, squares, std::max(0.0, square - squares.sum())}, rows));
}

Ridge ridge_by_rows(const Eigen::MatrixXd& gram, const Eigen::VectorXd& y, Index counted) {
  const Directions directions(gram, y);
  return directions.solve(best_penalty({directions.values, directions.along.square(), 0.0}, counted > 0 ? counted : y.size()));
}

// f(x) = b + w·x by ridge regression:  w = argmin Σ (y - ȳ - w·(x - x̄))² + λ|w|²,  b = ȳ - w·x̄.
// λ by generalised cross-validation; linear.hpp has the formulas. It needs no folds and no second pass over the rows. It is the
// fastest predictor and the baseline for the others.

namespace {

using Vector = Eigen::VectorXd;

class Linear final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }
  bool is_additive() const override { return true; }
  bool keeps_directions() const override { return true; }

  // Inputs whose weight has the wrong sign are left out, and the others are fitted again, until there are none.
  void fit(const InputPool& all, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    context.report("linear", 0);
    MatrixF x = all.gather(rows);
    const std::vector<double> of_rows = all.weights_of(rows);
    fit(x, y, of_rows);
    Rows left_out;
    for (Rows wrong = wrong_inputs(settings.directions); !wrong.empty(); wrong = wrong_inputs(settings.directions)) {
      left_out.insert(left_out.end(), wrong.begin(), wrong.end());
      for (const Index input : wrong) x.col(input).setZero();
      fit(x, y, of_rows);
      for (const Index input : left_out) weights_[input] = 0;
    }
    context.report("linear", 1);
  }
  void fit(const MatrixF& x, std::span<const double> y, const std::vector<double>& of_rows) {
    // A copy, because Eigen sums foreign memory in an order that depends on its alignment, which differs from run to run.
    const Vector target = Eigen::Map<const Vector>(y.data(), std::ssize(y));
    const Vector weights = Eigen::Map<const Vector>(of_rows.data(), std::ssize(of_rows));
    const double sum = total_weight(of_rows, x.rows());
    Vector centre;
    if (of_rows.empty())
      centre = x.cast<double>().colwise().mean().transpose();
    else
      centre = x.cast<double>().transpose() * weights / sum;
    const double mean = of_rows.empty() ? target.mean() : weights.dot(target) / sum;
    const Vector centred_target = target.array() - mean;
    const Vector roots = weights.cwiseSqrt();  // least squares of rows times the roots of their weights
    const Index counted = counted_rows(of_rows, x.rows());
    weights_ =
        x.rows() > x.cols() ? primal(x, centre, centred_target, roots, counted) : dual(x, centre, centred_target, roots, counted);
    intercept_ = mean - weights_.dot(centre);
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

  std::optional<DescribedFunction> describe() const override {
    DescribedWeights own{{}, {weights_.begin(), weights_.end()}};
    for (std::int32_t c = 0; c < static_cast<std::int32_t>(weights_.size()); ++c) own.inputs.push_back(c);
    return DescribedFunction{intercept_, 1, std::move(own)};
  }

  void save(Archive archive) const override {
    archive.put("intercept", intercept_);
    archive.put("weights", std::vector<double>(weights_.begin(), weights_.end()));
  }
  void load(const Archive& archive, Index inputs) override {
    intercept_ = archive.number("intercept");
    const auto& weights = archive.get<std::vector<double>>("weights");
    if (std::ssize(weights) != inputs)
      throw Error(format_text("the linear predictor of the model file has {} weights for {} inputs: the file is damaged",
                              weights.size(), inputs));
    weights_ = Eigen::Map<const Vector>(weights.data(), inputs);
    if (!std::isfinite(intercept_) || !weights_.allFinite())
      throw Error("the linear predictor of the model file has weights that are not finite: the file is damaged");
  }

 private:
  // `roots`: of the weights of the rows; empty without weights.
  static Vector primal(const Inputs& x, const Vector& centre, Vector y, const Vector& roots, Index counted) {
    if (roots.size() > 0) y.array() *= roots.array();
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(x.cols(), x.cols());
    Vector product = Vector::Zero(x.cols());
    constexpr Index block = 1024;
    for (Index begin = 0; begin < x.rows(); begin += block) {  // in blocks, to keep the copy of the inputs small
      const Index count = std::min(block, x.rows() - begin);
      Eigen::MatrixXd part = x.middleRows(begin, count).cast<double>().rowwise() - centre.transpose();
      if (roots.size() > 0) part.array().colwise() *= roots.segment(begin, count).array();
      add_gram(part, Transpose::left, gram);
      product.noalias() += part.transpose() * y.segment(begin, count);
    }
    return ridge_by_columns(gram, product, y.squaredNorm(), counted).solution;
  }

  static Vector dual(const Inputs& x, const Vector& centre, Vector y, const Vector& roots, Index counted) {
    Eigen::MatrixXd centred = x.cast<double>().rowwise() - centre.transpose();
    if (roots.size() > 0) {
      y.array() *= roots.array();
      centred.array().colwise() *= roots.array();
    }
    return centred.transpose() * ridge_by_rows(multiply(centred, centred, Transpose::right), y, counted).solution;
  }

  Rows wrong_inputs(const InputDirections& directions) const {
    Rows wrong;
    for (Index input = 0; input < std::ssize(directions); ++input) {
      const Direction direction = directions[static_cast<std::size_t>(input)];
      if (direction == Direction::increasing ? weights_[input] < 0 : direction == Direction::decreasing && weights_[input] > 0)
        wrong.push_back(input);
    }
    return wrong;
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
