#include <taut/transform/transform.hpp>

#include <taut/transform/root.hpp>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace taut {

void Transform::initial(double* g) const { std::fill_n(g, n_params(), 0.0); }

double Transform::inverse(double b, const double* g) const {
  const Codomain range = codomain(g);
  if (b < range.low) return -1;
  if (b >= range.high) return infinity;
  return increasing_root([&](double a) { return value(a, g); }, [&](double a) { return slope(a, g); }, b);
}

double Transform::conformity(double r, const double* g) const { return value(r * r, g); }

double Transform::half_width(double q, const double* g) const {
  if (q == infinity) return infinity;
  const double a = inverse(q, g);
  // The set is closed: half_width(conformity(r)) must not fall below r, so what rounding may have lost is given back.
  return a < 0 ? -1 : std::sqrt(a) * (1 + 1e-12);
}

double Transform::log_scale(const double*) const { throw std::logic_error("log_scale: not a scale family"); }
void Transform::log_scale_grad(const double*, double*) const { throw std::logic_error("log_scale_grad: not a scale family"); }
void Transform::params_of_log_scale(double, double*) const { throw std::logic_error("params_of_log_scale: not a scale family"); }

}  // namespace taut
