// g(x) by a fully connected network, trained by Adam on mini-batches: the paper's localizer.
#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/localize/adam.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/localize/network.hpp>

#include <optional>

namespace taut {
namespace {

constexpr Index default_batch = 16;
constexpr double default_rate = 5e-4;
constexpr Index default_steps = 100'000;  // bounds the epochs of large tables, which learn enough in each
constexpr Index block_rows = 128;         // in evaluate: activations of a block stay in the second cache
constexpr Index most_at_once = 1024;      // larger batches go through the network in parts, so memory does not follow the batch

class Mlp final : public Localizer {
 public:
  bool sees_missing() const override { return false; }
  bool likes_prediction() const override { return false; }
  bool likes_folds() const override { return false; }

  void start(const Inputs& train, const Inputs& validation, std::span<const double> initial, const LocalizerSettings& settings,
             const Run& run) override {
    std::vector<Index> sizes = {train.cols()};
    for (const Index neurons : settings.hidden) {
      if (neurons < 1)
        throw UsageError("a hidden layer of " + std::to_string(neurons) + " neurons was asked for; the least is 1");
      sizes.push_back(neurons);
    }
    sizes.push_back(std::ssize(initial));
    network_ = Network(sizes);
    network_.initialise(Random(settings.seed), initial);
    session_.emplace(network_, train, validation, settings, run);
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
      if (gradient.rows() > s.at_once) run_part(rows, begin, count);  // later parts have overwritten what forward left
      network_.backward(s.gathered_view(), gradient.middleRows(begin, count), begin > 0, s.pass, s.back, s.gradient);
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

  void evaluate(const Inputs& x, Eigen::Ref<Matrix> out, int threads) const override {
    parallel_blocks(x.rows(), block_rows, threads, [&](Index begin, Index end) {
      Network::Pass pass(network_, end - begin);
      network_.forward(Left{x.data(), x.outerStride(), 1}.row(begin), end - begin, pass);
      for (Index r = begin; r < end; ++r)
        for (Index k = 0; k < out.cols(); ++k) out(r, k) = network_.output(pass, r - begin, k);
    });
  }

  void save(Archive archive) const override { network_.save(archive); }
  void load(const Archive& archive, Index inputs, Index outputs) override { network_ = Network::load(archive, inputs, outputs); }

 private:
  // What training needs, all of it allocated before the first step.
  struct Session {
    Session(const Network& network, const Inputs& train_rows, const Inputs& validation_rows, const LocalizerSettings& settings,
            const Run& run)
        : train(train_rows),
          validation(validation_rows),
          batch(settings.batch > 0 ? settings.batch : default_batch),
          at_once(std::min({batch, std::max<Index>(train.rows(), 1), most_at_once})),
          threads(run.threads),
          gathered(at_once, train.cols()),
          pass(network, at_once),
          back(network, at_once),
          gradient(Network::Vector::Zero(network.parameters().size())),
          adam(network.parameters().size(), settings.rate > 0 ? settings.rate : default_rate),
          whole(std::min(batch, train.rows()), network.outputs()),
          rest(train.rows() % batch, network.outputs()),
          validated(validation.rows(), network.outputs()) {}

    // Batches are all of one size but the last of an epoch; each size has its own matrix, so none is ever resized.
    Matrix& result(Index rows) {
      if (rows == whole.rows()) return whole;
      if (rows != rest.rows()) rest.resize(rows, rest.cols());
      return rest;
    }
    Left gathered_view() const { return {gathered.data(), gathered.cols(), 1}; }

    MatrixF train, validation;
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
  std::optional<Session> session_;
};

}  // namespace

Listed<Localizer> mlp_localizer() {
  return {"mlp", "a fully connected ReLU network, trained by Adam on mini-batches",
          [](std::string_view) { return std::make_unique<Mlp>(); }};
}

}  // namespace taut
