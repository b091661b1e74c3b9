// Boosted trees in which every node has a separate split.
#include <taut/predict/boosting.hpp>
#include <taut/predict/own_loss.hpp>

#include <cmath>

namespace taut {
namespace {

class Boost final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::raw; }
  bool joins_stack(Index, SearchEffort) const override { return true; }
  bool keeps_directions() const override { return true; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    const std::vector<double> weights = x.weights_of(rows);
    const auto trials = boosting_trials(counted_rows(weights, std::ssize(rows)), settings, context.threads);
    if (settings.own != nullptr) {
      const OwnLoss loss(*settings.own);
      centre_ = settings.own->units.standard(loss.start());
      boosted_ = boosted_forest(loss, x, rows, settings.own->y, 0, trials, settings.seed, context);
      return;
    }
    centre_ = weighted_mean(y, weights);
    boosted_ = boosted_forest(x, rows, y, centre_, trials, settings, context);
  }
  Index rows_sufficing() const override { return boosted_.rows_sufficing; }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    Eigen::Map<Matrix> values(out.data(), std::ssize(out), 1);
    boosted_.forest.evaluate(x, values, threads);
    values.array() += centre_;
  }

  std::optional<AdditiveForm> additive_form(Index) const override {
    return AdditiveForm{centre_, {ForestTerm::of(boosted_.forest)}};
  }

  std::optional<DescribedFunction> describe() const override { return DescribedFunction{centre_, 1, boosted_.forest.describe()}; }

  void save(Archive archive) const override {
    archive.put("centre", centre_);
    boosted_.forest.save(archive.scope("trees"));
  }
  void load(const Archive& archive, Index inputs) override {
    centre_ = archive.number("centre");
    if (!std::isfinite(centre_)) throw Error("the boosted predictor of the model file is not finite: the file is damaged");
    boosted_.forest = Forest::load(archive.scope("trees"), inputs, 1);
  }

 private:
  double centre_ = 0;
  BoostedForest boosted_;
};

}  // namespace

Listed<Predictor> boost_predictor() {
  return {"boost", "boosted trees: the most accurate choice for most tables, takes missing cells",
          [](std::string_view) { return std::make_unique<Boost>(); }};
}

}  // namespace taut
