#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/network/network.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/predict/smooth_inputs.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace taut {

struct NetworkPlan {
  Index members = 4;
  std::vector<Index> hidden = {64, 64, 64};
  Index batch = 64;
  Index epochs = 50;
  Index max_steps = 1'000'000;  // per epoch
  Index patience = 20;          // epochs without a lower held-out loss
  double rate = 5e-3;           // the highest learning rate of the schedule
  double decay = 0.05;          // weight decay of a step, times the learning rate
  double bend = 0.3;            // δ of the pseudo-Huber loss δ²(√(1 + (e/δ)²) - 1)
  Index max_bins = 24;          // per column
  Index max_width = 384;        // bins of all columns
};

// The plan for a number of rows and inputs and the effort of `settings`.
NetworkPlan network_plan(Index rows, Index inputs, const PredictorSettings& settings);

// Trains one network of the ensemble. `z`: robust inputs of all rows; `y`: targets with mean 0 and standard deviation 1;
// `weights`: of the rows, with mean 1.
Network train_member(const PiecewiseInputs& embedding, const MatrixF& z, std::span<const double> y, RowWeights weights,
                     const NetworkPlan& plan, Random random, const ExecutionContext& context);

namespace {

constexpr Index held_out_of_network = 10;     // one row in ten is held out for early stopping
constexpr Index min_rows_of_early_stop = 40;  // with fewer rows, none are held out
constexpr double max_work = 1.8e10;           // rows visited x weights, per member: about 1.5 seconds
constexpr Index rows_of_single_networks = 2000;
constexpr Index steps_between_reports = 512;
constexpr double warm_share = 0.05;  // share of the steps during which the learning rate rises
constexpr Index averaged_every = 4;  // steps between two updates of the averaged weights

// The learning rate as a share of its maximum: a linear rise from 0, then half a cosine back to 0.
double rate_share(double done) {
  if (done < warm_share) return done / warm_share;
  return (1 + std::cos(std::numbers::pi * (done - warm_share) / (1 - warm_share))) / 2;
}

class MemberTraining {
 public:
  MemberTraining(const PiecewiseInputs& embedding, const MatrixF& z, std::span<const double> y, RowWeights weights,
                 const NetworkPlan& plan, Random random)
      : embedding_(embedding),
        z_(z),
        y_(y),
        weights_(weights),
        plan_(plan),
        random_(random.fork(1)),
        order_(random.fork(2).permutation(z.rows())) {
    const Index held = z.rows() < min_rows_of_early_stop ? 0 : z.rows() / held_out_of_network;
    held_.assign(order_.end() - held, order_.end());
    order_.resize(order_.size() - static_cast<std::size_t>(held));
    std::sort(held_.begin(), held_.end());
    std::vector<Index> sizes = {embedding.width()};
    sizes.insert(sizes.end(), plan.hidden.begin(), plan.hidden.end());
    sizes.push_back(1);
    network_ = Network(sizes, Activation::smooth);
    network_.initialise(random.fork(3), {});
  }

  Network run(const ExecutionContext& context) {
    const Index n = std::ssize(order_);
    const Index batch = std::min(plan_.batch, n);
    const Index steps = std::min(n / batch, plan_.max_steps);  // the remaining rows are skipped in this epoch
    const double total = static_cast<double>(steps * plan_.epochs);
    MatrixF inputs(batch, embedding_.width());
    const Left left{inputs.data(), inputs.cols(), 1};
    Network::Pass pass(network_, batch);
    Network::Return back(network_, batch);
    Network::Vector gradient = Network::Vector::Zero(network_.parameters().size());
    Adam adam(gradient.size(), plan_.rate);
    Matrix slope(batch, 1);
    average_ = best_ = network_.parameters();
    const double horizon = std::max(4.0, static_cast<double>(steps)) / averaged_every;
    double best_error = infinity;
    Index best_epoch = 0, step = 0;
    for (Index epoch = 0; epoch < plan_.epochs; ++epoch) {
      shuffle();
      for (Index s = 0; s < steps; ++s, ++step) {
        if (s % steps_between_reports == 0) context.report("network", static_cast<double>(step) / total);
        const auto rows = RowsView(order_).subspan(static_cast<std::size_t>(s * batch), static_cast<std::size_t>(batch));
        gather(rows, inputs);
        network_.forward(left, batch, pass);
        for (Index r = 0; r < batch; ++r) {
          const Index row = rows[static_cast<std::size_t>(r)];
          slope(r, 0) =
              weight_of(weights_, row) * (loss_slope(network_.output(pass, r, 0) - target(row)) / static_cast<double>(batch));
        }
        network_.backward(left, slope, false, pass, back, gradient);
        const double share = rate_share((static_cast<double>(step) + 0.5) / total);
        adam.step(network_.parameters(), gradient, share, share * plan_.rate * plan_.decay);
        if (step % averaged_every == 0) average(1 / std::min(horizon, 1.0 + static_cast<double>(step / averaged_every)));
      }
      const double error = held_.empty() ? 0 : held_out_error();
      if (held_.empty() || error < best_error) {
        best_error = error;
        best_epoch = epoch;
        best_ = average_;
      } else if (epoch - best_epoch >= plan_.patience)
        break;
    }
    network_.parameters() = best_;
    return std::move(network_);
  }

 private:
  double target(Index row) const { return y_[static_cast<std::size_t>(row)]; }
  // The derivative of the pseudo-Huber loss.
  double loss_slope(double error) const { return error / std::sqrt(1 + error / plan_.bend * (error / plan_.bend)); }

  void average(double share) { average_ += static_cast<float>(share) * (network_.parameters() - average_); }

  void shuffle() {
    for (Index i = std::ssize(order_) - 1; i > 0; --i)
      std::swap(order_[static_cast<std::size_t>(i)], order_[static_cast<std::size_t>(random_.below(i + 1))]);
  }

  void gather(RowsView rows, MatrixF& inputs) const {
    for (std::size_t r = 0; r < rows.size(); ++r)
      embedding_.apply(z_.row(rows[r]).data(), inputs.row(static_cast<Index>(r)).data());
  }

  // The mean pseudo-Huber loss of held-out rows with the averaged weights, divided by δ².
  double held_out_error() {
    network_.parameters().swap(average_);
    double sum = 0;
    const Index block = std::min<Index>(plan_.batch, std::ssize(held_));
    MatrixF inputs(block, embedding_.width());
    Network::Pass pass(network_, block, false);
    for (Index begin = 0; begin < std::ssize(held_); begin += block) {
      const Index count = std::min(block, std::ssize(held_) - begin);
      const RowsView rows = RowsView(held_).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
      gather(rows, inputs);
      network_.forward({inputs.data(), inputs.cols(), 1}, count, pass);
      for (Index r = 0; r < count; ++r) {
        const double e = network_.output(pass, r, 0) - target(rows[static_cast<std::size_t>(r)]);
        sum += weight_of(weights_, rows[static_cast<std::size_t>(r)]) * (std::sqrt(1 + e / plan_.bend * (e / plan_.bend)) - 1);
      }
    }
    network_.parameters().swap(average_);
    return sum / total_weight(pick_weights(weights_, held_), std::ssize(held_));
  }

  const PiecewiseInputs& embedding_;
  const MatrixF& z_;
  std::span<const double> y_;
  RowWeights weights_;
  const NetworkPlan& plan_;
  Random random_;
  Rows order_, held_;
  Network network_;
  Network::Vector average_, best_;
};

}  // namespace

// Chosen by out-of-fold errors on public tables of 500 to 15,000 rows. Bins matter most: without them the error on bike, which
// has hours of the day, doubles. 40 bins instead of 24 change errors by -2 to 1 %. Layers of 96 neurons gain 0 to 2 % in 1.7
// times the time. Twice the rate changes errors by 1 % either way. A decay of 0.2 is 3 % better on kin8nm and 6 % worse on power.
NetworkPlan network_plan(Index rows, Index inputs, const PredictorSettings& settings) {
  const bool quick = settings.effort == SearchEffort::quick, thorough = settings.effort == SearchEffort::thorough;
  NetworkPlan plan;
  // Members of other folds are averaged with these, so fewer are needed. With few rows, out-of-fold predictions of a single
  // network are too noisy.
  const Index wanted = quick ? 2 : thorough ? 8 : 4, minimum = rows < rows_of_single_networks ? 2 : 1;
  plan.members = std::max(std::min(wanted, minimum), wanted / settings.companions);
  plan.batch = rows < 2000 ? 32 : rows < 50'000 ? 64 : 128;
  plan.max_bins = rows < 2000 ? 16 : 24;
  // Small tables need more epochs for the same number of steps. For large tables `max_work` limits the steps.
  const double epochs = quick ? 30 : std::clamp(1.2e5 / static_cast<double>(rows), 50.0, 150.0);
  const double weights = static_cast<double>((inputs + plan.max_width) * plan.hidden[0] + plan.hidden[0] * plan.hidden[1] * 2);
  const double max_visits = (thorough ? 2 : 1) * max_work / weights;  // of rows, per member
  plan.epochs = std::max<Index>(1, static_cast<Index>(std::min(epochs, max_visits / static_cast<double>(rows))));
  plan.max_steps = static_cast<Index>(max_visits) / plan.batch + 1;
  plan.patience = std::max<Index>(5, plan.epochs / 3);
  return plan;
}

Network train_member(const PiecewiseInputs& embedding, const MatrixF& z, std::span<const double> y, RowWeights weights,
                     const NetworkPlan& plan, Random random, const ExecutionContext& context) {
  return MemberTraining(embedding, z, y, weights, plan, random).run(context);
}

// f(x) = the mean of a few small networks. Each is trained by Adam from different initial weights and with different held-out
// rows.

namespace {

constexpr Index rows_at_once = 128;  // activations of a block stay in the L2 cache

class NetworkPredictor final : public Predictor {
 public:
  Encoding needs() const override { return Encoding::standardised; }
  bool joins_stack(Index, Index, SearchEffort effort) const override { return effort != SearchEffort::quick; }

  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    members_.clear();
    std::vector<double> weights = x.weights_of(rows);
    const double n = total_weight(weights, std::ssize(rows));
    centre_ = weighted_mean(y, weights);
    double square = 0;
    for (std::size_t i = 0; i < y.size(); ++i)
      square += weight_of(weights, static_cast<Index>(i)) * ((y[i] - centre_) * (y[i] - centre_));
    unit_ = std::sqrt(square / n);
    for (double& weight : weights) weight *= static_cast<double>(rows.size()) / n;
    if (!(unit_ > 0) || !std::isfinite(unit_)) unit_ = 0;  // a constant target: f is the centre
    robust_ = RobustInputs(x, rows);
    NetworkPlan plan = network_plan(std::ssize(rows), x.columns(), settings);
    if (settings.mean) plan.bend = 1e6;  // squared errors
    const MatrixF z = robust_.apply(x, rows);
    embedding_ = PiecewiseInputs(z, plan.max_bins, plan.max_width, weights);
    std::vector<double> target(y.begin(), y.end());
    for (double& value : target) value = unit_ > 0 ? (value - centre_) / unit_ : 0;
    members_.resize(static_cast<std::size_t>(unit_ > 0 ? plan.members : 1));
    const Random random(settings.seed);
    run_concurrently(std::ssize(members_), context, "network", [&](Index which, const ExecutionContext& own) {
      members_[static_cast<std::size_t>(which)] =
          train_member(embedding_, z, target, weights, plan, random.fork(static_cast<std::uint64_t>(which)), own);
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

  std::optional<DescribedFunction> describe() const override {
    DescribedNetworks all{embedding_.describe(robust_), {}};
    for (const Network& member : members_) all.networks.push_back(member.describe());
    return DescribedFunction{centre_, unit_, std::move(all)};
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
