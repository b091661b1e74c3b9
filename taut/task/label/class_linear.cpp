#include <taut/task/label/class_linear.hpp>

#include <taut/algebra/dense.hpp>
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/task/label/temperature.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

constexpr Index max_steps = 200;
constexpr double loss_tolerance = 1e-7;  // of the loss per row, which the Newton decrement estimates
constexpr double min_penalty = 1e-6;     // of b, relative to the number of rows: makes the matrix below positive definite

}  // namespace

LogisticRidge::LogisticRidge(const MatrixF& x, std::vector<Index> labels, Index classes, std::vector<double> weights)
    : x_(x.rows(), x.cols() + 1), labels_(std::move(labels)), weights_(std::move(weights)), classes_(classes) {
  x_.leftCols(x.cols()) = x.cast<double>();
  x_.rightCols(1).setOnes();
  gram_ = Eigen::MatrixXd::Zero(x_.cols(), x_.cols());
  if (weights_.empty()) {
    add_gram(x_.transpose(), Transpose::right, gram_);
  } else {
    Matrix weighted = x_;
    for (Index row = 0; row < x_.rows(); ++row) weighted.row(row) *= std::sqrt(weight_of(weights_, row));
    add_gram(weighted.transpose(), Transpose::right, gram_);
  }
}

Matrix LogisticRidge::gradient(const Matrix& weights, double penalty) const {
  Matrix error = multiply(weights.transpose(), x_.transpose()).transpose();
  const auto width = static_cast<std::size_t>(classes_);
  for (Index row = 0; row < error.rows(); ++row) {
    const std::span<double> own(error.row(row).data(), width);
    softmax(own, 1, own);
    own[static_cast<std::size_t>(labels_[static_cast<std::size_t>(row)])] -= 1;
    if (!weights_.empty()) error.row(row) *= weight_of(weights_, row);
  }
  Matrix result = multiply(error.transpose(), x_.transpose(), Transpose::right).transpose();
  result.topRows(weights.rows() - 1) += penalty * weights.topRows(weights.rows() - 1);
  return result;
}

// The Hessian of the loss is at most ½ XᵀX for each label (Böhning 1992), in XᵀX each row with its weight. A step by the inverse
// of ½ XᵀX + λ therefore never overshoots, and one factorisation serves all steps. The steps use Nesterov's acceleration with
// adaptive restart (O'Donoghue and Candès 2015).
void LogisticRidge::minimise(double penalty, Matrix& weights) const {
  const double rows = total_weight(weights_, x_.rows());
  Eigen::MatrixXd bound = 0.5 * gram_;
  bound.diagonal().array() += penalty;
  bound(bound.rows() - 1, bound.rows() - 1) += min_penalty * rows - penalty;
  const Cholesky factor(std::move(bound));
  Matrix ahead = weights;
  double momentum = 1;
  for (Index step = 0; step < max_steps; ++step) {
    const Matrix slope = gradient(ahead, penalty);
    const Matrix move = factor.solve(Eigen::MatrixXd(slope));
    const Matrix next = ahead - move;
    const Matrix moved = next - weights;
    weights = next;
    if (slope.cwiseProduct(move).sum() < loss_tolerance * rows) return;
    if (slope.cwiseProduct(moved).sum() > 0) {
      momentum = 1;
      ahead = weights;
      continue;
    }
    const double later = 0.5 * (1 + std::sqrt(1 + 4 * momentum * momentum));
    ahead = weights + ((momentum - 1) / later) * moved;
    momentum = later;
  }
}

namespace {

// Inputs are standardised, so a penalty of λ corresponds to weights of about 1/√λ. Penalties go from strong to weak, each
// starting from the solution of the one before.
constexpr double linear_penalties[] = {100, 30, 10, 3, 1, 0.3, 0.1};
constexpr Index max_weights = 5'000;        // inputs x labels
constexpr Index max_linear_rows = 20'000;   // enough for at most `max_weights` weights
constexpr Index max_products = 20'000'000;  // rows x inputs x labels
constexpr double min_fall = 1e-3;           // relative fall of the log loss below which weaker penalties are not tried
constexpr float max_deviation = 6;          // in standard deviations: bounds the effect of a single outlying cell

MatrixF bounded_inputs(const Encoder& encoder, const TableView& x, RowsView rows, int threads) {
  MatrixF encoded = encoder.encode(x, rows, threads);
  encoded = encoded.cwiseMax(-max_deviation).cwiseMin(max_deviation);
  return encoded;
}

LogisticRidge ridge_of(const MatrixF& inputs, const Rows& rows, RowLabels labels, Index classes) {
  const Index maximum = std::min(max_linear_rows, max_products / ((inputs.cols() + 1) * classes));
  const Index step = std::max<Index>(1, (std::ssize(rows) + maximum - 1) / maximum);
  Rows some;
  for (Index i = 0; i < std::ssize(rows); i += step) some.push_back(rows[static_cast<std::size_t>(i)]);
  MatrixF own(std::ssize(some), inputs.cols());
  std::vector<Index> own_labels;
  for (std::size_t i = 0; i < some.size(); ++i) {
    own.row(static_cast<Index>(i)) = inputs.row(some[i]);
    own_labels.push_back(labels[static_cast<std::size_t>(some[i])]);
  }
  return {own, std::move(own_labels), classes, pick_weights(labels.weights, some)};
}

void linear_logits(const MatrixF& inputs, const Matrix& weights, Index begin, Index end, Matrix& out) {
  const Index columns = inputs.cols();
  out.middleRows(begin, end - begin) =
      (inputs.middleRows(begin, end - begin).cast<double>() * weights.topRows(columns)).rowwise() + weights.row(columns);
}

double mean_log_loss(const Matrix& logits, RowLabels labels, int threads) {
  const auto width = static_cast<std::size_t>(logits.cols());
  return parallel_sum(logits.rows(), threads,
                      [&](Index begin, Index end) {
                        double sum = 0;
                        for (Index row = begin; row < end; ++row)
                          sum += labels.weight(row) *
                                 log_loss_of({logits.row(row).data(), width}, 1, labels[static_cast<std::size_t>(row)]);
                        return sum;
                      }) /
         labels.total();
}

}  // namespace

ClassLinear::Fitted ClassLinear::fit(const TableView& x, RowsView rows, RowLabels labels, Index classes,
                                     const std::vector<TrainingPart>& folds, const ExecutionContext& context) {
  Fitted fitted;
  const Encoder encoder(Encoding::standardised, x, rows, labels.weights);
  if (encoder.columns() == 0 || (encoder.columns() + 1) * classes > max_weights) return fitted;
  const MatrixF inputs = bounded_inputs(encoder, x, rows, context.threads);
  const Matrix start = Matrix::Zero(inputs.cols() + 1, classes);
  std::vector<LogisticRidge> ridges;
  for (const TrainingPart& fold : folds) ridges.push_back(ridge_of(inputs, fold.train(), labels, classes));
  std::vector<Matrix> weights(folds.size(), start);
  Matrix held_out(inputs.rows(), classes);
  double minimum = infinity, best = linear_penalties[0];
  for (const double penalty : linear_penalties) {
    run_concurrently(std::ssize(folds), context, "predictor", [&](Index fold, const ExecutionContext&) {
      const auto at = static_cast<std::size_t>(fold);
      ridges[at].minimise(penalty, weights[at]);
      linear_logits(inputs, weights[at], folds[at].begin, folds[at].end, held_out);
    });
    const double loss = mean_log_loss(held_out, labels, context.threads);
    if (!(loss < minimum)) break;
    const bool is_enough = loss > (1 - min_fall) * minimum;
    minimum = loss;
    best = penalty;
    fitted.out_of_fold = held_out;
    if (is_enough) break;
  }
  ridges.clear();
  if (fitted.out_of_fold.size() == 0) return fitted;  // no penalty gave a finite loss: there is no linear member
  fitted.linear.encoder_ = encoder;
  fitted.linear.weights_ = start;
  ridge_of(inputs, all_rows(inputs.rows()), labels, classes).minimise(best, fitted.linear.weights_);
  return fitted;
}

Matrix ClassLinear::logits(const TableView& x, RowsView rows, int threads) const {
  const MatrixF inputs = bounded_inputs(encoder_, x, rows, threads);
  Matrix logits(inputs.rows(), weights_.cols());
  // Row by row, so that the bits of a row do not depend on the number of rows.
  parallel_blocks(inputs.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index row = begin; row < end; ++row) {
      logits.row(row) = weights_.row(inputs.cols());
      for (Index c = 0; c < inputs.cols(); ++c) logits.row(row) += static_cast<double>(inputs(row, c)) * weights_.row(c);
    }
  });
  return logits;
}

void ClassLinear::save(Archive archive) const {
  encoder_.save(archive.scope("encoder"));
  archive.put("weights", std::vector<double>(weights_.data(), weights_.data() + weights_.size()));
}

ClassLinear ClassLinear::load(const Archive& archive, const std::vector<Column>& schema, Index classes) {
  ClassLinear linear;
  linear.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  const auto& weights = archive.get<std::vector<double>>("weights");
  if (std::ssize(weights) != (linear.encoder_.columns() + 1) * classes)
    throw Error("the model file's linear logits do not fit its labels: it is damaged");
  linear.weights_ = Eigen::Map<const Matrix>(weights.data(), linear.encoder_.columns() + 1, classes);
  if (!linear.weights_.allFinite()) throw Error("the model file's linear logits have weights that are not finite: it is damaged");
  return linear;
}

}  // namespace taut
