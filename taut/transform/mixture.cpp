#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/transform/numeric.hpp>
#include <taut/transform/scale_family.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr std::size_t max_components = 16;

// φ = Σ w_j φ_j(a; g_j),  w = softmax(ω) >= 0,  ∂φ/∂a = Σ w_j ∂φ_j/∂a,  ∂φ/∂g_j = w_j ∂φ_j/∂g_j,  ∂φ/∂ω_j = w_j (φ_j − φ);
// a >= 0. The parameters of the components come first, then the ω. The inverse has no formula: the root finder computes it.
class Mixture final : public Transform, public ManyInverses {
 public:
  explicit Mixture(std::vector<std::unique_ptr<Transform>> components) : components_(std::move(components)) {
    for (const auto& component : components_) {
      first_.push_back(shared_);
      shared_ += component->n_params();
      along_.push_back(dynamic_cast<const AlongLog*>(component.get()));
    }
  }

  Index n_params() const override { return shared_ + count(); }
  void initial(double* g) const override {
    for (std::size_t j = 0; j < components_.size(); ++j) components_[j]->initial(g + first_[j]);
    move_apart(g);
  }
  void initial_at(double half_width, double* g) const override {
    for (std::size_t j = 0; j < components_.size(); ++j) components_[j]->initial_at(half_width, g + first_[j]);
    move_apart(g);
  }

  double value(double a, const double* g) const override { return value(a, g, weights(g)); }
  double slope(double a, const double* g) const override { return slope(a, g, weights(g)); }
  // As Transform::inverse, but the weights are computed only once.
  double inverse(double b, const double* g) const override {
    const Codomain range = codomain(g);
    if (b < range.low) return -1;
    if (b >= range.high) return infinity;
    const Weights w = weights(g);
    return increasing_root([&](double a) { return value(a, g, w); }, [&](double a) { return slope(a, g, w); }, b);
  }
  // Halley's method for all scores at once, in log a and, if φ is positive, in log φ, which is nearly linear there. Scores that
  // do not converge quickly are passed to inverse().
  void inverses(std::span<const double> b, const double* g, bool with_grad, Result& result) const override {
    const Weights w = weights(g);
    result.a.assign(b.size(), 0);
    result.slope.assign(b.size(), 0);
    if (with_grad) result.grad.setZero(std::ssize(b), n_params());
    for (std::size_t first = 0; first < b.size(); first += AlongLog::maximum)
      inverses_from(first, b.subspan(first, std::min<std::size_t>(AlongLog::maximum, b.size() - first)), g, w, with_grad, result);
  }
  void grad(double a, const double* g, double* out) const override {
    const Weights w = weights(g);
    const double phi = value(a, g, w);
    for (std::size_t j = 0; j < components_.size(); ++j) {
      components_[j]->grad(a, g + first_[j], out + first_[j]);
      for (Index p = 0; p < components_[j]->n_params(); ++p) out[first_[j] + p] *= w[j];
      out[shared_ + static_cast<Index>(j)] = w[j] * (components_[j]->value(a, g + first_[j]) - phi);
    }
  }
  Codomain codomain(const double* g) const override {
    const Weights w = weights(g);
    return {mean(w, [&](std::size_t j) { return components_[j]->codomain(g + first_[j]).low; }),
            mean(w, [&](std::size_t j) { return components_[j]->codomain(g + first_[j]).high; })};
  }

  // Bounded components saturate, but an infinite residual must still have the largest score.
  double conformity(double r, const double* g) const override { return std::isinf(r) ? r : Transform::conformity(r, g); }

 private:
  // Components of one class that start equal would stay equal during training.
  void move_apart(double* g) const {
    for (std::size_t j = 0; j < components_.size(); ++j)
      for (Index p = 0; p < components_[j]->n_params(); ++p) g[first_[j] + p] += apart * static_cast<double>(j);
    std::fill_n(g + shared_, count(), 0.0);
  }

  static constexpr double apart = 0.5;

  Index count() const { return static_cast<Index>(components_.size()); }

  using Weights = std::array<double, max_components>;

  Weights weights(const double* g) const {
    Weights w{};
    const double maximum = *std::max_element(g + shared_, g + n_params());
    double sum = 0;
    // No weight becomes 0, because 0 times an infinite value is NaN.
    for (std::size_t j = 0; j < components_.size(); ++j)
      sum += w[j] = std::exp(std::max(g[shared_ + static_cast<Index>(j)] - maximum, min_log_weight));
    for (double& weight : w) weight /= sum;
    return w;
  }

  template <class Of>
  double mean(const Weights& w, Of of) const {
    double sum = 0;
    for (std::size_t j = 0; j < components_.size(); ++j) sum += w[j] * of(j);
    return sum;
  }
  double value(double a, const double* g, const Weights& w) const {
    return mean(w, [&](std::size_t j) { return components_[j]->value(a, g + first_[j]); });
  }
  double slope(double a, const double* g, const Weights& w) const {
    return mean(w, [&](std::size_t j) { return components_[j]->slope(a, g + first_[j]); });
  }

  using Array = AlongLog::Array;

  // For many scores: t = log a, and φ with its first and second derivative by log a, in total and for each component.
  struct Many {
    Array t, a, value, rise, bend, z;
    std::array<Array, max_components> values, rises;
    Eigen::Array<bool, Eigen::Dynamic, 1, Eigen::ColMajor, AlongLog::maximum, 1> is_settled;
  };

  void inverses_from(std::size_t first, std::span<const double> b, const double* g, const Weights& w, bool with_grad,
                     Result& result) const {
    const Codomain range = codomain(g);
    Many many;
    solve(Eigen::Map<const Array>(b.data(), std::ssize(b)), g, w, many);
    for (std::size_t i = 0; i < b.size(); ++i) {
      const auto lane = static_cast<Index>(i);
      double& a = result.a[first + i];
      double* out = with_grad ? result.grad.row(static_cast<Index>(first + i)).data() : nullptr;
      if (b[i] < range.low || b[i] >= range.high || !many.is_settled[lane]) {
        a = inverse(b[i], g);
        if (!(a > 0) || std::isinf(a)) continue;
        result.slope[first + i] = slope(a, g, w);
        if (with_grad) grad(a, g, out);
        continue;
      }
      a = many.a[lane];
      if (!(a > 0) || std::isinf(a)) continue;
      result.slope[first + i] = many.rise[lane] / a;
      if (with_grad) grad_at(lane, a, g, w, many, out);
    }
  }

  void evaluate(const double* g, const Weights& w, Many& many) const {
    const Index n = many.t.size();
    Array bends(n);
    many.value.setZero(n);
    many.rise.setZero(n);
    many.bend.setZero(n);
    for (std::size_t j = 0; j < components_.size(); ++j) {
      const double* component_g = g + first_[j];
      if (along_[j] != nullptr) {
        many.z = many.t + component_g[0];
        along_[j]->at(many.z, many.values[j], many.rises[j], bends);
        many.bend += w[j] * bends;
      } else {
        many.values[j].resize(n);
        many.rises[j].resize(n);
        for (Index i = 0; i < n; ++i) {
          const double a = std::exp(many.t[i]);
          many.values[j][i] = components_[j]->value(a, component_g);
          many.rises[j][i] = a * components_[j]->slope(a, component_g);
        }
      }
      many.value += w[j] * many.values[j];
      many.rise += w[j] * many.rises[j];
    }
  }

  // Components that are evaluated place by place do not add to the second derivative. This costs steps, not accuracy.
  void solve(const Eigen::Map<const Array>& target, const double* g, const Weights& w, Many& many) const {
    constexpr int max_steps = 12;
    constexpr double small = 1e-4, tiny = 1e-8, step_limit = 4;
    const bool is_positive = (target > 0).all();
    Array log_target, step, along;
    if (is_positive) log_target = target.log();
    many.t.setZero(target.size());
    for (int k = 0; k < max_steps; ++k) {
      evaluate(g, w, many);
      if (is_positive && (many.value > 0).all()) {
        along = many.rise / many.value;  // ∂log φ/∂log a
        step = (log_target - many.value.log()) / along;
        step /= (1 + step * (many.bend / many.rise - along) / 2).max(0.5).min(2.0);
      } else {
        step = (target - many.value) / many.rise;
      }
      many.is_settled = step.abs() < small;  // false if the step is NaN
      many.t += step.max(-step_limit).min(step_limit);
      if (many.is_settled.all()) break;
    }
    // Values and slopes at the solution, and a last correction of it.
    evaluate(g, w, many);
    step = (target - many.value) / many.rise;
    many.is_settled = many.is_settled && step.abs() < tiny;
    many.t += step.max(-tiny).min(tiny);
    many.a = many.t.exp();
  }

  void grad_at(Index i, double a, const double* g, const Weights& w, const Many& many, double* out) const {
    for (std::size_t j = 0; j < components_.size(); ++j) {
      if (along_[j] != nullptr) {
        out[first_[j]] = w[j] * many.rises[j][i];
      } else {
        components_[j]->grad(a, g + first_[j], out + first_[j]);
        for (Index p = 0; p < components_[j]->n_params(); ++p) out[first_[j] + p] *= w[j];
      }
      out[shared_ + static_cast<Index>(j)] = w[j] * (many.values[j][i] - many.value[i]);
    }
  }

  static constexpr double min_log_weight = -30;
  std::vector<std::unique_ptr<Transform>> components_;
  std::vector<const AlongLog*> along_;  // null for components that are evaluated place by place
  std::vector<Index> first_;            // position of the first parameter of each component
  Index shared_ = 0;                    // position of the first ω
};

// "exp,sigma", "linear*3,exp"
std::unique_ptr<Transform> parse(std::string_view argument) {
  std::vector<std::unique_ptr<Transform>> components;
  for (const auto& part : split_text(argument, ',')) {
    const std::string_view text = trim(part);
    const auto star = text.find('*');
    const std::string_view name = trim(text.substr(0, star));
    double times = 1;
    if (star != std::string_view::npos)
      times = parse_number_or_throw(trim(text.substr(star + 1)), "mixture:" + std::string(argument));
    if (name.substr(0, name.find(':')) == "mixture")
      throw UsageError(format_text("a mixture cannot have a mixture among its components, got 'mixture:{}'", argument));
    if (!(times >= 1 && times <= static_cast<double>(max_components)) || times != std::floor(times))
      throw UsageError(format_text("mixture: a component is repeated 1 to 16 times, for example linear*3; got '{}'", text));
    for (Index i = 0; i < static_cast<Index>(times); ++i) components.push_back(transforms().make(name));
  }
  if (components.size() > max_components)
    throw UsageError("mixture: at most 16 components, got " + std::to_string(components.size()));
  return std::make_unique<Mixture>(std::move(components));
}

}  // namespace

Listed<Transform> mixture_transform() {
  return {"mixture", "mixture:A,B*3: a weighted sum of other transformations, each with a g of its own", parse,
          "mixture:exp,sigma", true};
}

}  // namespace taut
