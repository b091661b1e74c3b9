// f(x) = the mean of a few small networks, each trained by Adam from weights and on rows of its own.
#include <taut/core/error.hpp>
#include <taut/core/run_concurrently.hpp>
#include <taut/core/threads.hpp>
#include <taut/predict/network_member.hpp>
#include <taut/predict/robust_inputs.hpp>

#include <algorithm>
#include <cmath>

namespace taut {
namespace {

constexpr Index rows_at_once = 128;  // activations of a block stay in the L2 cache

class NetworkPredictor final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }
  bool joins_stack(Index, SearchEffort effort) const override { return effort != SearchEffort::quick; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    members_.clear();
    const auto n = static_cast<double>(rows.size());
    centre_ = std::accumulate(y.begin(), y.end(), 0.0) / n;
    double square = 0;
    for (const double value : y) square += (value - centre_) * (value - centre_);
    unit_ = std::sqrt(square / n);
    if (!(unit_ > 0) || !std::isfinite(unit_)) unit_ = 0;  // nothing to learn: f is the centre
    robust_ = RobustInputs(x, rows);
    const NetworkPlan plan = network_plan(std::ssize(rows), x.columns(), settings);
    const MatrixF z = robust_.apply(x, rows);
    embedding_ = PiecewiseInputs(z, plan.most_bins, plan.most_width);
    std::vector<double> target(y.begin(), y.end());
    for (double& value : target) value = unit_ > 0 ? (value - centre_) / unit_ : 0;
    members_.resize(static_cast<std::size_t>(unit_ > 0 ? plan.members : 1));
    const Random random(settings.seed);
    run_concurrently(std::ssize(members_), context, "network", [&](Index which, const ExecutionContext& own) {
      members_[static_cast<std::size_t>(which)] =
          train_member(embedding_, z, target, plan, random.fork(static_cast<std::uint64_t>(which)), own);
    });
  }

  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    parallel_blocks(x.rows(), rows_at_once, threads, [&](Index begin, Index end) {
      const Index count = end - begin;
      Eigen::RowVectorXf z(x.cols());
      MatrixF inputs(count, embedding_.width());
      for (Index r = 0; r < count; ++r) {
        robust_.apply(x.row(begin + r).data(), z.data());
        embedding_.apply(z.data(), inputs.row(r).data());
      }
      std::vector<double> sum(static_cast<std::size_t>(count));
      for (const Network& member : members_) {
        Network::Pass pass(member, count, false);
        member.forward({inputs.data(), inputs.cols(), 1}, count, pass);
        for (Index r = 0; r < count; ++r) sum[static_cast<std::size_t>(r)] += member.output(pass, r, 0);
      }
      for (Index r = 0; r < count; ++r)
        out[static_cast<std::size_t>(begin + r)] =
            centre_ + unit_ * (sum[static_cast<std::size_t>(r)] / static_cast<double>(members_.size()));
    });
  }

  void save(Archive archive) const override {
    archive.put("centre", centre_);
    archive.put("unit", unit_);
    archive.put("networks", static_cast<std::int64_t>(members_.size()));
    robust_.save(archive.scope("robust"));
    embedding_.save(archive.scope("bins"));
    for (std::size_t m = 0; m < members_.size(); ++m) members_[m].save(archive.scope("network" + std::to_string(m)));
  }
  void load(const Archive& archive, Index inputs) override {
    centre_ = archive.number("centre");
    unit_ = archive.number("unit");
    if (!std::isfinite(centre_) || !(unit_ >= 0) || !std::isfinite(unit_))
      throw Error("the network predictor of the model file has units that make no sense: the file is damaged");
    robust_ = RobustInputs::load(archive.scope("robust"), inputs);
    embedding_ = PiecewiseInputs::load(archive.scope("bins"), inputs);
    members_.resize(static_cast<std::size_t>(archive.integer_in("networks", 1, 1000)));
    for (std::size_t m = 0; m < members_.size(); ++m)
      members_[m] = Network::load(archive.scope("network" + std::to_string(m)), embedding_.width(), 1, Activation::smooth);
  }

 private:
  double centre_ = 0, unit_ = 0;
  RobustInputs robust_;
  PiecewiseInputs embedding_;
  std::vector<Network> members_;
};

}  // namespace

Listed<Predictor> network_predictor() {
  return {"network", "the mean of a few small networks: for smooth functions of many columns at once",
          [](std::string_view) { return std::make_unique<NetworkPredictor>(); }};
}

}  // namespace taut
