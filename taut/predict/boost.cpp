// Boosted trees in which every node has a separate split.
#include <taut/predict/boosting.hpp>
#include <taut/predict/own_loss.hpp>

#include <cmath>

namespace taut {
namespace {

// Deep trees join stacks of tables between these. Every one of their many small nodes searches all bins of all columns: with
// 20,000 rows × 280 columns they took 5 times as long as the usual trees.
constexpr Index min_rows_of_deep = 1000, max_columns_of_deep = 50;

class Boost final : public Predictor {
 public:
  explicit Boost(bool deep) : deep_(deep) {}

  Encoding needs() const override { return Encoding::raw; }
  bool joins_stack(Index rows, Index columns, SearchEffort effort) const override {
    return !deep_ || (rows >= min_rows_of_deep && columns <= max_columns_of_deep && effort != SearchEffort::quick);
  }
  bool gains_from_rows() const override { return true; }
  bool keeps_directions() const override { return true; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    const std::vector<double> weights = x.weights_of(rows);
    const Index counted = counted_rows(weights, std::ssize(rows));
    const auto trials =
        deep_ ? deep_trials(counted, settings, context.threads) : boosting_trials(counted, settings, context.threads);
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
  bool deep_;
  double centre_ = 0;
  BoostedForest boosted_;
};

}  // namespace

Listed<Predictor> boost_predictor() {
  return {"boost", "boosted trees: the most accurate choice for most tables, takes missing cells",
          [](std::string_view) { return std::make_unique<Boost>(false); }};
}

Listed<Predictor> deep_predictor() {
  return {"deep", "boosted trees of depth 12 with small leaves: where f differs between rows that are close to each other",
          [](std::string_view) { return std::make_unique<Boost>(true); }};
}

}  // namespace taut
