// Small tables of several targets that depend on each other.
#pragma once

#include <taut/core/random.hpp>
#include <taut/data/table.hpp>
#include <taut/options/options.hpp>

#include <cmath>

namespace taut::testing {

// y1 and y2 have errors whose correlation is that of x's sign; y3, if wanted, has independent skewed errors. Their spreads differ
// by powers of ten.
inline Table joint_table(Index rows, std::uint64_t seed, Index targets = 2) {
  Random random(seed);
  Table table;
  table.source = "joint rows";
  table.columns = {{"x"}, {"v"}, {"y1"}, {"y2"}};
  if (targets == 3) table.columns.push_back({"y3"});
  table.values.resize(rows, std::ssize(table.columns));
  for (Index row = 0; row < rows; ++row) {
    const double x = random.uniform(-1, 1), v = random.uniform(-1, 1);
    const double common = random.normal(), own = random.normal(), spread = 0.5 + std::abs(x);
    const double y1 = 2 * x + spread * common, y2 = 100 * (v - (x > 0 ? 1 : -1) * 0.9 * spread * common + 0.4 * own);
    table.values(row, 0) = x;
    table.values(row, 1) = v;
    table.values(row, 2) = y1;
    table.values(row, 3) = y2;
    if (targets == 3) table.values(row, 4) = 0.01 * (x * v + std::exp(0.8 * random.normal()));
  }
  return table;
}

inline FitOptions joint_options(Index targets = 2) {
  FitOptions options;
  options.target = targets == 3 ? "y1,y2,y3" : "y1,y2";
  options.predictor = "linear";
  options.epochs = 20;
  return options;
}

}  // namespace taut::testing
