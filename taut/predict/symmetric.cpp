// Boosted symmetric trees, as in CatBoost: all nodes of a level share one split. Such a tree is a weaker and smoother learner
// than one with a separate split for each node, and needs less regularisation. On tables with few rows and smooth effects it is
// the more accurate of the two.
#include <taut/predict/boosting.hpp>
#include <taut/trees/symmetric_forest.hpp>

#include <cmath>

namespace taut {
namespace {

constexpr Index few_rows_of_symmetric = 5000;  // below this, several depths are tried, which takes a second
constexpr Index rows_of_second_training = 10'000;

// Chosen by out-of-fold errors on kin8nm, concrete, energy, power, california and homes. Rows are not sampled: the noise in the
// scores of splits makes the trees differ enough, and mean errors on california, homes and energy are 0.4 to 5 % smaller.
BoostingPlan symmetric_plan(Index rows, const PredictorSettings& settings, int threads) {
  BoostingPlan plan = plan_of(settings, threads);
  plan.booster.symmetric = true;
  plan.booster.depth = 6;
  plan.booster.rate = rows < rows_of_second_training ? 0.1 : rows < 20'000 ? 0.2 : 0.3;
  plan.booster.lambda = 3;
  plan.booster.noise = 0.3;
  plan.booster.bins = 128;
  plan.max_rounds = rows < 20'000 ? 1500 : 600;
  plan.patience = rows < rows_of_second_training ? 50 : 25;
  return plan;
}

BoostingTrials symmetric_trials(Index rows, const PredictorSettings& settings, int threads) {
  const bool quick = settings.effort == SearchEffort::quick, thorough = settings.effort == SearchEffort::thorough;
  BoostingPlan usual = symmetric_plan(rows, settings, threads);
  if (rows < min_rows_to_hold_out) {
    usual.booster.depth = 3;
    return {{usual}};
  }
  if (quick) {
    usual.booster.rate *= 2;
    usual.patience = 25;
    return {{usual}};
  }
  if (thorough) usual.booster.rate /= 2;
  BoostingTrials result{{usual}, rows < rows_of_second_training || thorough};
  if (rows < few_rows_of_symmetric || thorough)
    for (const Index depth : {4, 2, 8}) {
      if (depth == 8 && !thorough) continue;
      BoostingPlan other = usual;
      other.booster.depth = depth;
      result.plans.push_back(other);
    }
  return result;
}

class Symmetric final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::raw; }
  bool joins_stack(Index, Index, SearchEffort effort) const override { return effort != SearchEffort::quick; }
  bool keeps_directions() const override { return true; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    const std::vector<double> weights = x.weights_of(rows);
    centre_ = weighted_mean(y, weights);
    const auto trials = symmetric_trials(counted_rows(weights, std::ssize(rows)), settings, context.threads);
    const BoostedForest boosted = boosted_forest(x, rows, y, centre_, trials, settings, context);
    forest_ = SymmetricForest(boosted.forest);
    rows_sufficing_ = boosted.rows_sufficing;
  }
  Index rows_sufficing() const override { return rows_sufficing_; }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    forest_.evaluate(x, out, threads);
    for (double& value : out) value += centre_;
  }

  std::optional<AdditiveForm> additive_form(Index) const override {
    return AdditiveForm{centre_, {{std::make_shared<const Forest>(forest_.forest())}}};
  }

  std::optional<DescribedFunction> describe() const override {
    return DescribedFunction{centre_, 1, forest_.trees() > 0 ? forest_.forest().describe() : DescribedTrees{}};
  }

  void save(Archive archive) const override {
    archive.put("centre", centre_);
    forest_.save(archive.scope("symmetric_trees"));
  }
  void load(const Archive& archive, Index inputs) override {
    centre_ = archive.number("centre");
    if (!std::isfinite(centre_)) throw Error("the symmetric predictor of the model file is not finite: the file is damaged");
    forest_ = SymmetricForest::load(archive.scope("symmetric_trees"), inputs);
  }

 private:
  double centre_ = 0;
  SymmetricForest forest_;
  Index rows_sufficing_ = 0;
};

}  // namespace

Listed<Predictor> symmetric_predictor() {
  return {"symmetric",
          "boosted trees with one split for each level: often better on few rows and smooth effects, quick to evaluate",
          [](std::string_view) { return std::make_unique<Symmetric>(); }};
}

}  // namespace taut
