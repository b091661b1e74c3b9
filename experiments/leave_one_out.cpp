// With the n scores sorted, b_(1) <= ... <= b_(n), and k = ⌈n · confidence⌉ the rank among the n − 1 others: the k-th smallest of
// the others is b_(k+1) for a row whose own score is at most b_(k), and b_(k) for the rest. So two quantiles of all scores serve
// every row, and both are levels of the model as it stands: rank j of n is confidence j / (n + 1).
#include <experiments/leave_one_out.hpp>

#include <taut/calibrate/rank.hpp>

namespace taut {

void leave_one_out(const Regressor& model, const Table& test, std::span<const double> y, std::vector<LeftOut>& levels,
                   const ExecutionContext& context) {
  const Index n = test.rows();
  std::vector<double> confidences;
  for (const auto& level : levels) {
    const Index k = exact_rank(n - 1, level.confidence);
    confidences.push_back(static_cast<double>(k) / static_cast<double>(n + 1));
    // Beyond the last score is the whole line, which any confidence above n / (n + 1) asks for.
    confidences.push_back(k + 1 <= n ? static_cast<double>(k + 1) / static_cast<double>(n + 1)
                                     : 1 - 0.5 / static_cast<double>(n + 1));
  }
  const Predicted predicted = model.predict_interval(test, confidences, context);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    double half_widths = 0;
    Index covered = 0;
    const bool infeasible = exact_rank(n - 1, levels[i].confidence) > n - 1;
    for (Index row = 0; row < n; ++row) {
      const double target = y[static_cast<std::size_t>(row)];
      const bool low_score = predicted.at(row, 2 * i).contains(target);
      const Interval& interval = predicted.at(row, 2 * i + (low_score || infeasible ? 1 : 0));
      half_widths += 0.5 * interval.width();
      covered += interval.contains(target) ? 1 : 0;
    }
    levels[i].mean_half_width = half_widths / static_cast<double>(n);
    levels[i].coverage = static_cast<double>(covered) / static_cast<double>(n);
  }
}

}  // namespace taut
