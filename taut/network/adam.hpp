// Adam (Kingma and Ba, 2015), one pass over one vector.
//
//   m = β₁m + (1-β₁)d,  v = β₂v + (1-β₂)d²,  w = w - η·m̂/(√v̂ + ε)  with m̂ = m/(1-β₁ᵗ), v̂ = v/(1-β₂ᵗ)
// The two corrections are applied to the rate and to ε instead of the vectors: η_t = η·√(1-β₂ᵗ)/(1-β₁ᵗ), ε_t = ε·√(1-β₂ᵗ).
#pragma once

#include <taut/core/types.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

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

}  // namespace taut
