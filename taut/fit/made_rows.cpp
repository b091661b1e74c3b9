#include <taut/fit/made_rows.hpp>

#include <taut/core/random.hpp>
#include <taut/core/trace.hpp>
#include <taut/data/inputs/encoding.hpp>
#include <taut/predict/nearest.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index neighbours_of_row = 4;  // each pass over the rows takes another one

// For each row its nearest others, nearest first: rows x `count`.
std::vector<Index> neighbours_of(const TableView& x, RowsView rows, Index count, int threads) {
  const Encoder encoder(Encoding::standardised, x, rows);
  const MatrixF inputs = encoder.encode(x, rows, threads);
  std::vector<Index> result(rows.size() * static_cast<std::size_t>(count));
  nearest(inputs)->search(inputs, count + 1, threads, [&](Index query, std::span<const Neighbour> found) {
    auto next = result.begin() + static_cast<std::ptrdiff_t>(query * count);
    const auto end = next + static_cast<std::ptrdiff_t>(count);
    for (const Neighbour& one : found)
      if (one.row != query && next != end) *next++ = one.row;
  });
  return result;
}

bool is_whole(double value) { return std::isnan(value) || value == std::round(value); }

}  // namespace

TableView with_made_rows(const TableView& x, RowsView rows, Index wanted, std::uint64_t seed, int threads) {
  const Traced traced("make rows");
  const Index n = std::ssize(rows), count = std::min(neighbours_of_row, n - 1),
              made = count > 0 ? std::max<Index>(0, wanted - n) : 0;
  const std::vector<Index> neighbours = made > 0 ? neighbours_of(x, rows, count, threads) : std::vector<Index>();
  TableView result(x.source(), n + made);
  for (std::size_t c = 0; c < x.columns().size(); ++c) {
    const Column& column = x.columns()[c];
    std::vector<double> cells;
    for (const Index row : rows) cells.push_back(x(row, static_cast<Index>(c)));
    const bool takes_numbers = !column.is_categorical();
    const bool whole = std::all_of(cells.begin(), cells.end(), is_whole);
    const Random random = Random(seed).fork(c);
    for (Index i = 0; i < made; ++i) {
      Random own = random.fork(static_cast<std::uint64_t>(i));
      const Index pass = i / n % count, base = i % n;
      const double mine = cells[static_cast<std::size_t>(base)];
      const double other = cells[static_cast<std::size_t>(neighbours[static_cast<std::size_t>(base * count + pass)])];
      double value = mine;
      if (own.uniform() < 0.5) {
        value = other;
        const double noise = std::abs(mine - other) * own.normal();
        if (takes_numbers && std::isfinite(noise)) value = whole ? std::round(other + noise) : other + noise;
      }
      cells.push_back(value);
    }
    result.add(column, std::move(cells));
  }
  return result;
}

}  // namespace taut
