// What an outside project may rely on. Every check says its name when it fails.
#include <taut/taut.hpp>

#include <array>
#include <cstdlib>
#include <iostream>

namespace {

void check(bool holds, const char* what) {
  if (holds) return;
  std::cerr << "failed: " << what << '\n';
  std::exit(1);
}

// Matrices cross the door both ways: made by the library and freed here, made here and freed by the library. Sizes of every
// remainder, for each side vectorises by its own width.
void matrices_cross_the_door() {
  for (taut::Index size = 1; size < 70; ++size) {
    const taut::Matrix x = taut::Matrix::Constant(size, size, 0.5);
    taut::Table table = taut::Model::table_of({.x = x});
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
  const taut::Model model = taut::Model::fit({.x = past.x, .y = past.y, .predictions = past.f}, options);

  const std::array levels{0.5, 0.9};
  const taut::Table rows = taut::Model::table_of({.x = fresh.x, .predictions = fresh.f});
  const taut::Predicted predicted = model.predict_interval(rows, levels);
  int covered = 0;
  for (taut::Index i = 0; i < fresh.x.rows(); ++i) covered += predicted.at(i, 1).contains(fresh.y[static_cast<std::size_t>(i)]);
  check(covered > 840 && covered < 960, "nine of ten fresh rows are covered");

  const taut::Model back = taut::Model::from_bytes(model.to_bytes());
  const taut::Predicted again = back.predict_interval(rows, levels);
  for (taut::Index i = 0; i < fresh.x.rows(); ++i)
    check(again.at(i, 0).lower == predicted.at(i, 0).lower && again.at(i, 1).upper == predicted.at(i, 1).upper,
          "a model read back gives the same bits");
}

// The same with f as a function, which the model calls by itself.
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
  const taut::Model model = taut::Model::fit(taut::Model::table_of({.x = past.x, .y = past.y}), options, f);
  const std::array levels{0.9};
  const taut::Predicted by_function = model.predict_interval(taut::Model::table_of({.x = fresh.x}), levels);
  const taut::Predicted by_column = model.predict_interval(taut::Model::table_of({.x = fresh.x, .predictions = fresh.f}), levels);
  for (taut::Index i = 0; i < fresh.x.rows(); ++i)
    check(by_function.at(i, 0).upper == by_column.at(i, 0).upper, "a function serves as its predictions do");
}

}  // namespace

int main() {
  matrices_cross_the_door();
  errors_are_caught_by_type();
  model_from_arrays();
  model_around_a_function();
  check(taut::transforms().make("exp")->n_params() == 1, "the list of transformations");
  std::cout << "an outside project with taut " << taut::version << '\n';
}
