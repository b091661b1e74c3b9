// Pairs of rows that differ only in monotone columns, and how often the answers of a model turn back between them.
#pragma once

#include <taut/core/random.hpp>
#include <taut/task/number/regressor.hpp>

#include <algorithm>
#include <cmath>

namespace taut::testing {

struct MonotonePairs {
  Table low, high;  // row i of `high` is at or beyond row i of `low` in every monotone column
};

// The other cells are those of random rows of `table`. Monotone cells are cells of random rows, or random numbers between and a
// little beyond them; one pair in eight shares each of them.
inline MonotonePairs monotone_pairs(const Table& table, const std::vector<std::string>& increasing,
                                    const std::vector<std::string>& decreasing, Index count, std::uint64_t seed) {
  Random random(seed);
  MonotonePairs pairs{table, table};
  pairs.low.lines.clear();
  pairs.low.values.resize(count, table.values.cols());
  for (Index pair = 0; pair < count; ++pair) pairs.low.values.row(pair) = table.values.row(random.below(table.values.rows()));
  pairs.high = pairs.low;
  const auto vary = [&](const std::vector<std::string>& names, bool rises) {
    for (const auto& name : names) {
      const Index column = *find_column(table.columns, name);
      std::vector<double> cells;
      for (Index row = 0; row < table.values.rows(); ++row)
        if (const double cell = table.values(row, column); !std::isnan(cell)) cells.push_back(cell);
      const auto [least, most] = std::minmax_element(cells.begin(), cells.end());
      const auto drawn = [&] {
        return random.below(2) == 0 ? cells[static_cast<std::size_t>(random.below(std::ssize(cells)))]
                                    : random.uniform(*least - 0.1 * (*most - *least), *most + 0.1 * (*most - *least));
      };
      for (Index pair = 0; pair < count; ++pair) {
        double a = drawn(), b = random.below(8) == 0 ? a : drawn();
        if ((a > b) == rises) std::swap(a, b);
        pairs.low.values(pair, column) = a;
        pairs.high.values(pair, column) = b;
      }
    }
  };
  vary(increasing, true);
  vary(decreasing, false);
  return pairs;
}

inline const std::vector<double> monotone_levels = {0.5, 0.9, 0.99};

// The number of pairs in which f, one of nine quantiles, or an end at one of three levels is lower for the higher row. `moved`
// counts pairs with another f, which a test needs to see.
struct Turned {
  Index pairs = 0, moved = 0;
};

inline Turned turned_back(const Regressor& model, const MonotonePairs& pairs, bool with_quantiles = true) {
  std::vector<std::unique_ptr<Question>> asked;
  for (const double level : monotone_levels) asked.push_back(questions().make("interval:" + std::to_string(level)));
  for (int tenth = 1; tenth < 10 && with_quantiles; ++tenth)
    asked.push_back(questions().make("quantile:0." + std::to_string(tenth)));
  const Answers low = model.ask(pairs.low, asked), high = model.ask(pairs.high, asked);
  Turned result;
  for (Index pair = 0; pair < low.values.rows(); ++pair) {
    const auto at = static_cast<std::size_t>(pair);
    bool turned = low.prediction[at] > high.prediction[at];
    for (Index column = 0; column < low.values.cols(); ++column) turned |= low.values(pair, column) > high.values(pair, column);
    result.pairs += turned ? 1 : 0;
    result.moved += low.prediction[at] < high.prediction[at] ? 1 : 0;
  }
  return result;
}

}  // namespace taut::testing
