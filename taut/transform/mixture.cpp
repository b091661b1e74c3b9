#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/transform/root.hpp>
#include <taut/transform/transform.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace taut {

namespace {

constexpr std::size_t most_components = 16;

// φ = Σ w_j φ_j(a; g_j),  w = softmax(ω) >= 0,  ∂φ/∂a = Σ w_j ∂φ_j/∂a,  ∂φ/∂g_j = w_j ∂φ_j/∂g_j,  ∂φ/∂ω_j = w_j (φ_j − φ);
// a >= 0. The parameters of the components come first, then the ω. The inverse has no formula: the root finder computes it.
class Mixture final : public Transform {
 public:
  explicit Mixture(std::vector<std::unique_ptr<Transform>> components) : components_(std::move(components)) {
    for (const auto& component : components_) {
      first_.push_back(shared_);
      shared_ += component->n_params();
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

  // Bounded components saturate; a residual of infinity must still be above all others.
  double conformity(double r, const double* g) const override { return std::isinf(r) ? r : Transform::conformity(r, g); }

 private:
  // Components of one class would stay equal for ever if they started equal.
  void move_apart(double* g) const {
    for (std::size_t j = 0; j < components_.size(); ++j)
      for (Index p = 0; p < components_[j]->n_params(); ++p) g[first_[j] + p] += apart * static_cast<double>(j);
    std::fill_n(g + shared_, count(), 0.0);
  }

  static constexpr double apart = 0.5;

  Index count() const { return static_cast<Index>(components_.size()); }

  using Weights = std::array<double, most_components>;

  Weights weights(const double* g) const {
    Weights w{};
    const double most = *std::max_element(g + shared_, g + n_params());
    double sum = 0;
    // No weight vanishes altogether: 0 times an infinite value would not be a number.
    for (std::size_t j = 0; j < components_.size(); ++j)
      sum += w[j] = std::exp(std::max(g[shared_ + static_cast<Index>(j)] - most, least_log_weight));
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

  static constexpr double least_log_weight = -30;
  std::vector<std::unique_ptr<Transform>> components_;
  std::vector<Index> first_;  // where the parameters of each component start
  Index shared_ = 0;          // where the ω start
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
      throw UsageError("a mixture cannot have a mixture among its components, got 'mixture:" + std::string(argument) + "'");
    if (!(times >= 1 && times <= static_cast<double>(most_components)) || times != std::floor(times))
      throw UsageError("mixture: a component is repeated 1 to 16 times, for example linear*3; got '" + std::string(text) + "'");
    for (Index i = 0; i < static_cast<Index>(times); ++i) components.push_back(transforms().make(name));
  }
  if (components.size() > most_components)
    throw UsageError("mixture: at most 16 components, got " + std::to_string(components.size()));
  return std::make_unique<Mixture>(std::move(components));
}

}  // namespace

Listed<Transform> mixture_transform() {
  return {"mixture", "mixture:A,B*3: a weighted sum of other classes, each with a g of its own", parse, "mixture:exp,sigma",
          true};
}

}  // namespace taut
