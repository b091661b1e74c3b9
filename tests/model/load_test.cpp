// One model, many threads: a const Regressor has no state that a prediction could change, so it needs no lock.
#include <taut/core/error.hpp>
#include <taut/task/number/regressor.hpp>
#include <tests/support/joined_thread.hpp>
#include <tests/support/small_models.hpp>

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>

namespace taut {
namespace {

constexpr std::array levels = {0.5, 0.9};

bool same_bits(const Predicted& a, const Predicted& b) {
  return a.prediction == b.prediction && a.intervals.size() == b.intervals.size() &&
         std::memcmp(a.intervals.data(), b.intervals.data(), a.intervals.size() * sizeof(Interval)) == 0;
}

Regressor fitted(const std::string& predictor, const std::string& localizer, const std::string& transform) {
  FitOptions options = testing::quick_options();
  options.predictor = predictor;
  options.localizer = localizer;
  options.transform = transform;
  options.effort = "quick";
  options.hidden = {8, 8};
  options.epochs = 5;
  options.rate = 0.03;
  return Regressor::fit(testing::small_table(400), options, {.threads = 1});
}

TEST(Load, SixteenThreadsGetTheBitsOfOneSlow) {
  const std::array<std::array<const char*, 3>, 4> kinds = {
      {{"boost", "boost", "exp"}, {"knn", "mlp", "exp"}, {"linear", "boost", "spline"}, {"knn", "none", "fixed"}}};
  const Table rows = testing::small_table(300, 2);
  for (const auto& [predictor, localizer, transform] : kinds) {
    SCOPED_TRACE(std::string(predictor) + ", " + localizer + ", " + transform);
    const Regressor model = fitted(predictor, localizer, transform);
    const Predicted expected = model.predict_interval(rows, levels, {.threads = 1});
    const auto columns = model.prediction_schema();
    const TableView inputs = TableView(rows).matched(columns);
    std::atomic<int> right = 0;
    std::vector<JoinedThread> threads;
    for (int thread = 0; thread < 16; ++thread)
      threads.emplace_back([&, thread] {
        for (int again = 0; again < 4; ++again)
          right += same_bits(model.predict_interval(rows, levels, {.threads = 1 + thread % 3}), expected);
        std::vector<double> row(columns.size());
        std::array<Interval, levels.size()> intervals;
        for (Index i = thread; i < rows.rows(); i += 16) {
          inputs.copy_row(i, row.data());
          const double f = model.predict_row(row, levels, intervals);
          right += f == expected.prediction[static_cast<std::size_t>(i)] && intervals[1].lower == expected.at(i, 1).lower &&
                   intervals[1].upper == expected.at(i, 1).upper;
        }
      });
    threads.clear();
    EXPECT_EQ(right, 16 * 4 + 300);
  }
}

}  // namespace
}  // namespace taut
