// A fully connected network with its forward and backward pass, and the optimiser Adam.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/network/kernels.hpp>

#include <vector>

namespace taut {

// Adam (Kingma and Ba, 2015), in one pass over one vector of parameters w with gradient d.
//
//   m = β₁m + (1-β₁)d,  v = β₂v + (1-β₂)d²,  w = w - η·m̂/(√v̂ + ε)  with m̂ = m/(1-β₁ᵗ), v̂ = v/(1-β₂ᵗ)
// The two corrections are applied to the rate and to ε instead of the vectors: η_t = η·√(1-β₂ᵗ)/(1-β₁ᵗ), ε_t = ε·√(1-β₂ᵗ).
class Adam {
 public:
  using Vector = Eigen::ArrayXf;

  Adam() = default;
  Adam(Index parameters, double rate) : rate_(rate), mean_(Vector::Zero(parameters)), square_(Vector::Zero(parameters)) {}

  // The rate is multiplied by `share`, for a schedule. Before the step the parameters are multiplied by 1 − decay (decoupled
  // weight decay).
  void step(Vector& parameters, const Vector& gradient, double share = 1, double decay = 0);

 private:
  double rate_ = 0;
  double steps_ = 0;
  Vector mean_, square_;
};

// The activation function between the layers.
enum class Activation {
  relu,  // max(z, 0)
  // z·(1 + s)/2 with s = z/√(1 + z²): like z·sigmoid(z), without an exponential. Its slope is (1 + s)/2 + s(1 - s²)/2.
  smooth
};

// A fully connected network. All parameters are in one vector.
//
//   h_0 = x,  z_l = h_(l-1)·W_l + b_l,  h_l = a(z_l),  g = z_last
//   ∂L/∂W_l = h_(l-1)ᵀ·δ_l,  ∂L/∂b_l = Σ_rows δ_l,  δ_(l-1) = (δ_l·W_lᵀ) ⊙ a'(z_(l-1)),  δ_last = ∂L/∂g
class Network {
 public:
  using Vector = Eigen::ArrayXf;

  // The buffers that forward() writes to. Several threads may use one const network if each has its own pass.
  struct Pass {
    Pass(const Network& network, Index rows, bool for_backward = true);
    std::vector<Vector> outputs;  // of each layer: rows x width
    std::vector<Vector> slopes;   // a'(z) of each layer; only for the smooth activation, where the output does not determine it
  };
  // The additional buffers of backward().
  struct Return {
    Return(const Network& network, Index rows);
    Vector delta, delta_before;      // rows x the widest layer
    Vector zeros;                    // one row
    std::vector<Vector> transposed;  // of each layer: Wᵀ
  };

  Network() = default;
  explicit Network(const std::vector<Index>& sizes, Activation activation = Activation::relu);  // inputs, hidden ..., outputs

  // Random normal weights (He et al.). The last layer starts small, so that g starts close to `initial`.
  void initialise(Random random, std::span<const double> initial);

  Index inputs() const { return layers_.front().inputs; }
  Index outputs() const { return layers_.back().outputs; }
  Vector& parameters() { return parameters_; }
  const Vector& parameters() const { return parameters_; }

  void forward(Left x, Index rows, Pass& pass) const;
  double output(const Pass& pass, Index row, Index k) const {
    return static_cast<double>(pass.outputs.back()[row * layers_.back().width + k]);
  }

  // To be called after forward() of the same rows. Sets `gradient` to the sum over the rows or, with `add`, adds the sum to it.
  void backward(Left x, const Eigen::Ref<const Matrix>& loss_gradient, bool add, const Pass& pass, Return& back,
                Vector& gradient) const;

  std::vector<DescribedLayer> describe() const;
  void save(Archive archive) const;
  static Network load(const Archive& archive, Index inputs, Index outputs, Activation activation = Activation::relu);

 private:
  struct Layer {
    Index inputs, outputs, width;  // width: outputs padded to a multiple of `lanes`; the padding stays zero
    Index weights, bias;           // their first positions in the vector of parameters
  };
  Panel<const float> weights(const Layer& layer) const { return {parameters_.data() + layer.weights, layer.width}; }
  Panel<const float> bias(const Layer& layer) const { return {parameters_.data() + layer.bias, 0}; }

  Activation activation_ = Activation::relu;
  std::vector<Layer> layers_;
  Vector parameters_;
};

}  // namespace taut
