#include <taut/core/formula.hpp>

#include <algorithm>
#include <array>

namespace taut {

double Formula::value(std::span<const double> variables) const {
  std::array<double, 3> of{};
  for (std::size_t i = 0; i < node_->of.size(); ++i) of[i] = node_->of[i].value(variables);
  const auto [a, b, c] = of;
  switch (node_->op) {
    case Op::constant:
      return node_->constant;
    case Op::variable:
      return variables[static_cast<std::size_t>(node_->variable)];
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::divide:
      return a / b;
    case Op::min:
      return std::min(a, b);
    case Op::max:
      return std::max(a, b);
    case Op::abs:
      return std::abs(a);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::log:
      return std::log(a);
    case Op::if_negative:
      return taut::if_negative(a, b, c);
  }
  return missing;
}

}  // namespace taut
