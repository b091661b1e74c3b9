// φ(a; g): a strictly increasing transformation of the conformity score a = r². Its parameters g = g(x) are the output of the
// localizer.
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

// A class defines φ, its slope and its gradient, and the inverse if it has a formula. The derivative of the inverse is not
// needed: with â = φ⁻¹(φ(a_n; g_n); g_m), implicit differentiation gives ∂â/∂g_n = φ_g(a_n; g_n) / φ_a(â; g_m) and
// ∂â/∂g_m = −φ_g(â; g_m) / φ_a(â; g_m).
class Transform {
 public:
  virtual ~Transform() = default;

  // The name of the base scale. It is trained first; then the shape of the scaled residuals is trained (taut/train/shape.hpp).
  // Empty if the class has no base.
  virtual std::string base() const { return {}; }

  virtual Index n_params() const = 0;
  virtual void initial(double* g) const;  // the start of training; zeros by default
  // The start of training at a row with a predicted half-width. Classes whose curve can be shifted shift it to this half-width.
  virtual void initial_at(double half_width, double* g) const;

  // The number of leading parameters that shift the whole curve as a scale does; the others change its shape. 0 if there is no
  // such order. The shape is trained after the shift, because a misplaced curve looks like one of another shape.
  virtual Index n_moving_params() const { return 0; }

  virtual double value(double a, const double* g) const = 0;            // φ(a; g)
  virtual double slope(double a, const double* g) const = 0;            // ∂φ/∂a > 0
  virtual void grad(double a, const double* g, double* out) const = 0;  // ∂φ/∂g
  virtual Codomain codomain(const double* g) const = 0;
  bool covers_real_line() const;  // whether the codomain at the initial g is the whole real line
  // ∂ log(∂φ/∂a) / ∂g for a > 0, used by the objective `likelihood`. The default takes finite differences of grad().
  virtual void log_slope_grad(double a, const double* g, double* out) const;

  // φ and log(a ∂φ/∂a) at one place, and their gradients by g unless the pointers are null. The objective `likelihood` needs them
  // for every row in every round. A class whose formulas share work may compute them together.
  struct Density {
    double value, log_slope;
  };
  virtual Density density(double a, const double* g, double* value_grad, double* log_slope_grad) const;

  // sup{a : φ(a; g) <= b}: negative if the set is empty (b below the codomain), +infinity if b is above the codomain.
  // The default uses the root finder.
  virtual double inverse(double b, const double* g) const;

  // Whether `--transform auto` tries this class. The list has these classes in the order from simple to complex.
  virtual bool competes() const { return false; }

  // The conformity score that calibration ranks, and the half-width for a score q. They are like value() and inverse() but in
  // the residual r = √a. A class may use any fixed increasing function of φ that rounds better: σ saturates, its log-odds do not.
  // half_width is negative if the set is empty.
  virtual double conformity(double r, const double* g) const;
  virtual double half_width(double q, const double* g) const;

  // A description of half_width() for export. A transformation without one cannot be exported.
  virtual std::optional<DescribedTransform> describe() const { return {}; }

  // Scale families are increasing functions of r / s(x): conformity = log r − log s. They get the exact O(N) objectives.
  virtual bool is_scale() const { return false; }
  virtual double log_scale(const double* g) const;                  // u = log s
  virtual void log_scale_grad(const double* g, double* out) const;  // ∂u/∂g
  // The g whose log-scale is nearest to u. It converts an average or a power of scales back to parameters.
  virtual void params_of_log_scale(double u, double* g) const;
};

Registry<Transform>& transforms();
// The name of the transformation that is trained first: the base of `name`, or `name` itself if it has no base.
std::string trained_first(const std::string& name);

}  // namespace taut
