// What an outside project may rely on. A check that fails prints its name.
#include <taut/taut.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <iostream>

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "failed: " << what << '\n';
  std::exit(1);
}

// Matrices are passed in both directions: allocated by the library and freed here, allocated here and freed by the library. Sizes
// have every remainder, because each side may use vectors of another width.
void matrices_pass_both_ways() {
  for (taut::Index size = 1; size < 70; ++size) {
    const taut::Matrix x = taut::Matrix::Constant(size, size, 0.5);
    taut::Table table = taut::Regressor::table_of({.x = x});
    check((table.values * x).isConstant(0.25 * static_cast<double>(size)), "a matrix made by the library");

    taut::Archive archive = taut::Archive::decode(taut::Archive().encode());
    archive.put("x", x);
    check(taut::Archive::decode(archive.encode()).get<taut::Matrix>("x") == x, "a matrix handed to the library");
  }
}

void errors_are_caught_by_type() {
  try {
    taut::Archive().number("absent");
  } catch (const taut::Error&) {
    return;
  }
  check(false, "a missing entry is an Error");
}

// y = f(x) + x times noise, with f known: the case of a user who has a model and wants intervals.
struct Sample {
  taut::Matrix x;
  std::vector<double> f, y;

  Sample(taut::Index rows, std::uint64_t seed) : x(rows, 1) {
    taut::Random random(seed);
    for (taut::Index i = 0; i < rows; ++i) {
      x(i, 0) = random.uniform(0.1, 2);
      f.push_back(3 * x(i, 0));
      y.push_back(f.back() + x(i, 0) * random.normal());
    }
  }
};

void model_from_arrays() {
  const Sample past(1000, 1);
  const Sample fresh(1000, 2);
  taut::FitOptions options;
  options.effort = "quick";
  const taut::Regressor model = taut::Regressor::fit({.x = past.x, .y = past.y, .predictions = past.f}, options);

  const std::array levels{0.5, 0.9};
  const taut::Table rows = taut::Regressor::table_of({.x = fresh.x, .predictions = fresh.f});
  const taut::Predicted predicted = model.predict_interval(rows, levels);
  int covered = 0;
  for (taut::Index i = 0; i < fresh.x.rows(); ++i) covered += predicted.at(i, 1).contains(fresh.y[static_cast<std::size_t>(i)]);
  check(covered > 840 && covered < 960, "nine of ten fresh rows are covered");

  const taut::Regressor back = taut::Regressor::from_bytes(model.to_bytes());
  const taut::Predicted again = back.predict_interval(rows, levels);
  for (taut::Index i = 0; i < fresh.x.rows(); ++i)
    check(again.at(i, 0).lower == predicted.at(i, 0).lower && again.at(i, 1).upper == predicted.at(i, 1).upper,
          "a model read back gives the same bits");
}

// The same with f as a function that the model calls.
void model_around_a_function() {
  const Sample past(1000, 1);
  const Sample fresh(1000, 2);
  const auto f = [](const taut::TableView& inputs) {
    std::vector<double> predictions;
    for (taut::Index row = 0; row < inputs.rows(); ++row) predictions.push_back(3 * inputs(row, 0));
    return predictions;
  };
  taut::FitOptions options;
  options.target = "y";
  options.effort = "quick";
  const taut::Regressor model = taut::Regressor::fit(taut::Regressor::table_of({.x = past.x, .y = past.y}), options, f);
  const std::array levels{0.9};
  const taut::Predicted by_function = model.predict_interval(taut::Regressor::table_of({.x = fresh.x}), levels);
  const taut::Predicted by_column =
      model.predict_interval(taut::Regressor::table_of({.x = fresh.x, .predictions = fresh.f}), levels);
  for (taut::Index i = 0; i < fresh.x.rows(); ++i)
    check(by_function.at(i, 0).upper == by_column.at(i, 0).upper, "a function gives the same intervals as its predictions");
}

// φ = a e^g, as a user of the library would write it.
class OwnTransform final : public taut::Transform {
 public:
  taut::Index n_params() const override { return 1; }
  double value(double a, const double* g) const override { return a * std::exp(g[0]); }
  double slope(double, const double* g) const override { return std::exp(g[0]); }
  void grad(double a, const double* g, double* out) const override { out[0] = value(a, g); }
  taut::Codomain codomain(const double*) const override { return {0, taut::infinity}; }
};

// The share of intervals that lie above 0.
class OwnMetric final : public taut::Metric {
 public:
  double value(const taut::Judged& judged) const override {
    double above = 0;
    for (const taut::Interval& interval : judged.intervals) above += interval.lower > 0;
    return above / static_cast<double>(judged.intervals.size());
  }
};

void user_defined_parts() {
  taut::transforms().add({"own", "a e^g once more", [](std::string_view) { return std::make_unique<OwnTransform>(); }});
  taut::metrics().add({"positive", "share of intervals above 0", [](std::string_view) { return std::make_unique<OwnMetric>(); }});
  const Sample past(300, 1);
  taut::FitOptions options;
  options.transform = "own";
  options.epochs = 20;
  const taut::Regressor model = taut::Regressor::fit({.x = past.x, .y = past.y, .predictions = past.f}, options);
  check(model.transform_name() == "own", "a transformation of the user is trained");
  const taut::Regressor back = taut::Regressor::from_bytes(model.to_bytes());
  const std::array levels{0.9};
  const taut::Table rows = taut::Regressor::table_of({.x = past.x, .y = past.y, .predictions = past.f});
  check(back.predict_interval(rows, levels).at(7, 0).upper == model.predict_interval(rows, levels).at(7, 0).upper,
        "a model file finds it by its name");
  check(model.evaluate(rows, levels).levels[0].metric("positive") > 0, "a metric of the user is evaluated");
  try {
    taut::transforms().add({"exp", "taken", [](std::string_view) { return std::make_unique<OwnTransform>(); }});
  } catch (const taut::UsageError&) {
    return;
  }
  check(false, "a name that is taken is refused");
}

}  // namespace

int main() {
  matrices_pass_both_ways();
  errors_are_caught_by_type();
  model_from_arrays();
  model_around_a_function();
  user_defined_parts();
  check(taut::transforms().make("exp")->n_params() == 1, "the list of transformations");
  std::cout << "an outside project with taut " << taut::version << '\n';
}
