// Rows with labels whose probabilities are known.
#pragma once

#include <taut/core/random.hpp>
#include <taut/task/label/classifier.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace taut::testing {

struct LabelledRows {
  Table table;
  std::vector<Index> labels;
};

// Three inputs and `classes` labels a, b, ... The columns p_a, p_b, ... have probabilities that are right up to a temperature
// that depends on x (with `tilt` 0 they are right). Scores are continuous.
inline LabelledRows labelled_rows(Index rows, Index classes, Random& random, double tilt = 0) {
  LabelledRows result;
  Table& table = result.table;
  table.source = "drawn";
  table.columns = {{"x0"}, {"x1"}, {"x2"}};
  std::vector<std::string> names;
  for (Index k = 0; k < classes; ++k)
    names.push_back(k < 26 ? std::string(1, static_cast<char>('a' + k)) : "z" + std::to_string(k));
  for (const auto& name : names) table.columns.push_back({"p_" + name});
  table.columns.push_back({.name = "label", .kind = ColumnKind::category, .categories = names});
  table.values.resize(rows, 3 + classes + 1);
  const Random effects(5);
  for (Index row = 0; row < rows; ++row) {
    std::vector<double> x, z, p(static_cast<std::size_t>(classes));
    for (int i = 0; i < 3; ++i) x.push_back(random.normal());
    for (Index k = 0; k < classes; ++k) {
      Random own = effects.fork(static_cast<std::uint64_t>(k));
      double sum = 0;
      for (const double one : x) sum += 1.2 * own.normal() * one;
      z.push_back(sum);
    }
    const auto soft = [&](double beta) {
      double all = 0;
      const double maximum = *std::max_element(z.begin(), z.end());
      for (std::size_t k = 0; k < z.size(); ++k) all += p[k] = std::exp(beta * (z[k] - maximum));
      for (double& one : p) one /= all;
    };
    soft(1);
    const double u = random.uniform();
    double sum = 0;
    Index label = classes - 1;
    for (Index k = classes - 1; k >= 0; --k) {
      sum += p[static_cast<std::size_t>(k)];
      if (u < sum) {
        label = k;
        break;
      }
    }
    soft(std::exp(tilt * x[0]));
    for (int i = 0; i < 3; ++i) table.values(row, i) = x[static_cast<std::size_t>(i)];
    for (Index k = 0; k < classes; ++k) table.values(row, 3 + k) = p[static_cast<std::size_t>(k)];
    table.values(row, 3 + classes) = static_cast<double>(label);
    result.labels.push_back(label);
  }
  return result;
}

inline FitOptions label_options(const std::string& transform = "curve") {
  FitOptions options;
  options.target = "label";
  options.transform = transform;
  options.effort = "quick";
  return options;
}

inline LabelOptions given_probabilities(const std::string& score = "", bool by_label = false) {
  LabelOptions options;
  options.task = "classification";
  options.probabilities = "p_";
  options.score = score;
  options.by_label = by_label;
  return options;
}

// For our own trees, which must not see the probabilities.
inline FitOptions without_probabilities(FitOptions options, Index classes) {
  Random random(1);
  const auto names = labelled_rows(1, classes, random).table.names();
  for (Index k = 0; k < classes; ++k) options.drop.push_back(names[static_cast<std::size_t>(3 + k)]);
  return options;
}

}  // namespace taut::testing
