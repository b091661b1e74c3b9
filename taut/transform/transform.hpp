// φ(a; g): a strictly increasing transformation of the conformity score a = r²; its parameters g = g(x) are the localizer's
// output.
#pragma once

#include <taut/core/description.hpp>
#include <taut/core/registry.hpp>
#include <taut/core/types.hpp>

namespace taut {

// The values that φ(.; g) can take: its limits at a = 0 and at a = +infinity.
struct Codomain {
  double low = -infinity;
  double high = infinity;
};

// A class supplies φ, its slope and its gradient; the inverse where it has a formula. No class supplies the
// derivative of its inverse: with â = φ⁻¹(φ(a_n; g_n); g_m), implicit differentiation gives ∂â/∂g_n = φ_g(a_n; g_n) / φ_a(â; g_m)
// and ∂â/∂g_m = −φ_g(â; g_m) / φ_a(â; g_m).
class Transform {
 public:
  virtual ~Transform() = default;

  // The name of the scale that this class stands on: the scale is trained first, then a shape (taut/train/shape.hpp) learns from
  // what it leaves over. Empty: the class is trained by itself.
  virtual std::string base() const { return {}; }

  virtual Index n_params() const = 0;
  virtual void initial(double* g) const;  // where training starts; zeros by default
  // The same at a row for which a half-width was predicted: the curve is moved there, where a class can be moved.
  virtual void initial_at(double half_width, double* g) const;

  // How many parameters, the first ones, move the whole curve as a scale does, while the others bend it. 0: there is no such
  // order. Bending is learned after moving, because a curve that is not yet in its place looks bent.
  virtual Index n_moving_params() const { return 0; }

  virtual double value(double a, const double* g) const = 0;            // φ(a; g)
  virtual double slope(double a, const double* g) const = 0;            // ∂φ/∂a > 0
  virtual void grad(double a, const double* g, double* out) const = 0;  // ∂φ/∂g
  virtual Codomain codomain(const double* g) const = 0;
  bool fills_the_line() const;  // at the initial g every number is a value of φ
  // ∂ log(∂φ/∂a) / ∂g, for a > 0: what `likelihood` needs in addition. Found from differences of grad() unless a class has the
  // formula.
  virtual void log_slope_grad(double a, const double* g, double* out) const;

  // φ and log(a ∂φ/∂a) at one place, with their gradients by g unless these are null: what `likelihood` needs for every
  // row in every round. A class whose formulas share much work may compute them together.
  struct Density {
    double value, log_slope;
  };
  virtual Density density(double a, const double* g, double* value_grad, double* log_slope_grad) const;

  // sup{a : φ(a; g) <= b}: negative when the set is empty (b below the codomain), +infinity above it.
  // Found by the root finder unless a class has the formula.
  virtual double inverse(double b, const double* g) const;

  // Whether `--transform auto` tries this class. Those that compete stand in the list from the simplest on.
  virtual bool competes() const { return false; }

  // What calibration ranks, and the half-width that such a rank means at another g: like value() and inverse() but in the
  // residual r = √a, and free to use any fixed increasing function of φ that rounds better (σ saturates, its log-odds do not).
  // half_width is negative when the set is empty.
  virtual double conformity(double r, const double* g) const;
  virtual double half_width(double q, const double* g) const;

  // half_width() in terms that other languages have; only such a transformation is exported.
  virtual std::optional<DescribedTransform> describe() const { return {}; }

  // Scale families are r / s(x) in disguise: conformity = log r − log s. They get the exact O(N) objectives.
  virtual bool is_scale() const { return false; }
  virtual double log_scale(const double* g) const;                  // u = log s
  virtual void log_scale_grad(const double* g, double* out) const;  // ∂u/∂g
  // The g whose log-scale is nearest to u: turns an averaged scale, or a power of one, back into parameters.
  virtual void params_of_log_scale(double u, double* g) const;
};

Registry<Transform>& transforms();
// What is trained first: the base of the transformation of this name, or itself where it has none.
std::string trained_first(const std::string& name);

}  // namespace taut
