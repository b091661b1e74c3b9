// g(x) by a fully connected network, trained by Adam on mini-batches: the localizer of the paper.
#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/threads.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/network/network.hpp>

#include <algorithm>
#include <optional>

namespace taut {
namespace {

constexpr Index default_batch = 16;
constexpr double default_rate = 5e-4;
constexpr Index default_steps = 100'000;  // updates in all: large tables get fewer epochs
constexpr Index block_rows = 128;         // in evaluate: activations of a block stay in the L2 cache
constexpr Index max_at_once = 1024;       // larger batches are processed in parts, so that memory is bounded

class Mlp final : public Localizer {
 public:
  bool accepts_missing() const override { return false; }
  bool uses_prediction_by_default() const override { return false; }
  bool trains_per_fold() const override { return false; }

  void start(const InputPool& x, RowsView train_rows, RowsView validation_rows, std::span<const double> initial,
             const LocalizerSettings& settings, const ExecutionContext& context) override {
    MatrixF train = x.gather(train_rows);
    std::vector<Index> sizes = {train.cols()};
    for (const Index neurons : settings.hidden) {
      if (neurons < 1) throw UsageError(format_text("a hidden layer needs at least 1 neuron, got {}", neurons));
      sizes.push_back(neurons);
    }
    sizes.push_back(std::ssize(initial));
    network_ = Network(sizes);
    network_.initialise(Random(settings.seed), initial);
    minimum_ = train.rows() > 0 ? train.colwise().minCoeff().eval() : unbounded(train.cols(), -infinity);
    maximum_ = train.rows() > 0 ? train.colwise().maxCoeff().eval() : unbounded(train.cols(), infinity);
    session_.emplace(network_, std::move(train), x.gather(validation_rows), settings, context);
    session_->weights = x.weights_of(train_rows);
    const double mean = total_weight(session_->weights, std::ssize(train_rows)) / static_cast<double>(train_rows.size());
    for (double& weight : session_->weights) weight /= mean;
  }

  Index batch() const override { return session_->batch; }
  Index default_epochs() const override {
    const Index steps = (session_->train.rows() + batch() - 1) / batch();
    return std::clamp<Index>(default_steps / std::max<Index>(steps, 1), 10, 200);
  }
  Index default_patience() const override { return std::clamp<Index>(default_epochs() / 10, 5, 20); }

  const Matrix& forward(RowsView rows) override {
    Matrix& g = session_->result(std::ssize(rows));
    for (Index begin = 0; begin < g.rows(); begin += session_->at_once) {
      const Index count = std::min(session_->at_once, g.rows() - begin);
      run_part(rows, begin, count);
      for (Index r = 0; r < count; ++r)
        for (Index k = 0; k < g.cols(); ++k) g(begin + r, k) = network_.output(session_->pass, r, k);
    }
    return g;
  }

  void update(RowsView rows, const Matrix& gradient, const Matrix&) override {
    Session& s = *session_;
    for (Index begin = 0; begin < gradient.rows(); begin += s.at_once) {
      const Index count = std::min(s.at_once, gradient.rows() - begin);
      if (gradient.rows() > s.at_once) run_part(rows, begin, count);  // later parts have overwritten the buffers of forward()
      if (s.weights.empty()) {
        network_.backward(s.gathered_view(), gradient.middleRows(begin, count), begin > 0, s.pass, s.back, s.gradient);
      } else {  // gradients are of rows of weight 1
        Matrix weighted = gradient.middleRows(begin, count);
        for (Index r = 0; r < count; ++r) weighted.row(r) *= weight_of(s.weights, rows[static_cast<std::size_t>(begin + r)]);
        network_.backward(s.gathered_view(), weighted, begin > 0, s.pass, s.back, s.gradient);
      }
    }
    s.adam.step(network_.parameters(), s.gradient);
  }

  const Matrix& validation() override {
    evaluate(session_->validation, session_->validated, session_->threads);
    return session_->validated;
  }

  void snapshot() override { session_->kept.emplace(network_.parameters(), session_->adam); }
  void restore() override {
    if (session_->kept) std::tie(network_.parameters(), session_->adam) = *session_->kept;
  }
  void finish() override { session_.reset(); }

  // Far from its training rows a network extrapolates linearly. A scale is an exponential of its output, so one outlier could get
  // an interval wider than all others together. Therefore inputs are clamped to their range on the training rows.
  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const override {
    parallel_blocks(x.rows(), block_rows, threads, [&](Index begin, Index end) {
      MatrixF clamped = x.middleRows(begin, end - begin);
      for (Index r = 0; r < clamped.rows(); ++r) clamped.row(r) = clamped.row(r).cwiseMax(minimum_).cwiseMin(maximum_);
      Network::Pass pass(network_, clamped.rows());
      network_.forward(Left{clamped.data(), clamped.cols(), 1}, clamped.rows(), pass);
      for (Index r = 0; r < clamped.rows(); ++r)
        for (Index k = 0; k < out.cols(); ++k) out(begin + r, k) = network_.output(pass, r, k);
    });
  }

  void save(Archive archive) const override {
    network_.save(archive);
    archive.put("least", std::vector<float>(minimum_.data(), minimum_.data() + minimum_.size()));
    archive.put("most", std::vector<float>(maximum_.data(), maximum_.data() + maximum_.size()));
  }
  void load(const Archive& archive, Index inputs, Index outputs) override {
    network_ = Network::load(archive, inputs, outputs);
    minimum_ = bounds_from(archive, "least", inputs);
    maximum_ = bounds_from(archive, "most", inputs);
    if ((minimum_.array() > maximum_.array()).any()) throw damaged_bounds();
  }

 private:
  using Bounds = Eigen::RowVectorXf;

  static Bounds unbounded(Index inputs, double bound) { return Bounds::Constant(inputs, static_cast<float>(bound)); }
  static Error damaged_bounds() {
    return Error("the bounds of the network's inputs in the model file are invalid: the file is damaged");
  }
  static Bounds bounds_from(const Archive& archive, std::string_view name, Index inputs) {
    const auto& stored = archive.get<std::vector<float>>(name);
    const Bounds bounds = Eigen::Map<const Bounds>(stored.data(), std::ssize(stored));
    if (bounds.size() != inputs || bounds.array().isNaN().any()) throw damaged_bounds();
    return bounds;
  }

  // The state of training. All memory is allocated before the first step.
  struct Session {
    Session(const Network& network, MatrixF train_rows, MatrixF validation_rows, const LocalizerSettings& settings,
            const ExecutionContext& context)
        : train(std::move(train_rows)),
          validation(std::move(validation_rows)),
          batch(settings.batch > 0 ? settings.batch : default_batch),
          at_once(std::min({batch, std::max<Index>(train.rows(), 1), max_at_once})),
          threads(context.threads),
          gathered(at_once, train.cols()),
          pass(network, at_once),
          back(network, at_once),
          gradient(Network::Vector::Zero(network.parameters().size())),
          adam(network.parameters().size(), settings.rate > 0 ? settings.rate : default_rate),
          whole(std::min(batch, train.rows()), network.outputs()),
          rest(train.rows() % batch, network.outputs()),
          validated(validation.rows(), network.outputs()) {}

    // One matrix is for full batches and one for the last, smaller batch, so that neither is resized during training.
    Matrix& result(Index rows) {
      if (rows == whole.rows()) return whole;
      if (rows != rest.rows()) rest.resize(rows, rest.cols());
      return rest;
    }
    Left gathered_view() const { return {gathered.data(), gathered.cols(), 1}; }

    MatrixF train, validation;
    std::vector<double> weights{};  // of the training rows, with mean 1; empty: each counts once
    Index batch, at_once;
    int threads;
    MatrixF gathered;
    Network::Pass pass;
    Network::Return back;
    Network::Vector gradient;
    Adam adam;
    Matrix whole, rest, validated;
    std::optional<std::pair<Network::Vector, Adam>> kept;
  };

  void run_part(RowsView rows, Index begin, Index count) {
    Session& s = *session_;
    for (Index r = 0; r < count; ++r) s.gathered.row(r) = s.train.row(rows[static_cast<std::size_t>(begin + r)]);
    network_.forward(s.gathered_view(), count, s.pass);
  }

  Network network_;
  Bounds minimum_, maximum_;  // of each input on training rows
  std::optional<Session> session_;
};

}  // namespace

Listed<Localizer> mlp_localizer() {
  return {"mlp", "a fully connected ReLU network, trained by Adam on mini-batches",
          [](std::string_view) { return std::make_unique<Mlp>(); }};
}

}  // namespace taut
