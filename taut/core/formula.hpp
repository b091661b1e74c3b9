// An arithmetic expression as a value. It is written like an expression of doubles, and is evaluated here or exported to another
// language.
#pragma once

#include <taut/core/types.hpp>

#include <cmath>
#include <memory>
#include <span>
#include <vector>

namespace taut {

// A function template over the number type serves both uses: `template <class Number> Number width(Number q, Number g)` computes
// with doubles and, called with Formulas, returns its own description. So the two cannot differ.
class Formula {
 public:
  enum class Op { constant, variable, add, subtract, multiply, divide, min, max, abs, sqrt, exp, log, if_negative };
  struct Node {
    Op op = Op::constant;
    double constant = 0;
    Index variable = 0;
    std::vector<Formula> of = {};
  };

  Formula(double constant = 0) : Formula(Node{.constant = constant}) {}  // implicit, so that numbers and formulas mix
  explicit Formula(Node node) : node_(std::make_shared<const Node>(std::move(node))) {}
  static Formula variable(Index which) { return Formula(Node{.op = Op::variable, .variable = which}); }

  const Node& node() const { return *node_; }  // a subexpression that is used more than once has one address
  bool is_zero() const { return node_->op == Op::constant && node_->constant == 0; }
  double value(std::span<const double> variables) const;

 private:
  std::shared_ptr<const Node> node_;
};

inline Formula combined(Formula::Op op, std::vector<Formula> of) { return Formula(Formula::Node{.op = op, .of = std::move(of)}); }

inline Formula operator+(const Formula& a, const Formula& b) { return combined(Formula::Op::add, {a, b}); }
inline Formula operator-(const Formula& a, const Formula& b) { return combined(Formula::Op::subtract, {a, b}); }
inline Formula operator*(const Formula& a, const Formula& b) { return combined(Formula::Op::multiply, {a, b}); }
inline Formula operator/(const Formula& a, const Formula& b) { return combined(Formula::Op::divide, {a, b}); }
inline Formula min(const Formula& a, const Formula& b) { return combined(Formula::Op::min, {a, b}); }
inline Formula max(const Formula& a, const Formula& b) { return combined(Formula::Op::max, {a, b}); }
inline Formula abs(const Formula& a) { return combined(Formula::Op::abs, {a}); }
inline Formula sqrt(const Formula& a) { return combined(Formula::Op::sqrt, {a}); }
inline Formula exp(const Formula& a) { return combined(Formula::Op::exp, {a}); }
inline Formula log(const Formula& a) { return combined(Formula::Op::log, {a}); }

// x < 0 ? yes : no.
inline double if_negative(double x, double yes, double no) { return x < 0 ? yes : no; }
inline Formula if_negative(const Formula& x, const Formula& yes, const Formula& no) {
  return combined(Formula::Op::if_negative, {x, yes, no});
}

}  // namespace taut
