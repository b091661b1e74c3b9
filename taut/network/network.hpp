// A fully connected network: its products, shapes, forward, backward, and Adam.
#pragma once

#include <taut/core/archive.hpp>
#include <taut/core/description.hpp>
#include <taut/core/random.hpp>
#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace taut {

// Products of small float matrices for the network, row-major, without packing and without allocation.
//
// Every element of a product is one chain start + a(r,0)·b(0,c) + a(r,1)·b(1,c) + ... in this order, whatever tile it falls
// into: so a row has the same bits alone and in any batch, which general matrix products do not promise. Lanes run across
// columns only; they are Eigen's packets, as wide as the machine that we compile for.

using Packet = Eigen::internal::packet_traits<float>::type;
inline constexpr Index lanes = Eigen::internal::packet_traits<float>::size;

inline constexpr Index padded(Index columns) { return (columns + lanes - 1) / lanes * lanes; }

// The left side is read one number at a time, so a transposed matrix is one with its steps exchanged.
struct Left {
  const float* data;
  Index row_step;
  Index column_step;

  Left row(Index r) const { return {data + r * row_step, row_step, column_step}; }
  Left transposed() const { return {data, column_step, row_step}; }
};

// Right side, start and result: whole packets in a row, `step` from row to row; step 0 repeats one row.
template <class Float>
struct Panel {
  Float* data;
  Index step;

  Panel row(Index r) const { return {data + r * step, step}; }
  Panel column(Index c) const { return {data + c, step}; }
};

namespace internal {

template <int rows, int packets>
void multiply_tile(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index inner) {
  using namespace Eigen::internal;
  Packet sum[rows][packets];
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) sum[r][p] = ploadu<Packet>(start.data + r * start.step + p * lanes);
  for (Index k = 0; k < inner; ++k) {
    Packet left[rows];
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) left[r] = pset1<Packet>(a.data[r * a.row_step]);
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) {
      const Packet right = ploadu<Packet>(b.data + p * lanes);
#pragma GCC unroll 8
      for (int r = 0; r < rows; ++r) sum[r][p] = pmadd(left[r], right, sum[r][p]);
    }
    a.data += a.column_step;
    b.data += b.step;
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int p = 0; p < packets; ++p) pstoreu(c.data + r * c.step + p * lanes, sum[r][p]);
}

template <int packets>
void multiply_panel(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index rows, Index inner,
                    Index wanted) {
  if constexpr (packets > 1)
    if (wanted < packets) return multiply_panel<packets - 1>(a, b, start, c, rows, inner, wanted);
  constexpr int tile = 4;
  Index r = 0;
  for (; r + tile <= rows; r += tile) multiply_tile<tile, packets>(a.row(r), b, start.row(r), c.row(r), inner);
  for (; r < rows; ++r) multiply_tile<1, packets>(a.row(r), b, start.row(r), c.row(r), inner);
}

}  // namespace internal

// C = start + A·B with A rows x inner and B inner x columns; `columns` is a multiple of `lanes`.
inline void multiply(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, Index rows, Index inner,
                     Index columns) {
  constexpr int most = EIGEN_ARCH_DEFAULT_NUMBER_OF_REGISTERS >= 32 ? 7 : 3;  // 4 x most sums stay in registers
  const Index packets = columns / lanes;
  const Index panels = (packets + most - 1) / most;
  for (Index panel = 0, done = 0; panel < panels; ++panel) {
    const Index now = (packets - done) / (panels - panel);
    const Index at = done * lanes;
    internal::multiply_panel<most>(a, b.column(at), start.column(at), c.column(at), rows, inner, now);
    done += now;
  }
}

// Adam (Kingma and Ba, 2015), one pass over one vector.
//
//   m = β₁m + (1-β₁)d,  v = β₂v + (1-β₂)d²,  w = w - η·m̂/(√v̂ + ε)  with m̂ = m/(1-β₁ᵗ), v̂ = v/(1-β₂ᵗ)
// The two corrections are applied to the rate and to ε instead of the vectors: η_t = η·√(1-β₂ᵗ)/(1-β₁ᵗ), ε_t = ε·√(1-β₂ᵗ).

class Adam {
 public:
  using Vector = Eigen::ArrayXf;

  Adam() = default;
  Adam(Index parameters, double rate) : rate_(rate), mean_(Vector::Zero(parameters)), square_(Vector::Zero(parameters)) {}

  // `share` of the rate, for a schedule; before the step the parameters shrink by `decay` of themselves (decoupled weight decay).
  void step(Vector& parameters, const Vector& gradient, double share = 1, double decay = 0) {
    ++steps_;
    const auto kept = static_cast<float>(1 - decay);
    const double square_correction = std::sqrt(1 - std::pow(square_decay, steps_));
    const auto rate = static_cast<float>(share * rate_ * square_correction / (1 - std::pow(mean_decay, steps_)));
    const auto epsilon = static_cast<float>(1e-8 * square_correction);
    constexpr Index block = 1024;  // all four vectors of a block stay in the fastest cache
    for (Index begin = 0; begin < parameters.size(); begin += block) {
      const Index size = std::min(block, parameters.size() - begin);
      const auto d = gradient.segment(begin, size);
      auto m = mean_.segment(begin, size);
      auto v = square_.segment(begin, size);
      m = (static_cast<float>(mean_decay) * m + static_cast<float>(1 - mean_decay) * d + flush) - flush;
      v = (static_cast<float>(square_decay) * v + static_cast<float>(1 - square_decay) * d.square() + flush) - flush;
      if (decay > 0) parameters.segment(begin, size) *= kept;
      parameters.segment(begin, size) -= rate * m / (v.sqrt() + epsilon);
    }
  }

 private:
  static constexpr double mean_decay = 0.9;
  static constexpr double square_decay = 0.999;
  // A dead neuron leaves averages that decay towards zero but, by rounding, never get there. Adding and subtracting
  // this stops them at some 1e-27, before products with them become subnormal numbers, on which arithmetic is a hundred
  // times slower. What is lost is far below ε.
  static constexpr float flush = 1e-20F;

  double rate_ = 0;
  double steps_ = 0;
  Vector mean_, square_;
};

// A fully connected network: shapes, forward, backward. All parameters lie in one vector.
//
//   h_0 = x,  z_l = h_(l-1)·W_l + b_l,  h_l = a(z_l),  g = z_last
//   ∂L/∂W_l = h_(l-1)ᵀ·δ_l,  ∂L/∂b_l = Σ_rows δ_l,  δ_(l-1) = (δ_l·W_lᵀ) ⊙ a'(z_(l-1)),  δ_last = ∂L/∂g

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

  std::vector<DescribedLayer> describe() const;
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
