#include <taut/train/trainer.hpp>

#include <taut/core/random.hpp>
#include <taut/core/trace.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

// Records the best loss so far, and stops after `patience` epochs without a better one.
class EarlyStopping {
 public:
  EarlyStopping(double first, Index patience) : best_(first), patience_(patience) {}

  bool improves(double loss, Index epoch) {
    if (!is_lower_loss(loss, best_)) return false;
    best_ = loss;
    epoch_ = epoch;
    return true;
  }
  bool out_of_patience(Index epoch) const { return epoch - epoch_ >= patience_; }
  Index epoch() const { return epoch_; }

 private:
  double best_;
  Index patience_;
  Index epoch_ = 0;
};

// Gathers the rows of one update and turns the localizer's output into gradients for it.
class Step {
 public:
  Step(Localizer& localizer, const Transform& transform, const Objective& objective, const TrainingRows& rows, int sides,
       int threads)
      : localizer_(localizer), transform_(transform), objective_(objective), all_(rows), sides_(sides), threads_(threads) {}

  void operator()(RowsView rows) {
    const bool whole = static_cast<Index>(rows.size()) == all_.residuals.rows();
    const Matrix* g = &localizer_.forward(rows);
    if (all_.base != nullptr) g = &add_base(*g, rows);
    if (!whole) {
      part_ = pick(all_.residuals, rows);
      for (double& weight : part_.weight) weight *= mean_one_;
    }
    const Residuals& residuals = whole ? all_.residuals : part_;
    const TracedPart traced("gradients");
    const ObjectiveRows view{residuals.size, residuals.side, transform_, *g, sides_, !whole, threads_, residuals.weight};
    objective_.evaluate(view, &gradient_, &curvature_);
    localizer_.update(rows, gradient_, curvature_);
  }

 private:
  const Matrix& add_base(const Matrix& g, RowsView rows) {
    sum_ = g;
    for (std::size_t i = 0; i < rows.size(); ++i) sum_.row(static_cast<Index>(i)) += all_.base->row(rows[i]);
    return sum_;
  }

  Localizer& localizer_;
  const Transform& transform_;
  const Objective& objective_;
  const TrainingRows& all_;
  int sides_, threads_;
  double mean_one_ = static_cast<double>(all_.residuals.rows()) / total_weight(all_.residuals.weight, all_.residuals.rows());
  Residuals part_;
  Matrix sum_, gradient_, curvature_;
};

using Parameters = Eigen::RowVectorXd;

Parameters start_of(const Transform& transform, int sides) {
  const Index params = transform.n_params();
  Parameters start(params * sides);
  for (int side = 0; side < sides; ++side) transform.initial(start.data() + side * params);
  return start;
}

// The best parameters that are the same for every x, by damped Newton steps on a few thousand rows. Without them a class with
// many parameters would need about a hundred rounds to fit what all rows have in common. (A scale needs none: a constant factor
// changes no interval.)
Parameters best_constant(const Transform& transform, const Objective& objective, const Residuals& residuals, const Matrix* base,
                         int sides) {
  constexpr Index enough_rows = 2000, steps = 60;
  constexpr double longest = 0.3, damping = 0.5;
  Rows some;
  const Index n = residuals.rows(), stride = std::max<Index>(1, n / enough_rows);
  for (Index i = 0; i < n; i += stride) some.push_back(i);
  const Residuals part = pick(residuals, some);
  Matrix start(part.rows(), transform.n_params() * sides);
  for (std::size_t i = 0; i < some.size(); ++i)
    start.row(static_cast<Index>(i)) = base != nullptr ? Parameters(base->row(some[i])) : start_of(transform, sides);
  Parameters best = Parameters::Zero(start.cols()), at = best;
  double minimum = infinity;
  Matrix gradient, curvature;
  for (Index step = 0; step < steps; ++step) {
    const Matrix g = start.rowwise() + at;
    const double loss =
        objective.evaluate({part.size, part.side, transform, g, sides, false, 1, part.weight}, &gradient, &curvature);
    if (!std::isfinite(loss) || !gradient.allFinite()) break;
    if (loss < minimum) {
      minimum = loss;
      best = at;
    }
    for (Index i = 0; i < gradient.rows() && !part.weight.empty(); ++i) {
      gradient.row(i) *= weight_of(part.weight, i);
      curvature.row(i) *= weight_of(part.weight, i);
    }
    const Parameters slope = gradient.colwise().sum(), bend = curvature.colwise().sum();
    for (Index p = 0; p < at.size(); ++p)
      if (bend[p] > 0) at[p] -= std::clamp(damping * slope[p] / bend[p], -longest, longest);
  }
  if (base == nullptr) best += start_of(transform, sides);
  return best;
}

std::vector<double> initial_output(const Transform& transform, const Objective& objective, const TrainingRows& training,
                                   int sides) {
  Parameters start = Parameters::Zero(transform.n_params() * sides);
  const bool has_base = training.base != nullptr;
  if (transform.is_scale() && !has_base)
    start = start_of(transform, sides);
  else if (!transform.is_scale() && !(has_base && training.base_is_trained))
    start = best_constant(transform, objective, training.residuals, training.base, sides);
  return {start.data(), start.data() + start.size()};
}

}  // namespace

TrainingRecord train(Localizer& localizer, const Transform& transform, const Objective& objective, const InputPool& x,
                     const TrainingRows& training, const TrainingRows& validation, const TrainingSettings& settings,
                     const ExecutionContext& context) {
  const auto initial = initial_output(transform, objective, training, settings.sides);
  LocalizerSettings own = settings.localizer;
  own.min_gain = objective.min_gain();
  localizer.start(x, training.inputs, validation.inputs, initial, own, context);

  const auto validation_loss = [&] {
    const TracedPart traced("loss");
    Matrix g = localizer.validation();
    if (validation.base != nullptr) g += *validation.base;
    const Residuals& residuals = validation.residuals;
    return objective.evaluate(
        {residuals.size, residuals.side, transform, g, settings.sides, false, context.threads, residuals.weight}, nullptr,
        nullptr);
  };
  const Index n = training.residuals.rows();
  const Index wanted = localizer.batch();
  const Index batch = wanted == 0 ? n : std::min(n, std::max(wanted, objective.min_batch()));
  const Index epochs = settings.epochs > 0 ? settings.epochs : localizer.default_epochs();

  Random random = Random(settings.localizer.seed).fork(1);
  Step step(localizer, transform, objective, training, settings.sides, context.threads);
  TrainingRecord record;
  record.curve.push_back(validation_loss());
  // Without a base the start is an untrained localizer, which is never kept, even if its loss happens to be low.
  EarlyStopping best(training.base != nullptr ? record.curve.front() : infinity,
                     settings.patience > 0 ? settings.patience : localizer.default_patience());
  localizer.snapshot();
  Rows order = all_rows(n);
  for (Index epoch = 1; epoch <= epochs && !best.out_of_patience(epoch - 1); ++epoch) {
    context.report(training_stage_name, static_cast<double>(epoch) / static_cast<double>(epochs));
    if (batch < n) order = random.permutation(n);
    // Rows that do not fill a batch are skipped until the next shuffle: a batch of one row has no pairs.
    for (Index first = 0; first + batch <= n; first += batch)
      step(RowsView(order).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(batch)));
    record.curve.push_back(validation_loss());
    if (best.improves(record.curve.back(), epoch)) localizer.snapshot();
  }
  record.best_epoch = best.epoch();
  localizer.restore();
  localizer.finish();
  return record;
}

}  // namespace taut
