#include <taut/fit/imitate_score.hpp>

#include <taut/core/trace.hpp>
#include <taut/data/inputs/scaling.hpp>
#include <taut/predict/boosting.hpp>
#include <taut/predict/training_inputs.hpp>
#include <taut/train/residual_curve.hpp>
#include <taut/trees/vector_boosting.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index share_that_stops = 10;  // one row in ten
constexpr double min_spread = 1e-3;     // of a row, as a share of the mean

// The inputs of g: those of the encoder, then f.
MatrixF with_f(const MatrixF& inputs, std::span<const double> f, double offset, double unit) {
  MatrixF wider(inputs.rows(), inputs.cols() + 1);
  wider.leftCols(inputs.cols()) = inputs;
  for (Index i = 0; i < inputs.rows(); ++i) wider(i, inputs.cols()) = to_float((f[static_cast<std::size_t>(i)] - offset) / unit);
  return wider;
}

}  // namespace

std::vector<double> taught_probabilities() { return all_curve_probabilities(); }

ScoreModel imitate_score(const TaughtScores& taught, const ScoreScale& scale, std::uint64_t seed,
                         const ExecutionContext& context) {
  const Traced traced("imitate g");
  const Index n = taught.x.rows(), last = taught.quantiles.cols() - 1;
  const Rows rows = all_rows(n);
  const std::vector<double> f = scale.is_identity() ? taught.f : scale.centres(taught.f);
  Matrix q = taught.quantiles;
  for (Index i = 0; i < q.size() && !scale.is_identity(); ++i) q.data()[i] = scale.forward(q.data()[i]);
  const Eigen::VectorXd spread = (q.col(last) - q.col(0)) / 2;
  const double unit = spread.mean();
  if (!(unit > 0) || !std::isfinite(unit)) return {};  // a teacher without any noise: one width everywhere
  std::vector<double> g;                               // −2 log s, the parameter of the scale `exp`
  for (Index i = 0; i < n; ++i) g.push_back(-2 * std::log(std::max(spread(i) / unit, min_spread)));

  const TrainingPart part{.rows = n, .begin = n - n / share_that_stops, .end = n};
  const TrainingInputs training(Encoding::raw, taught.x, rows, g, {part}, /*with_counts=*/true);
  const double offset = float_offset(f);
  const InputPool inputs(with_f(training.shared(context.threads), f, offset, unit));
  double centre = 0;
  for (const double one : g) centre += one / static_cast<double>(n);
  PredictorSettings settings;
  settings.seed = seed;
  settings.exact = true;
  const Forest forest =
      boosted_forest(SquaredLoss(), inputs, rows, g, centre, boosting_trials(n, settings, context.threads), seed, context).forest;

  // The parts are put together as in a model file.
  Archive archive;
  archive.put("transform", std::string(taught.has_shape ? "curve" : "exp"));
  archive.put("unit", unit);
  scale.save(archive);
  archive.put("sees_prediction", std::int64_t{1});
  archive.put("prediction_offset", offset);
  training.encoder().save(archive.scope("localizer_encoder"));
  Archive of_scale = archive.scope("localization");
  of_scale.put("localizer", std::string("boost"));
  of_scale.put("sides", std::int64_t{1});
  of_scale.put("exponents", std::vector<double>{1});
  of_scale.put("members", std::int64_t{1});
  Archive member = of_scale.scope("member0");
  member.put("centre", 0.0);
  member.put("stage0/initial", std::vector<double>{centre});
  forest.save(member.scope("stage0/trees"));
  if (taught.unit > 0) {
    const BeyondTraining beyond(inputs.floats(), training.encoder(), taught.x.columns(), f, {}, taught.unit);
    if (!beyond.empty()) beyond.save(archive.scope("beyond_training"));
  }
  if (taught.has_shape) {
    Matrix log_scales(n, 1);
    forest.evaluate(inputs.floats(), log_scales, context.threads);
    log_scales = -(log_scales.array() + centre) / 2;
    for (Index i = 0; i < n; ++i)
      q.row(i) = (q.row(i).array() - f[static_cast<std::size_t>(i)]) / (unit * std::exp(log_scales(i, 0)));
    InputPool pool(curve_inputs(inputs.floats(), log_scales));
    BoostedVectors curve =
        boost_vectors(*pool.binned(64, context.threads), part.train(), part.validation(), q, {.seed = seed}, context);
    ResidualCurve({{std::move(curve.initial), {}, std::move(curve.forest)}}).save(archive.scope("curve"));
  }
  return ScoreModel::load(archive, taught.x.columns(), false);
}

}  // namespace taut
