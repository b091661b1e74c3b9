#include <taut/export/exported.hpp>

#include <map>

namespace taut {

namespace {

// The error bound of each operation on a and b with error bounds A and B:
//   a ± b: A + B;  a · b: |a|B + |b|A + AB;  a / b: (A + |a/b|B) / (|b| − B);  min, max: the larger of A and B;  |a|: A;
//   √a: √(a + A) − √(a − A);  e^a: e^a (e^A − 1);  log a: A / (a − A).
// The bound is infinite if a divisor or the argument of log may be 0.
class FormulaError {
 public:
  explicit FormulaError(const std::vector<Formula>& errors) : errors_(errors) {}

  Formula of(const Formula& formula) {
    const auto* key = &formula.node();
    if (const auto known = known_.find(key); known != known_.end()) return known->second;
    return known_.emplace(key, with_rounding(formula)).first->second;
  }

 private:
  static constexpr double rounding = 1e-15, second_order = 1.01;
  static Formula plus(const Formula& a, const Formula& b) { return a.is_zero() ? b : b.is_zero() ? a : a + b; }
  static Formula times(const Formula& a, const Formula& b) { return a.is_zero() || b.is_zero() ? Formula(0) : a * b; }
  static Formula larger(const Formula& a, const Formula& b) { return a.is_zero() ? b : b.is_zero() ? a : max(a, b); }
  static Formula share(const Formula& error, const Formula& size) {
    return error.is_zero() ? error : if_negative(size, infinity, error / max(size, std::numeric_limits<double>::min()));
  }

  Formula with_rounding(const Formula& formula) {
    using Op = Formula::Op;
    const auto& node = formula.node();
    if (node.op == Op::constant) return 0;
    if (node.op == Op::variable) return errors_[static_cast<std::size_t>(node.variable)];
    const bool is_exact = node.op == Op::min || node.op == Op::max || node.op == Op::abs || node.op == Op::if_negative;
    const Formula passed_on = propagated(formula);
    return is_exact ? passed_on : plus(passed_on, rounding * abs(formula));
  }

  Formula propagated(const Formula& formula) {
    using Op = Formula::Op;
    const auto& node = formula.node();
    const bool has_two = node.of.size() > 1;
    const Formula a = node.of[0], b = has_two ? node.of[1] : Formula(0);
    const Formula A = of(a), B = has_two ? of(b) : Formula(0);
    switch (node.op) {
      case Op::add:
      case Op::subtract:
        return plus(A, B);
      case Op::multiply:
        return plus(plus(times(abs(a), B), times(abs(b), A)), times(A, B));
      case Op::divide:
        return share(plus(A, times(abs(formula), B)), B.is_zero() ? abs(b) : abs(b) - B);
      case Op::min:
      case Op::max:
        return larger(A, B);
      case Op::abs:
        return A;
      case Op::sqrt:
        return A.is_zero() ? A : sqrt(max(a + A, 0)) - sqrt(max(a - A, 0)) + rounding * A;
      case Op::exp:
        return A.is_zero() ? A : formula * (second_order * (exp(A) - 1) + rounding);
      case Op::log:
        return share(A, a - A);
      default:
        return chosen(node.of);
    }
  }

  // If the error may change the sign of x, either branch may be the right one.
  Formula chosen(const std::vector<Formula>& of_node) {
    const Formula &x = of_node[0], &yes = of_node[1], &no = of_node[2];
    const Formula X = of(x), both = larger(of(yes), of(no));
    if (X.is_zero()) return both;
    return if_negative(abs(x) - second_order * X, plus(abs(yes - no), both), if_negative(x, of(yes), of(no)));
  }

  const std::vector<Formula>& errors_;
  std::map<const Formula::Node*, Formula> known_;
};

}  // namespace

Formula error_of(const Formula& formula, const std::vector<Formula>& errors) { return FormulaError(errors).of(formula); }

}  // namespace taut
