#include <taut/network/network.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr float last_layer_scale = 0.1F;

const NetworkKernels& kernels() {
  static const NetworkKernels& chosen = network_kernels(instruction_set());
  return chosen;
}

}  // namespace

void Adam::step(Vector& parameters, const Vector& gradient, double share, double decay) {
  constexpr double mean_decay = 0.9, square_decay = 0.999;
  ++steps_;
  const double square_correction = std::sqrt(1 - std::pow(square_decay, steps_));
  AdamStep step;
  step.mean_decay = static_cast<float>(mean_decay);
  step.mean_share = static_cast<float>(1 - mean_decay);
  step.square_decay = static_cast<float>(square_decay);
  step.square_share = static_cast<float>(1 - square_decay);
  step.rate = static_cast<float>(share * rate_ * square_correction / (1 - std::pow(mean_decay, steps_)));
  step.epsilon = static_cast<float>(1e-8 * square_correction);
  step.kept = static_cast<float>(1 - decay);
  kernels().adam(step, parameters.data(), gradient.data(), mean_.data(), square_.data(), parameters.size());
}

Network::Network(const std::vector<Index>& sizes, Activation activation) : activation_(activation) {
  Index end = 0;
  for (std::size_t l = 0; l + 1 < sizes.size(); ++l) {
    const Index width = padded(sizes[l + 1]);
    layers_.push_back({sizes[l], sizes[l + 1], width, end, end + sizes[l] * width});
    end += (sizes[l] + 1) * width;
  }
  parameters_.setZero(end);
}

Network::Pass::Pass(const Network& network, Index rows, bool for_backward) {
  for (const Layer& layer : network.layers_) {
    outputs.emplace_back(Vector::Zero(rows * layer.width));
    if (for_backward && network.activation_ == Activation::smooth) slopes.emplace_back(Vector::Zero(rows * layer.width));
  }
}

Network::Return::Return(const Network& network, Index rows) {
  Index widest = 0;
  for (const Layer& layer : network.layers_) {
    widest = std::max(widest, layer.width);
    transposed.emplace_back(Vector::Zero(layer.outputs * padded(layer.inputs)));
  }
  delta.setZero(rows * widest);
  delta_before.setZero(rows * widest);
  zeros.setZero(widest);
}

void Network::initialise(Random random, std::span<const double> initial) {
  for (const Layer& layer : layers_) {
    const bool last = &layer == &layers_.back();
    const double scale = std::sqrt(2.0 / static_cast<double>(layer.inputs)) * (last ? last_layer_scale : 1.0);
    for (Index i = 0; i < layer.inputs; ++i)
      for (Index o = 0; o < layer.outputs; ++o)
        parameters_[layer.weights + i * layer.width + o] = static_cast<float>(scale * random.normal());
  }
  for (std::size_t k = 0; k < initial.size(); ++k)
    parameters_[layers_.back().bias + static_cast<Index>(k)] = static_cast<float>(initial[k]);
}

void Network::forward(Left x, Index rows, Pass& pass) const {
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const Layer& layer = layers_[l];
    float* out = pass.outputs[l].data();
    kernels().multiply(x, weights(layer), bias(layer), {out, layer.width}, rows, layer.inputs, layer.width);
    if (l + 1 < layers_.size()) {
      if (activation_ == Activation::relu)
        kernels().rectify(out, rows * layer.width);
      else
        kernels().apply_smooth_activation(out, pass.slopes.empty() ? nullptr : pass.slopes[l].data(), rows * layer.width);
    }
    x = {out, layer.width, 1};
  }
}

void Network::backward(Left x, const Eigen::Ref<const Matrix>& loss_gradient, bool add, const Pass& pass, Return& back,
                       Vector& gradient) const {
  const Index rows = loss_gradient.rows();
  const Index last_width = layers_.back().width;
  std::fill_n(back.delta.data(), rows * last_width, 0.0F);
  for (Index r = 0; r < rows; ++r)
    for (Index k = 0; k < outputs(); ++k) back.delta[r * last_width + k] = static_cast<float>(loss_gradient(r, k));

  const Panel<const float> zeros{back.zeros.data(), 0};
  for (std::size_t l = layers_.size(); l-- > 0;) {
    const Layer& layer = layers_[l];
    const Panel<const float> delta{back.delta.data(), layer.width};
    const auto accumulate = [&](Left left, Index at, Index count) {
      const Panel<float> sum{gradient.data() + at, layer.width};
      kernels().multiply(left, delta, add ? Panel<const float>{sum.data, sum.step} : zeros, sum, count, rows, layer.width);
    };
    constexpr float one = 1;
    const Left before = l == 0 ? x : Left{pass.outputs[l - 1].data(), layers_[l - 1].width, 1};
    accumulate(before.transposed(), layer.weights, layer.inputs);
    accumulate({&one, 0, 0}, layer.bias, 1);
    if (l == 0) break;

    const Index width = layers_[l - 1].width;
    float* transposed = back.transposed[l].data();
    kernels().transpose(weights(layer), layer.inputs, layer.outputs, {transposed, width});
    kernels().multiply({delta.data, delta.step, 1}, {transposed, width}, zeros, {back.delta_before.data(), width}, rows,
                       layer.outputs, width);
    if (activation_ == Activation::relu)
      kernels().keep_where_positive(back.delta_before.data(), before.data, rows * width);
    else
      kernels().scale(back.delta_before.data(), pass.slopes[l - 1].data(), rows * width);
    back.delta.swap(back.delta_before);
  }
}

std::vector<DescribedLayer> Network::describe() const {
  std::vector<DescribedLayer> all;
  for (const Layer& layer : layers_) {
    DescribedLayer one{layer.inputs, layer.outputs, {}, {}};
    for (Index i = 0; i < layer.inputs; ++i) {
      const float* row = weights(layer).data + i * layer.width;
      one.weights.insert(one.weights.end(), row, row + layer.outputs);
    }
    const float* bias_begin = bias(layer).data;
    one.bias.assign(bias_begin, bias_begin + layer.outputs);
    all.push_back(std::move(one));
  }
  return all;
}

void Network::save(Archive archive) const {
  const auto all = describe();
  archive.put("layers", static_cast<std::int64_t>(all.size()));
  for (std::size_t l = 0; l < all.size(); ++l) {
    Archive part = archive.scope("layer" + std::to_string(l));
    part.put("weights", MatrixF(Eigen::Map<const MatrixF>(all[l].weights.data(), all[l].inputs, all[l].outputs)));
    part.put("bias", all[l].bias);
  }
}

Network Network::load(const Archive& archive, Index inputs, Index outputs, Activation activation) {
  const auto damaged = [](std::size_t l, const std::string& what) {
    return Error(format_text("layer {} of the network in the model file {}: the file is damaged", l, what));
  };
  const auto count = static_cast<std::size_t>(archive.integer_in("layers", 1, 1000));
  std::vector<Index> sizes = {inputs};
  for (std::size_t l = 0; l < count; ++l) {
    const Archive part = archive.scope("layer" + std::to_string(l));
    const auto& weights = part.get<MatrixF>("weights");
    const auto& bias = part.get<std::vector<float>>("bias");
    if (weights.rows() != sizes.back())
      throw damaged(l, format_text("takes {} inputs but gets {}", weights.rows(), sizes.back()));
    if (weights.cols() < 1 || std::ssize(bias) != weights.cols()) throw damaged(l, "has weights and biases of different sizes");
    if (!weights.allFinite() || !Eigen::Map<const Vector>(bias.data(), std::ssize(bias)).allFinite())
      throw damaged(l, "has numbers that are not finite");
    sizes.push_back(weights.cols());
  }
  if (sizes.back() != outputs) throw damaged(count - 1, format_text("has {} outputs, but {} are needed", sizes.back(), outputs));

  Network network(sizes, activation);
  for (std::size_t l = 0; l < count; ++l) {
    const Layer& layer = network.layers_[l];
    const Archive part = archive.scope("layer" + std::to_string(l));
    using Strided = Eigen::Map<MatrixF, 0, Eigen::OuterStride<>>;
    Strided(network.parameters_.data() + layer.weights, layer.inputs, layer.outputs, Eigen::OuterStride<>(layer.width)) =
        part.get<MatrixF>("weights");
    const auto& bias = part.get<std::vector<float>>("bias");
    std::copy(bias.begin(), bias.end(), network.parameters_.data() + layer.bias);
  }
  return network;
}

}  // namespace taut
