// A small model to report on.
#pragma once

#include <taut/data/synthetic.hpp>
#include <taut/model/model.hpp>

namespace taut::testing {

inline Table small_table(Index rows, std::uint64_t seed = 1) {
  return synthetic_table(*synthetic_sets().make("cos"), rows, seed, true);
}

// The true f is the prediction column: fast, and every residual is noise of known size.
inline FitOptions given_options() {
  FitOptions options;
  options.target = "y";
  options.prediction = "f";
  options.drop = {"sigma"};
  return options;
}

}  // namespace taut::testing
