// Boosted symmetric trees, as those of CatBoost: every level of a tree asks one question of all rows. Such a tree is a weaker and
// smoother learner than one whose nodes have splits of their own, and needs less regularisation: on tables with few rows and
// smooth effects it is the more accurate of the two.
#include <taut/predict/bent_loss.hpp>
#include <taut/predict/boosting.hpp>
#include <taut/trees/symmetric_forest.hpp>

#include <cmath>
#include <cstdlib>
#include <numeric>

namespace taut {
namespace {

double knob(const char* name, double usual) {
  const char* text = std::getenv(name);
  return text ? std::atof(text) : usual;
}

BoostingTrials symmetric_trials(Index rows, const PredictorSettings& settings, int threads) {
  BoostingPlan plan;
  plan.booster.symmetric = true;
  plan.booster.depth = static_cast<Index>(knob("S_DEPTH", 6));
  plan.booster.rate = knob("S_RATE", 0.06);
  plan.booster.lambda = knob("S_LAMBDA", 3);
  plan.booster.min_weight = knob("S_WEIGHT", 1);
  plan.booster.row_share = knob("S_ROWS", 0.8);
  plan.booster.column_share = knob("S_COLUMNS", 1);
  plan.booster.noise = knob("S_NOISE", 1);
  plan.booster.bins = 128;
  plan.booster.seed = settings.seed;
  plan.booster.threads = threads;
  plan.most_rounds = static_cast<Index>(knob("S_ROUNDS", 1500));
  plan.patience = static_cast<Index>(knob("S_PATIENCE", 50));
  return {{plan}, rows < 20000};
}

class Symmetric final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::raw; }
  bool joins_stack(Index, std::string_view effort) const override { return effort != "quick"; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    centre_ = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(rows.size());
    const auto trials = symmetric_trials(std::ssize(rows), settings, context.threads);
    forest_ = SymmetricForest(boosted_forest(BentLoss(), x, rows, y, centre_, trials, settings.seed, context));
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    forest_.evaluate(x, out, threads);
    for (double& value : out) value += centre_;
  }

  std::optional<AdditiveForm> additive_form(Index) const override {
    return AdditiveForm{centre_, {{std::make_shared<const Forest>(forest_.forest())}}};
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
};

}  // namespace

Listed<Predictor> symmetric_predictor() {
  return {"symmetric", "boosted trees with one split for each level: often better on few rows and smooth effects, quick to evaluate",
          [](std::string_view) { return std::make_unique<Symmetric>(); }};
}

}  // namespace taut
