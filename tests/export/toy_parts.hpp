// Parts that are not in the library: predictors and a transformation that describe themselves, and two that do not.
#pragma once

#include <taut/core/random.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/transform/transform.hpp>

#include <cmath>

namespace taut::testing {

// f = b + w √(1 + x0²) by least squares. Inputs are raw, and all but x0 may be missing.
class ToyPredictor : public Predictor {
 public:
  Encoding needs() const override { return Encoding::raw; }
  bool joins_stack(Index, Index, SearchEffort) const override { return true; }
  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings&,
           const ExecutionContext&) override {
    double n = 0, sum_b = 0, sum_y = 0, sum_bb = 0, sum_by = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const double b = bend(static_cast<double>(x.floats()(rows[i], 0)));
      n += 1, sum_b += b, sum_y += y[i], sum_bb += b * b, sum_by += b * y[i];
    }
    weight_ = (n * sum_by - sum_b * sum_y) / (n * sum_bb - sum_b * sum_b);
    centre_ = (sum_y - weight_ * sum_b) / n;
  }
  void predict(const Inputs& x, std::span<double> out, int) const override {
    for (Index row = 0; row < x.rows(); ++row)
      out[static_cast<std::size_t>(row)] = centre_ + weight_ * bend(static_cast<double>(x(row, 0)));
  }
  std::optional<DescribedFunction> describe() const override {
    return DescribedFunction{
        centre_, weight_, DescribedFormula{bend(Formula::variable(0)), {DescribedFunction{.body = DescribedWeights{{0}, {1}}}}}};
  }
  void save(Archive archive) const override { archive.put("toy", std::vector<double>{centre_, weight_}); }
  void load(const Archive& archive, Index) override {
    const auto& both = archive.get<std::vector<double>>("toy");
    centre_ = both.at(0);
    weight_ = both.at(1);
  }

 private:
  template <class Number>
  static Number bend(const Number& x) {
    using std::sqrt;
    return sqrt(1 + x * x);
  }
  double centre_ = 0, weight_ = 0;
};

// f = h(network), h(v) = (v + √(v² + 1)) / 2: a formula on top of the description of another predictor.
class ToyLink final : public Predictor {
 public:
  Encoding needs() const override { return inner_->needs(); }
  void fit(const InputPool& x, RowsView rows, std::span<const double> y, const PredictorSettings& settings,
           const ExecutionContext& context) override {
    inner_->fit(x, rows, y, settings, context);
  }
  void predict(const Inputs& x, std::span<double> out, int threads) const override {
    inner_->predict(x, out, threads);
    for (double& one : out) one = link(one);
  }
  std::optional<DescribedFunction> describe() const override {
    return DescribedFunction{.body = DescribedFormula{link(Formula::variable(0)), {*inner_->describe()}}};
  }
  void save(Archive archive) const override { inner_->save(archive); }
  void load(const Archive& archive, Index inputs) override { inner_->load(archive, inputs); }

 private:
  template <class Number>
  static Number link(const Number& v) {
    using std::sqrt;
    return (v + sqrt(v * v + 1)) / 2;
  }
  std::unique_ptr<Predictor> inner_ = predictors().make("network");
};

// φ = √a / (1 + g²): a scale family that is not declared as one.
class ToyTransform : public Transform {
 public:
  Index n_params() const override { return 1; }
  void initial(double* g) const override { g[0] = 1; }
  double value(double a, const double* g) const override { return std::sqrt(a) / scale(g[0]); }
  double slope(double a, const double* g) const override { return 0.5 / std::sqrt(a) / scale(g[0]); }
  void grad(double a, const double* g, double* out) const override {
    out[0] = -2 * g[0] * std::sqrt(a) / (scale(g[0]) * scale(g[0]));
  }
  Codomain codomain(const double*) const override { return {0, infinity}; }
  double inverse(double b, const double* g) const override { return b < 0 ? -1 : std::pow(b * scale(g[0]), 2); }
  double half_width(double q, const double* g) const override { return std::isinf(q) ? q : width(q, g[0]); }
  std::optional<DescribedTransform> describe() const override {
    return DescribedWidth{[](double q) { return width(q, Formula::variable(0)); }};
  }

 private:
  template <class Number>
  static Number scale(const Number& g) {
    return 1 + g * g;
  }
  template <class Number>
  static Number width(double q, const Number& g) {
    return if_negative(Number(q), -1, q * (1 + 1e-14) * scale(g));
  }
};

class SilentPredictor final : public ToyPredictor {
 public:
  std::optional<DescribedFunction> describe() const override { return {}; }
};

class SilentTransform final : public ToyTransform {
 public:
  std::optional<DescribedTransform> describe() const override { return {}; }
};

template <class Part, class Base>
void add_once(Registry<Base>& list, const std::string& name) {
  for (const auto& known : list.names())
    if (known == name) return;
  list.add({name, "a toy", [](std::string_view) { return std::make_unique<Part>(); }});
}

}  // namespace taut::testing
