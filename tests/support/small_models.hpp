// Small tables for tests of whole models.
#pragma once

#include <taut/core/random.hpp>
#include <taut/data/synthetic.hpp>
#include <taut/localize/localizer.hpp>
#include <taut/predict/predictor.hpp>
#include <taut/task/number/regressor.hpp>
#include <taut/train/objective.hpp>

#include <numeric>

namespace taut::testing {

inline Table small_table(Index rows, std::uint64_t seed = 1, const std::string& set = "cos") {
  return synthetic_table(*synthetic_sets().make(set), rows, seed, true);
}

// The true f is the prediction column: this is fast, and every residual is noise of known size.
inline FitOptions given_options() {
  FitOptions options;
  options.target = "y";
  options.prediction = "f";
  options.drop = {"sigma"};
  return options;
}

struct PossibleTargets {
  double minimum = -infinity, maximum = infinity, step = 0;
};

// The same with a listed transformation and localizer and a number of sides, hardly trained.
inline FitOptions given_options(const Listed<Transform>& phi, const std::string& localizer, const std::string& sides,
                                Index epochs, const PossibleTargets& possible) {
  FitOptions options = given_options();
  options.transform = phi.example;
  options.localizer = localizer;
  options.objective = phi.name == "erc" ? "size" : "";
  options.sides = sides;
  options.epochs = epochs;
  options.hidden = {4};
  options.y_min = possible.minimum;
  options.y_max = possible.maximum;
  options.y_step = possible.step;
  return options;
}

inline FitOptions quick_options() {
  FitOptions options;
  options.target = "y";
  options.drop = {"f", "sigma"};
  options.predictor = "linear";
  options.epochs = 30;
  return options;
}

// Some rows of a table, as a table.
inline Table rows_of(const Table& table, Index first, Index count) {
  Table part = table;
  part.values = table.values.middleRows(first, count);
  part.lines.clear();
  return part;
}

}  // namespace taut::testing
