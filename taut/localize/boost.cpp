// g(x) by boosted trees. An update is one round: one tree per output, grown on all rows from the gradients of the objective.
#include <taut/localize/boost.hpp>

#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace taut {
namespace {

// With at least this many rows trees are deeper: intervals of the data set facebook_1 get 3 % narrower.
constexpr Index many_rows = 10'000;

// On few rows short steps cost little time, and intervals of the data set concrete get 2 % narrower. The many parameters of a
// curve (a scale has one or two) depend on one another, so that long steps overshoot: on the synthetic set `shape` the error of
// conditional coverage grows by a tenth.
bool takes_short_steps(Index rows, Index outputs) { return rows < 5000 || outputs > 2; }

constexpr Index default_rounds = 1000;
Index patience_for(Index rows, Index outputs) { return takes_short_steps(rows, outputs) ? 50 : 15; }

class Boost final : public Localizer {
 public:
  bool keeps_directions() const override { return true; }
  bool accepts_missing() const override { return true; }
  bool uses_prediction_by_default() const override { return true; }
  bool trains_per_fold() const override { return true; }

  void start(const InputPool& x, RowsView train, RowsView validation, std::span<const double> initial,
             const LocalizerSettings& settings, const ExecutionContext& context) override {
    initial_.assign(initial.begin(), initial.end());
    rows_ = std::ssize(train);
    threads_ = context.threads;
    weights_.assign(x.weights().begin(), x.weights().end());
    const std::vector<double> of_train = x.weights_of(train);
    total_ = total_weight(of_train, rows_);
    counted_ = counted_rows(of_train, rows_);
    BoosterSettings chosen = boost_plan(counted_, x.columns(), std::ssize(initial), settings).booster;
    chosen.threads = context.threads;
    chosen.weights = weights_;
    booster_.emplace(x.binned(chosen.bins, chosen.threads), train, validation, chosen);
  }
  Index batch() const override { return 0; }
  Index default_epochs() const override { return default_rounds; }
  Index default_patience() const override { return patience_for(counted_, std::ssize(initial_)); }

  const Matrix& forward(RowsView rows) override {
    margins_.resize(std::ssize(rows), std::ssize(initial_));
    parallel_blocks(margins_.rows(), 1 << 15, threads_, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        copy_g(booster_->train_rows()[static_cast<std::size_t>(rows[static_cast<std::size_t>(i)])], margins_.row(i).data());
    });
    return margins_;
  }
  // The gradients of an objective are those of a mean over rows. Multiplied by the number of rows, or by the sum of their
  // weights, the curvature of a row is about 1 for each of its two terms, and the regularisation has its usual meaning.
  void update(RowsView rows, const Matrix& gradient, const Matrix& curvature) override {
    for (Index i = 0; i < rows_; ++i)
      if (std::ssize(rows) != rows_ || rows[static_cast<std::size_t>(i)] != i)
        throw Error(format_text("boosted trees need all {} training rows in every update, in order", rows_));
    booster_->boost(gradient, curvature, total_);
  }
  const Matrix& validation() override {
    const auto rows = booster_->validation_rows();
    validation_.resize(std::ssize(rows), std::ssize(initial_));
    for (Index i = 0; i < validation_.rows(); ++i) copy_g(rows[static_cast<std::size_t>(i)], validation_.row(i).data());
    return validation_;
  }
  void snapshot() override { booster_->mark(); }
  void restore() override { booster_->rewind(); }
  void finish() override {
    forest_ = booster_->forest();
    booster_.reset();
    weights_ = {};
    margins_.resize(0, 0);
    validation_.resize(0, 0);
  }

  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const override {
    if (booster_) {
      booster_->forest().evaluate(x, out, threads);
    } else {
      forest_.evaluate(x, out, threads);
    }
    out.rowwise() += initial();
  }

  std::optional<AdditiveForm> additive_form(Index output) const override {
    return AdditiveForm{initial_[static_cast<std::size_t>(output)],
                        {ForestTerm::of(booster_ ? booster_->forest() : forest_, output)}};
  }

  std::optional<DescribedLocalizer> describe() const override {
    return DescribedLocalizer{initial_, (booster_ ? booster_->forest() : forest_).describe()};
  }
  void save(Archive archive) const override {
    archive.put("initial", initial_);
    (booster_ ? booster_->forest() : forest_).save(archive.scope("trees"));
  }
  void load(const Archive& archive, Index inputs, Index outputs) override {
    initial_ = archive.get<std::vector<double>>("initial");
    if (std::ssize(initial_) != outputs)
      throw Error(format_text("the boosted localizer of the model file has {} outputs instead of {}: the file is damaged",
                              initial_.size(), outputs));
    for (const double value : initial_)
      if (!std::isfinite(value)) throw Error("the boosted localizer of the model file is not finite: the file is damaged");
    forest_ = Forest::load(archive.scope("trees"), inputs, outputs);
  }

 private:
  // Copies g of one row of the inputs.
  void copy_g(Index row, double* g) const {
    const float* margins = booster_->margins().row(row).data();
    for (std::size_t k = 0; k < initial_.size(); ++k) g[k] = initial_[k] + static_cast<double>(margins[k]);
  }
  Eigen::Map<const Eigen::RowVectorXd> initial() const { return {initial_.data(), std::ssize(initial_)}; }

  std::vector<double> initial_;
  Index rows_ = 0, counted_ = 0;
  int threads_ = 0;
  std::vector<double> weights_;     // of the rows of the inputs, only during training
  double total_ = 0;                // sum of the weights of the training rows
  std::optional<Booster> booster_;  // only during training
  Forest forest_;                   // after training
  Matrix margins_, validation_;
};

}  // namespace

BoostPlan boost_plan(Index rows, Index columns, Index outputs, const LocalizerSettings& settings) {
  BoosterSettings chosen;
  chosen.outputs = outputs;
  chosen.depth = settings.depth > 0 ? settings.depth : rows < many_rows ? 4 : 5;
  chosen.rate = settings.rate > 0 ? settings.rate : takes_short_steps(rows, outputs) ? 0.05 : 0.25;
  chosen.min_weight = settings.min_weight > 0 ? settings.min_weight : 20;
  // On few rows the noise of the residuals hides finer thresholds, and 64 bins take half the time. On many rows a jump of the
  // scale can be located to within one bin, so there are as many bins as a small histogram allows.
  chosen.bins = rows < 50'000 ? 64 : std::clamp<Index>(2560 / std::max<Index>(1, columns), 256, 1024);
  chosen.min_gain = settings.min_gain;
  chosen.seed = settings.seed;
  chosen.directions = settings.directions;
  return {chosen, default_rounds, patience_for(rows, outputs)};
}

Listed<Localizer> boost_localizer() {
  return {"boost", "boosted trees: fast, takes missing cells, the best choice for most tables",
          [](std::string_view) { return std::make_unique<Boost>(); }};
}

}  // namespace taut
