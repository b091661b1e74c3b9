#include <taut/train/trainer.hpp>

#include <taut/core/random.hpp>

#include <algorithm>
#include <numeric>

namespace taut {

namespace {

// Remembers the best loss so far and says when waiting for a better one has lasted too long.
class BestSoFar {
 public:
  BestSoFar(double first, Index patience) : best_(first), patience_(patience) {}

  bool improves(double loss, Index epoch) {
    if (!(loss < best_)) return false;
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
    if (!whole) part_ = pick(all_.residuals, rows);
    const Residuals& residuals = whole ? all_.residuals : part_;
    const ObjectiveRows view{residuals.size, residuals.side, transform_, *g, sides_, !whole, threads_};
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
  Residuals part_;
  Matrix sum_, gradient_, curvature_;
};

std::vector<double> initial_output(const Transform& transform, int sides, bool has_base) {
  const auto params = static_cast<std::size_t>(transform.n_params());
  std::vector<double> initial(params * static_cast<std::size_t>(sides));
  if (has_base) return initial;
  for (int side = 0; side < sides; ++side) transform.initial(initial.data() + static_cast<std::size_t>(side) * params);
  return initial;
}

}  // namespace

TrainingRecord train(Localizer& localizer, const Transform& transform, const Objective& objective, const TrainingRows& training,
                     const TrainingRows& validation, const TrainingSettings& settings, const Run& run) {
  const auto initial = initial_output(transform, settings.sides, training.base != nullptr);
  localizer.start(training.x, validation.x, initial, settings.localizer, run);

  const auto validation_loss = [&] {
    Matrix g = localizer.validation();
    if (validation.base != nullptr) g += *validation.base;
    const Residuals& residuals = validation.residuals;
    return objective.evaluate({residuals.size, residuals.side, transform, g, settings.sides, false, run.threads}, nullptr,
                              nullptr);
  };
  const Index n = training.residuals.rows();
  const Index liked = localizer.batch();
  const Index batch = liked == 0 ? n : std::min(n, std::max(liked, objective.least_batch()));
  const Index epochs = settings.epochs > 0 ? settings.epochs : localizer.default_epochs();

  Random random = Random(settings.localizer.seed).fork(1);
  Step step(localizer, transform, objective, training, settings.sides, run.threads);
  TrainingRecord record;
  record.curve.push_back(validation_loss());
  // Without a base the start is an untrained localizer, which must not be kept even if it happens to look good.
  BestSoFar best(training.base != nullptr ? record.curve.front() : infinity,
                 settings.patience > 0 ? settings.patience : localizer.default_patience());
  localizer.snapshot();
  Rows order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index epoch = 1; epoch <= epochs && !best.out_of_patience(epoch - 1); ++epoch) {
    run.report("training the localizer", static_cast<double>(epoch) / static_cast<double>(epochs));
    if (batch < n) order = random.permutation(n);
    // The last rows that do not fill a batch are left to the next shuffle: a batch of one row has no pairs.
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
