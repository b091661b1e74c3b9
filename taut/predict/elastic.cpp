// f(x) = b + w·x by the elastic net, w = argmin |y − b − Xw|²/2n + λ(α|w|₁ + (1 − α)|w|²/2), with a path of λ for each of several
// α, or by ridge regression (α = 0). Five inner folds choose among them. With α near 1 most weights are exactly 0, which suits
// tables with many columns of which few matter. Ridge regression suits tables where many columns matter a little. The predictor
// `linear` is ridge regression alone, without folds.
#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/elastic_sums.hpp>
#include <taut/predict/linear.hpp>
#include <taut/predict/predictor.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace taut {
namespace {

using Vector = Eigen::VectorXd;
using DenseMatrix = Eigen::MatrixXd;

constexpr Index inner_folds = 5;
constexpr Index min_elastic_rows = 6;  // with fewer only the mean is used
constexpr Index steps_of_path = 80;    // values of λ
constexpr Index max_gram_columns = 1500;
constexpr Index max_columns_of_all_mixings = 400;  // with more, the first fold alone chooses α
constexpr Index max_columns_of_few_rows = 5000;
constexpr double max_elastic_work = 4e10;  // rows × columns², a few seconds; with more, rows are sampled
constexpr Index min_sampled_rows = 20'000;

// Σ squared error of held-out rows for each λ of a path; infinite after the path was abandoned.
using PathErrors = std::vector<double>;

class ElasticFit {
 public:
  ElasticFit(const MatrixF& x, std::span<const double> y, RowWeights weights, const PredictorSettings& settings,
             const ExecutionContext& context)
      : x_(x),
        y_(y),
        weights_of_rows_(weights),
        by_rows_(x.cols() > x.rows() && x.rows() <= max_gram_columns),
        columns_(x, y, weights, by_rows_ ? max_columns_of_few_rows : max_gram_columns),
        mixings_(settings.effort == SearchEffort::quick ? std::vector{1.0} : std::vector{1.0, 0.5, 0.1}),
        folds_(static_cast<std::size_t>(inner_folds)) {
    const Rows order = Random(settings.seed).fork(7).permutation(x.rows());
    for (std::size_t i = 0; i < order.size(); ++i) folds_[i % folds_.size()].push_back(order[i]);
    for (Rows& fold : folds_) std::sort(fold.begin(), fold.end());
    if (columns_.size() == 0) return;
    by_rows_ ? fit<false>(context) : fit<true>(context);
  }

  const ElasticColumns& columns() const { return columns_; }
  const Vector& weights() const { return weights_; }

 private:
  // Centred training rows, the input of GramProblem and of RowsProblem.
  struct Part {
    double rows = 0, y_mean = 0, square = 0;
    Vector x_mean;
    DenseMatrix gram;  // XᵀX/n; for RowsProblem X itself
    Vector product;    // Xᵀy/n; for RowsProblem y itself
  };

  template <bool by_gram>
  void fit(const ExecutionContext& context) {
    if constexpr (by_gram) {
      held_.resize(folds_.size(), std::nullopt);
      run_concurrently(inner_folds, context, "elastic", [&](Index which, const ExecutionContext&) {
        const auto at = static_cast<std::size_t>(which);
        held_[at].emplace(columns_, x_, folds_[at], y_, weights_of_rows_);
      });
      total_ = held_[0];
      for (std::size_t f = 1; f < folds_.size(); ++f) total_->add(*held_[f], 1);
    }
    const Part whole = part_of<by_gram>(-1);
    weights_ = Vector::Zero(columns_.size());
    if (!(whole.square > 0)) return;
    tolerance_ = 1e-8 * whole.square / whole.rows;
    const Vector slopes = by_gram ? whole.product : Vector(whole.gram.transpose() * whole.product / whole.rows);
    top_ = slopes.cwiseAbs().maxCoeff();
    if (!(top_ > 0)) return;
    const Ridge ridge = by_gram ? ridge_by_columns(whole.gram * whole.rows, whole.product * whole.rows, whole.square,
                                                   counted_rows(weights_of_rows_, x_.rows()))
                                : ridge_by_rows(multiply(whole.gram, whole.gram, Transpose::right), whole.product);
    if (by_gram && columns_.size() > max_columns_of_all_mixings) keep_best_mixing<by_gram>(context);
    // By fold: the errors of each path, and at the end those of ridge regression.
    std::vector<std::vector<PathErrors>> tried(folds_.size());
    run_concurrently(inner_folds, context, "elastic", [&](Index which, const ExecutionContext& own) {
      const auto at = static_cast<std::size_t>(which);
      const Part part = part_of<by_gram>(which);
      for (const double mixing : mixings_) {
        own.report("elastic", 0);
        tried[at].push_back(path_errors<by_gram>(part, which, mixing));
      }
      tried[at].push_back({ridge_error<by_gram>(part, which, ridge.penalty)});
    });
    choose<by_gram>(whole, ridge, tried);
  }

  // Keeps the α with the lowest error of the first fold.
  template <bool by_gram>
  void keep_best_mixing(const ExecutionContext& context) {
    const Part part = part_of<by_gram>(0);
    std::vector<double> errors(mixings_.size());
    run_concurrently(std::ssize(mixings_), context, "elastic", [&](Index which, const ExecutionContext&) {
      const PathErrors path = path_errors<by_gram>(part, 0, mixings_[static_cast<std::size_t>(which)]);
      errors[static_cast<std::size_t>(which)] = *std::min_element(path.begin(), path.end());
    });
    mixings_ = {mixings_[static_cast<std::size_t>(std::min_element(errors.begin(), errors.end()) - errors.begin())]};
  }

  template <bool by_gram>
  void choose(const Part& whole, const Ridge& ridge, const std::vector<std::vector<PathErrors>>& tried) {
    double minimum = infinity;
    std::size_t best = 0, best_step = 0;
    for (std::size_t candidate = 0; candidate <= mixings_.size(); ++candidate)
      for (std::size_t step = 0; step < tried[0][candidate].size(); ++step) {
        double sum = 0;
        for (const auto& fold : tried) sum += fold[candidate][step];
        if (!(sum < minimum)) continue;
        minimum = sum;
        best = candidate;
        best_step = step;
      }
    if (best == mixings_.size()) {
      weights_ = by_gram ? ridge.solution : Vector(whole.gram.transpose() * ridge.solution);
      return;
    }
    ElasticDescent descent(problem<by_gram>(whole), mixings_[best], tolerance_ / 100);
    for (std::size_t step = 0; step <= best_step; ++step) descent.solve(penalty(mixings_[best], step));
    weights_ = descent.weights();
  }

  double penalty(double mixing, std::size_t step) const {
    const double last = by_rows_ ? 1e-3 : 1e-4;
    return top_ / mixing * std::pow(last, static_cast<double>(step) / static_cast<double>(steps_of_path - 1));
  }

  template <bool by_gram>
  static auto problem(const Part& part) {
    if constexpr (by_gram)
      return GramProblem(part.gram, part.product);
    else
      return RowsProblem(part.gram, part.product);
  }

  // The rows outside of the fold; all rows for fold −1.
  template <bool by_gram>
  Part part_of(Index fold) const {
    Part part;
    if constexpr (by_gram) {
      ElasticSums sums = *total_;
      if (fold >= 0) sums.add(*held_[static_cast<std::size_t>(fold)], -1);
      part = {sums.rows,
              sums.y / sums.rows,
              sums.centred_square(),
              sums.x / sums.rows,
              sums.centred_gram() / sums.rows,
              sums.centred_product() / sums.rows};
    } else {
      Rows rows;
      for (std::size_t f = 0; f < folds_.size(); ++f)
        if (static_cast<Index>(f) != fold) rows.insert(rows.end(), folds_[f].begin(), folds_[f].end());
      part.gram = columns_.of_rows(x_, rows);
      part.product = targets(rows);
      part.rows = static_cast<double>(rows.size());
      Vector own;  // weights with the mean 1
      if (!weights_of_rows_.empty()) {
        const std::vector<double> picked = pick_weights(weights_of_rows_, rows);
        own = Eigen::Map<const Vector>(picked.data(), std::ssize(picked));
        own /= own.mean();
      }
      part.y_mean = own.size() == 0 ? part.product.mean() : own.dot(part.product) / part.rows;
      if (own.size() == 0)
        part.x_mean = part.gram.colwise().mean().transpose();
      else
        part.x_mean = part.gram.transpose() * own / part.rows;
      part.gram.rowwise() -= part.x_mean.transpose();
      part.product.array() -= part.y_mean;
      if (own.size() > 0) {
        part.gram = own.cwiseSqrt().asDiagonal() * part.gram;
        part.product = own.cwiseSqrt().asDiagonal() * part.product;
      }
      part.square = part.product.squaredNorm();
    }
    return part;
  }

  Vector targets(RowsView rows) const {
    Vector result(std::ssize(rows));
    for (Index r = 0; r < result.size(); ++r) result[r] = y_[static_cast<std::size_t>(rows[static_cast<std::size_t>(r)])];
    return result;
  }

  // Σ squared error of weights learned from `part` on the held-out rows of the fold.
  template <bool by_gram>
  double held_error(const Part& part, Index fold, const Vector& w, const std::vector<Index>& used) const {
    double b = part.y_mean;
    for (const Index j : used) b -= w[j] * part.x_mean[j];
    if constexpr (by_gram) return held_[static_cast<std::size_t>(fold)]->square_error(b, w, used);
    double sum = 0;
    for (const Index row : folds_[static_cast<std::size_t>(fold)]) {
      double f = b;
      for (const Index j : used)
        if (w[j] != 0)
          f += w[j] * (static_cast<double>(x_(row, columns_.columns[static_cast<std::size_t>(j)])) - columns_.centre[j]) /
               columns_.scale[j];
      sum += weight_of(weights_of_rows_, row) * std::pow(y_[static_cast<std::size_t>(row)] - f, 2);
    }
    return sum;
  }

  // The path ends early when held-out errors have been growing for `patience` steps or no longer change.
  template <bool by_gram>
  PathErrors path_errors(const Part& part, Index fold, double mixing) const {
    constexpr std::size_t patience = 10;
    PathErrors result;
    ElasticDescent descent(problem<by_gram>(part), mixing, tolerance_);
    double minimum = infinity;
    std::size_t best = 0, still = 0;
    for (std::size_t step = 0; step < steps_of_path; ++step) {
      descent.solve(penalty(mixing, step));
      const double error = held_error<by_gram>(part, fold, descent.weights(), descent.candidates());
      still = step > 0 && std::abs(error - result.back()) < 1e-5 * error ? still + 1 : 0;
      result.push_back(error);
      if (error < minimum) {
        minimum = error;
        best = step;
      }
      const bool grows = step > best + patience && error > 1.1 * minimum;
      if (!grows && (still < patience || descent.weights().isZero())) continue;
      result.resize(steps_of_path, grows ? infinity : error);
      break;
    }
    return result;
  }

  template <bool by_gram>
  double ridge_error(const Part& part, Index fold, double penalty) const {
    if (!(penalty > 0)) return infinity;
    const double share = penalty * part.rows / (by_gram ? total_->rows : static_cast<double>(x_.rows()));
    Vector w;
    if constexpr (by_gram) {
      DenseMatrix penalised = part.gram;
      penalised.diagonal().array() += share / part.rows;
      w = Cholesky(std::move(penalised)).solve(part.product);
    } else {
      DenseMatrix penalised = multiply(part.gram, part.gram, Transpose::right);
      penalised.diagonal().array() += share;
      w = part.gram.transpose() * Cholesky(std::move(penalised)).solve(part.product);
    }
    const double error = held_error<by_gram>(part, fold, w, all_rows(w.size()));
    return std::isfinite(error) ? error : infinity;
  }

  const MatrixF& x_;
  std::span<const double> y_;
  RowWeights weights_of_rows_;
  bool by_rows_;  // more columns than rows
  ElasticColumns columns_;
  std::vector<double> mixings_;  // α
  std::vector<Rows> folds_;
  std::vector<std::optional<ElasticSums>> held_;  // by fold
  std::optional<ElasticSums> total_;
  double top_ = 0;  // the smallest λ α for which all weights are 0
  double tolerance_ = 0;
  Vector weights_;
};

class Elastic final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }
  bool joins_stack(Index, Index, SearchEffort effort) const override { return effort != SearchEffort::quick; }
  bool is_additive() const override { return true; }

  void fit(const InputPool& all, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    context.report("elastic", 0);
    std::vector<double> sampled_y;
    const Rows sampled = sample(rows, y, all.columns(), settings.seed, sampled_y);
    const std::vector<double> weights = all.weights_of(sampled);
    intercept_ = weighted_mean(sampled_y, weights);
    columns_.clear();
    weights_.clear();
    if (std::ssize(sampled) >= min_elastic_rows) {
      const MatrixF x = all.gather(sampled);
      const ElasticFit fit(x, sampled_y, weights, settings, context);
      for (Index j = 0; j < fit.weights().size(); ++j) {
        const double weight = fit.weights()[j] / fit.columns().scale[j];
        if (weight == 0 || !std::isfinite(weight)) continue;
        columns_.push_back(static_cast<std::int32_t>(fit.columns().columns[static_cast<std::size_t>(j)]));
        weights_.push_back(weight);
        intercept_ -= weight * fit.columns().centre[j];
      }
    }
    context.report("elastic", 1);
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    parallel_blocks(x.rows(), 4096, threads, [&](Index begin, Index end) {
      for (Index r = begin; r < end; ++r) {
        double sum = intercept_;
        for (std::size_t j = 0; j < columns_.size(); ++j) sum += weights_[j] * static_cast<double>(x(r, columns_[j]));
        out[static_cast<std::size_t>(r)] = sum;
      }
    });
  }

  // The inputs are standardised: their means over training rows are 0.
  std::optional<AdditiveForm> additive_form(Index) const override {
    AdditiveForm form{intercept_};
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      const auto column = static_cast<std::size_t>(columns_[j]);
      form.weights.resize(std::max(form.weights.size(), column + 1));
      form.weights[column] += weights_[j];
    }
    return form;
  }

  std::optional<DescribedFunction> describe() const override {
    return DescribedFunction{intercept_, 1, DescribedWeights{columns_, weights_}};
  }

  void save(Archive archive) const override {
    archive.put("intercept", intercept_);
    archive.put("columns", columns_);
    archive.put("weights", weights_);
  }
  void load(const Archive& archive, Index inputs) override {
    intercept_ = archive.number("intercept");
    columns_ = archive.get<std::vector<std::int32_t>>("columns");
    weights_ = archive.get<std::vector<double>>("weights");
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (columns_.size() != weights_.size() ||
        !std::all_of(columns_.begin(), columns_.end(), [&](std::int32_t c) { return c >= 0 && c < inputs; }))
      throw Error("the elastic predictor of the model file has weights for other inputs than the model's: the file is damaged");
    if (!std::isfinite(intercept_) || !std::all_of(weights_.begin(), weights_.end(), is_finite))
      throw Error("the elastic predictor of the model file has weights that are not finite: the file is damaged");
  }

 private:
  static Rows sample(RowsView rows, std::span<const double> y, Index columns, std::uint64_t seed, std::vector<double>& chosen_y) {
    const auto width = static_cast<double>(std::min(columns, max_gram_columns));
    const Index maximum = std::max(min_sampled_rows, static_cast<Index>(max_elastic_work / (width * width)));
    Rows places = all_rows(std::ssize(rows));
    if (std::ssize(rows) > maximum) {
      places = Random(seed).fork(8).permutation(std::ssize(rows));
      places.resize(static_cast<std::size_t>(maximum));
      std::sort(places.begin(), places.end());
    }
    chosen_y = pick(y, places);
    for (Index& place : places) place = rows[static_cast<std::size_t>(place)];
    return places;
  }

  double intercept_ = 0;
  std::vector<std::int32_t> columns_;  // those with a non-zero weight
  std::vector<double> weights_;
};

}  // namespace

Listed<Predictor> elastic_predictor() {
  return {"elastic", "linear with few or many columns that matter: elastic net or ridge, chosen by inner folds",
          [](std::string_view) { return std::make_unique<Elastic>(); }};
}

}  // namespace taut
