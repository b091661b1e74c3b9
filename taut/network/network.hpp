// A fully connected network: shapes, forward, backward. All parameters lie in one vector.
//
//   h_0 = x,  z_l = h_(l-1)·W_l + b_l,  h_l = a(z_l),  g = z_last
//   ∂L/∂W_l = h_(l-1)ᵀ·δ_l,  ∂L/∂b_l = Σ_rows δ_l,  δ_(l-1) = (δ_l·W_lᵀ) ⊙ a'(z_(l-1)),  δ_last = ∂L/∂g
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>
#include <taut/network/multiply.hpp>

#include <vector>

namespace taut {

// What stands between the layers.
enum class Activation {
  relu,  // max(z, 0)
  // z·(1 + s)/2 with s = z/√(1 + z²): like z·sigmoid(z), without an exponential. Its slope is (1 + s)/2 + s(1 - s²)/2.
  smooth
};

class Network {
 public:
  using Vector = Eigen::ArrayXf;

  // What forward writes to. A const network serves any number of threads, each with a pass of its own.
  struct Pass {
    Pass(const Network& network, Index rows, bool for_backward = true);
    std::vector<Vector> outputs;  // of each layer: rows x width
    std::vector<Vector> slopes;   // a'(z) of each layer but the last, where backward cannot tell it from the output
  };
  // What backward needs in addition.
  struct Return {
    Return(const Network& network, Index rows);
    Vector delta, delta_before;      // rows x the widest layer
    Vector zeros;                    // one row
    std::vector<Vector> transposed;  // of each layer: Wᵀ
  };

  Network() = default;
  explicit Network(const std::vector<Index>& sizes, Activation activation = Activation::relu);  // inputs, hidden ..., outputs

  // He's normal weights; the last layer starts small, so that g starts close to `initial`.
  void initialise(Random random, std::span<const double> initial);

  Index inputs() const { return layers_.front().inputs; }
  Index outputs() const { return layers_.back().outputs; }
  Vector& parameters() { return parameters_; }
  const Vector& parameters() const { return parameters_; }

  void forward(Left x, Index rows, Pass& pass) const;
  double output(const Pass& pass, Index row, Index k) const {
    return static_cast<double>(pass.outputs.back()[row * layers_.back().width + k]);
  }

  // After forward of the same rows: `gradient` becomes the sum over the rows, or with `add` grows by it.
  void backward(Left x, const Eigen::Ref<const Matrix>& loss_gradient, bool add, const Pass& pass, Return& back,
                Vector& gradient) const;

  void save(Archive archive) const;
  static Network load(const Archive& archive, Index inputs, Index outputs, Activation activation = Activation::relu);

 private:
  struct Layer {
    Index inputs, outputs, width;  // width: outputs padded to whole packets; the padding stays zero
    Index weights, bias;           // where they start in the vector
  };
  Panel<const float> weights(const Layer& layer) const { return {parameters_.data() + layer.weights, layer.width}; }
  Panel<const float> bias(const Layer& layer) const { return {parameters_.data() + layer.bias, 0}; }

  Activation activation_ = Activation::relu;
  std::vector<Layer> layers_;
  Vector parameters_;
};

}  // namespace taut
