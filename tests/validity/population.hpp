// A population of finitely many x, each with continuous noise of a known distribution. The coverage of a model is a finite sum,
// so a test of its distribution has no sampling noise.
#pragma once

#include <taut/data/synthetic.hpp>
#include <taut/task/number/regressor.hpp>

#include <cmath>
#include <memory>

namespace taut::testing {

class Population {
 public:
  // `positive`: y and the outside predictions are the exponentials of what they are otherwise.
  explicit Population(const std::string& set, bool positive = false) : noise_(synthetic_sets().make(set)), positive_(positive) {}

  // Columns x, z (which has no effect), y, p, an outside prediction that is not very good, and lo and hi, quantile predictions
  // that are no better, much too narrow in the middle and crossed at one end.
  Table rows(Index count, Random& random) const {
    Table table = empty(count);
    for (Index row = 0; row < count; ++row) {
      const double x = place(random.below(places)), z = random.below(2) == 0 ? -1 : 1;
      fill(table, row, x, z, middle(x) + noise_->noise(x, random));
    }
    return table;
  }

  // Every pair (x, z) once; y is the middle.
  Table everything() const {
    Table table = empty(2 * places);
    for (Index row = 0; row < 2 * places; ++row) fill(table, row, place(row / 2), row % 2 == 0 ? -1 : 1, middle(place(row / 2)));
    return table;
  }

  // P(y in its interval) for a new row, given the model, for each level.
  std::vector<double> coverage(const Regressor& model, std::span<const double> levels) const {
    const Table all = everything();
    const Predicted predicted = model.predict_interval(all, levels, ExecutionContext{.threads = 1});
    std::vector<double> result(levels.size());
    for (Index row = 0; row < all.rows(); ++row)
      for (std::size_t level = 0; level < levels.size(); ++level) {
        const Interval& interval = predicted.at(row, level);
        if (interval.empty()) continue;
        const double x = all.values(row, 0), f = middle(x);
        result[level] += (noise_->cdf(x, unscaled(interval.upper) - f) - noise_->cdf(x, unscaled(interval.lower) - f)) /
                         static_cast<double>(all.rows());
      }
    return result;
  }

  // P(y <= its end) for a new row, given one end for each row of everything().
  double share_at_most(const Eigen::VectorXd& ends) const {
    const Table all = everything();
    double sum = 0;
    for (Index row = 0; row < all.rows(); ++row) {
      const double x = all.values(row, 0);
      sum += std::isinf(ends[row]) ? (ends[row] > 0 ? 1 : 0) : noise_->cdf(x, ends[row] - middle(x));
    }
    return sum / static_cast<double>(all.rows());
  }

 private:
  static constexpr Index places = 32;

  static double place(Index i) { return (2 * static_cast<double>(i) + 1) / static_cast<double>(places) - 1; }
  static double middle(double x) { return 2 * x * x - x; }

  static Table empty(Index count) {
    Table table;
    for (const char* name : {"x", "z", "y", "p", "lo", "hi"}) table.columns.push_back({name});
    table.values.resize(count, 6);
    return table;
  }
  double scaled(double value) const { return positive_ ? std::exp(value) : value; }
  double unscaled(double end) const { return !positive_ ? end : end > 0 ? std::log(end) : -infinity; }

  void fill(Table& table, Index row, double x, double z, double y) const {
    const double p = middle(x) + 0.1 * std::sin(9 * x), half = 0.2 + 0.8 * x;
    table.values.row(row) << x, z, scaled(y), scaled(p), scaled(p - half), scaled(p + 0.5 * half);
  }

  std::unique_ptr<SyntheticSet> noise_;
  bool positive_;
};

}  // namespace taut::testing
