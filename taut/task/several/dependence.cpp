#include <taut/task/several/dependence.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/split.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index max_dependence_rows = 20'000;  // more rows would hardly change correlations
constexpr Index n_folds = 5;
constexpr Index min_rows_to_train = 200;
constexpr Index max_rounds = 300;
constexpr double max_size = 30;  // of a: the correlation is at most 0.9995

// The lower triangle of L⁻¹ of a correlation matrix that is shrunk a little, so that collinear targets keep a regular one.
std::vector<double> constant_of(const Matrix& scores, double& largest) {
  const Index d = scores.cols(), n = scores.rows();
  Eigen::MatrixXd r = scores.transpose() * scores / static_cast<double>(std::max<Index>(1, n));
  Eigen::VectorXd size = r.diagonal().cwiseMax(1e-12).cwiseSqrt();
  r = size.cwiseInverse().asDiagonal() * r * size.cwiseInverse().asDiagonal();
  largest = 0;
  for (Index j = 0; j < d; ++j)
    for (Index k = 0; k < j; ++k)
      if (std::abs(r(j, k)) > std::abs(largest)) largest = r(j, k);
  const double shrunk = 1e-3 + 1 / (static_cast<double>(n) + 10);
  r = (1 - shrunk) * r;
  r.diagonal().array() += shrunk;
  // L row by row.
  Eigen::MatrixXd l = Eigen::MatrixXd::Zero(d, d);
  std::vector<double> a;
  for (Index j = 0; j < d; ++j) {
    for (Index k = 0; k < j; ++k) {
      double sum = r(j, k);
      for (Index m = 0; m < k; ++m) sum -= l(j, m) * l(k, m);
      l(j, k) = sum / l(k, k);
    }
    double rest = r(j, j);
    for (Index m = 0; m < j; ++m) rest -= l(j, m) * l(j, m);
    l(j, j) = std::sqrt(std::max(rest, 1e-4));
    for (Index k = 0; k < j; ++k) a.push_back(std::clamp(l(j, k) / l(j, j), -max_size, max_size));
  }
  return a;
}

double mean_loss(const Matrix& a, const Matrix& scores, std::vector<double>* each = nullptr) {
  double sum = 0;
  for (Index i = 0; i < scores.rows(); ++i) {
    const Correlation own{{a.row(i).data(), static_cast<std::size_t>(a.cols())}, scores.cols()};
    const double loss = correlation_loss(own, {scores.row(i).data(), static_cast<std::size_t>(scores.cols())});
    if (each != nullptr) each->push_back(loss);
    sum += loss;
  }
  return sum / static_cast<double>(std::max<Index>(1, scores.rows()));
}

Matrix rows_of(const Matrix& all, const Rows& rows) {
  Matrix some(std::ssize(rows), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) some.row(static_cast<Index>(i)) = all.row(rows[i]);
  return some;
}

// Boosted trees from the constant, with as many rounds as the validation rows like.
std::shared_ptr<Localizer> train_member(const InputPool& pool, const Rows& train, const Rows& validation, const Matrix& scores,
                                        std::span<const double> constant, std::uint64_t seed, const ExecutionContext& context,
                                        Matrix& held_out) {
  std::shared_ptr<Localizer> member = localizers().make("boost");
  LocalizerSettings settings;
  settings.seed = seed;
  settings.depth = 3;
  settings.rate = 0.1;
  member->start(pool, train, validation, constant, settings, context);
  const Matrix own = rows_of(scores, train), theirs = rows_of(scores, validation);
  const Rows places = all_rows(std::ssize(train));
  const auto d = static_cast<std::size_t>(scores.cols()), p = constant.size();
  const double share = 1 / static_cast<double>(train.size());
  double best = mean_loss(member->validation(), theirs);
  member->snapshot();
  Index since = 0;
  Matrix gradient(own.rows(), static_cast<Index>(p)), curvature = gradient;
  for (Index round = 0; round < max_rounds && since < 20; ++round, ++since) {
    const Matrix& a = member->forward(places);
    for (Index i = 0; i < own.rows(); ++i) {
      correlation_loss({{a.row(i).data(), p}, scores.cols()}, {own.row(i).data(), d}, {gradient.row(i).data(), p},
                       {curvature.row(i).data(), p});
    }
    gradient *= share;
    curvature *= share;
    member->update(places, gradient, curvature);
    const double loss = mean_loss(member->validation(), theirs);
    if (!(loss < best - 1e-7)) continue;
    best = loss;
    since = -1;
    member->snapshot();
  }
  member->restore();
  held_out = member->validation();
  member->finish();
  return member;
}

}  // namespace

double Correlation::h(Index j) const {
  double sum = 1;
  for (Index k = 0; k < j; ++k) sum += (*this)(j, k) * (*this)(j, k);
  return std::sqrt(sum);
}

// n_j h_j = z_j + Σ_k a_jk z_k.
void Correlation::whiten(std::span<const double> n, std::span<double> z) const {
  for (Index j = 0; j < targets; ++j) {
    double value = h(j) * n[static_cast<std::size_t>(j)];
    for (Index k = 0; k < j; ++k) value -= (*this)(j, k) * z[static_cast<std::size_t>(k)];
    z[static_cast<std::size_t>(j)] = value;
  }
}

void Correlation::colour(std::span<const double> z, std::span<double> n) const {
  for (Index j = targets - 1; j >= 0; --j) {
    double value = z[static_cast<std::size_t>(j)];
    for (Index k = 0; k < j; ++k) value += (*this)(j, k) * z[static_cast<std::size_t>(k)];
    n[static_cast<std::size_t>(j)] = value / h(j);
  }
}

double Correlation::log_determinant_of_inverse() const {
  double sum = 0;
  for (Index j = 0; j < targets; ++j) sum += std::log(h(j));
  return sum;
}

// With G_j = ∂loss/∂z_j, which includes the later z_m: G_j = z_j − Σ_{m > j} a_mj G_m,
//   ∂z_j/∂a_jk = n_j a_jk / h_j − z_k,   ∂loss/∂a_jk = G_j ∂z_j/∂a_jk − a_jk / h_j².
double correlation_loss(const Correlation& c, std::span<const double> n, std::span<double> gradient,
                        std::span<double> curvature) {
  const Index d = c.targets;
  std::vector<double> z(static_cast<std::size_t>(d)), g(z);
  c.whiten(n, z);
  double loss = 0;
  for (Index j = 0; j < d; ++j) loss += 0.5 * z[static_cast<std::size_t>(j)] * z[static_cast<std::size_t>(j)] - std::log(c.h(j));
  if (gradient.empty()) return loss;
  for (Index j = d - 1; j >= 0; --j) {
    const auto at = static_cast<std::size_t>(j);
    g[at] = z[at];
    for (Index m = j + 1; m < d; ++m) g[at] -= c(m, j) * g[static_cast<std::size_t>(m)];
    const double h = c.h(j);
    for (Index k = 0; k < j; ++k) {
      const double slope = n[at] * c(j, k) / h - z[static_cast<std::size_t>(k)];
      const auto place = static_cast<std::size_t>(j * (j - 1) / 2 + k);
      gradient[place] = g[at] * slope - c(j, k) / (h * h);
      if (!curvature.empty()) curvature[place] = slope * slope;
    }
  }
  return loss;
}

MatrixF Dependence::inputs(const TableView& x, RowsView rows, const Matrix& predictions, int threads) const {
  const MatrixF own = encoder_.encode(x, rows, threads);
  MatrixF all(own.rows(), own.cols() + predictions.cols());
  all.leftCols(own.cols()) = own;
  all.rightCols(predictions.cols()) = predictions.cast<float>();
  return all;
}

Dependence Dependence::fit(const Matrix& scores, const TableView& x, RowsView rows, const Matrix& predictions, std::uint64_t seed,
                           const ExecutionContext& context, Matrix& out_of_fold) {
  const Traced traced("correlation of targets");
  Dependence result;
  result.constant_ = constant_of(scores, result.largest_);
  const Index n = scores.rows(), d = scores.cols(), p = Correlation::params(d);
  const Eigen::Map<const Eigen::RowVectorXd> constant(result.constant_.data(), p);
  out_of_fold = constant.replicate(n, 1);
  if (d < 2 || d > max_targets_to_train || n < min_rows_to_train || x.columns().empty()) return result;
  // Evenly spaced rows, if there are many.
  Rows some, places;
  const Index step = (n + max_dependence_rows - 1) / max_dependence_rows;
  for (Index i = 0; i < n; i += step) {
    places.push_back(i);
    some.push_back(rows[static_cast<std::size_t>(i)]);
  }
  Dependence trained = result;
  trained.encoder_ = Encoder(Encoding::raw, x, some);
  trained.predictions_ = predictions.cols();
  const Matrix own = rows_of(scores, places);
  const InputPool pool(trained.inputs(x, some, rows_of(predictions, places), context.threads));
  const auto parts = equal_parts(std::ssize(some), n_folds);
  std::vector<Matrix> held_out(parts.size());
  trained.members_.resize(parts.size());
  run_concurrently(std::ssize(parts), context, "training the correlation of targets",
                   [&](Index which, const ExecutionContext& each) {
                     const auto part = static_cast<std::size_t>(which);
                     const Rows train = parts[part].train();
                     double ignored = 0;
                     const auto start = constant_of(rows_of(own, train), ignored);
                     trained.members_[part] = train_member(pool, train, parts[part].validation(), own, start,
                                                           seed + static_cast<std::uint64_t>(which), each, held_out[part]);
                   });
  Matrix of_all(own.rows(), p), of_constant(own.rows(), p);
  for (std::size_t part = 0; part < parts.size(); ++part) {
    of_all.middleRows(parts[part].begin, held_out[part].rows()) = held_out[part];
    double ignored = 0;
    const auto start = constant_of(rows_of(own, parts[part].train()), ignored);
    of_constant.middleRows(parts[part].begin, held_out[part].rows()) =
        Eigen::Map<const Eigen::RowVectorXd>(start.data(), p).replicate(held_out[part].rows(), 1);
  }
  std::vector<double> with, without;
  mean_loss(of_all, own, &with);
  mean_loss(of_constant, own, &without);
  double mean = 0, square = 0;
  for (std::size_t i = 0; i < with.size(); ++i) {
    const double gain = without[i] - with[i];
    mean += gain / static_cast<double>(with.size());
    square += gain * gain / static_cast<double>(with.size());
  }
  const double error = std::sqrt(std::max(0.0, square - mean * mean) / static_cast<double>(with.size()));
  if (!(mean > error)) {
    for (std::size_t i = 0; i < places.size(); ++i) out_of_fold.row(places[i]) = of_constant.row(static_cast<Index>(i));
    return result;
  }
  if (step > 1) out_of_fold = trained.params(x, rows, predictions, context.threads);
  for (std::size_t i = 0; i < places.size(); ++i) out_of_fold.row(places[i]) = of_all.row(static_cast<Index>(i));
  return trained;
}

Matrix Dependence::params(const TableView& x, RowsView rows, const Matrix& predictions, int threads) const {
  const Index p = n_params();
  if (is_constant()) return Eigen::Map<const Eigen::RowVectorXd>(constant_.data(), p).replicate(std::ssize(rows), 1);
  const MatrixF all = inputs(x, rows, predictions, threads);
  Matrix sum = Matrix::Zero(all.rows(), p), one(all.rows(), p);
  for (const auto& member : members_) {
    member->evaluate(all, one, threads);
    sum += one;
  }
  return (sum / static_cast<double>(members_.size())).cwiseMax(-max_size).cwiseMin(max_size);
}

void Dependence::save(Archive archive) const {
  archive.put("constant", constant_);
  archive.put("largest", largest_);
  archive.put("members", static_cast<std::int64_t>(members_.size()));
  if (is_constant()) return;
  encoder_.save(archive.scope("encoder"));
  archive.put("predictions", static_cast<std::int64_t>(predictions_));
  for (std::size_t i = 0; i < members_.size(); ++i) members_[i]->save(archive.scope("member" + std::to_string(i)));
}

Dependence Dependence::load(const Archive& archive, const std::vector<Column>& schema, Index targets) {
  Dependence result;
  result.constant_ = archive.get<std::vector<double>>("constant");
  result.largest_ = archive.number("largest");
  const auto is_allowed = [](double a) { return std::abs(a) <= max_size; };
  if (std::ssize(result.constant_) != Correlation::params(targets) ||
      !std::all_of(result.constant_.begin(), result.constant_.end(), is_allowed))
    throw Error("the model file's correlation of targets makes no sense: it is damaged");
  const Index members = archive.integer_in("members", 0, 100);
  if (members == 0) return result;
  result.encoder_ = Encoder::load(archive.scope("encoder"), schema);
  result.predictions_ = archive.integer_in("predictions", 0, 1 << 20);
  if (result.predictions_ != targets)
    throw Error("the model file's correlation of targets does not fit its targets: it is damaged");
  for (Index i = 0; i < members; ++i) {
    std::shared_ptr<Localizer> member = localizers().make("boost");
    member->load(archive.scope("member" + std::to_string(i)), result.encoder_.columns() + result.predictions_, result.n_params());
    result.members_.push_back(std::move(member));
  }
  return result;
}

}  // namespace taut
