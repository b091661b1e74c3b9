#include <taut/explain/sampled_shares.hpp>

#include <taut/core/error.hpp>
#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace taut {

namespace {

// The quantile at `share` of the values that are not missing: linear interpolation between stored order statistics.
double number_at(const InputSummary::ColumnSummary& column, double share, Index present) {
  const double rank = 1 + share * static_cast<double>(present - 1);
  std::size_t k = 1;
  while (k < column.ranks.size() && static_cast<double>(column.ranks[k]) < rank) ++k;
  if (k >= column.ranks.size()) return column.values.back();
  const double low = static_cast<double>(column.ranks[k - 1]), high = static_cast<double>(column.ranks[k]);
  const double along = (rank - low) / (high - low);
  if (std::isinf(column.values[k - 1]) || std::isinf(column.values[k])) return column.values[along < 0.5 ? k - 1 : k];
  return column.values[k - 1] + along * (column.values[k] - column.values[k - 1]);
}

// The quantile at `share` of a column over the calibration rows. Missing cells sort last; categories sort by code.
double cell_at(const InputSummary::ColumnSummary& column, const Column& about, Index rows, double share) {
  const Index present = rows - column.absent;
  const double place = share * static_cast<double>(rows);
  if (place >= static_cast<double>(present) || present == 0) return missing;
  if (!about.is_categorical()) {
    if (column.values.empty()) return missing;
    const double value = number_at(column, place / static_cast<double>(present), present);
    return about.kind == ColumnKind::boolean ? std::round(value) : value;
  }
  Index seen = 0;
  for (std::size_t code = 0; code < column.counts.size(); ++code) {
    seen += column.counts[code];
    if (place < static_cast<double>(seen)) return static_cast<double>(code);
  }
  return about.other_code();
}

}  // namespace

Matrix background_rows(const InputSummary& summary, const std::vector<Column>& schema, Index count, std::uint64_t seed) {
  if (summary.rows() == 0)
    throw Error(
        "this part of the model is explained by sampling, but the model file has no summary of calibration rows to sample "
        "from; give the model calibration rows (taut calibrate)");
  Matrix rows(count, std::ssize(schema));
  for (Index c = 0; c < rows.cols(); ++c) {
    const auto at = static_cast<std::size_t>(c);
    const Rows order = Random(seed).fork(static_cast<std::uint64_t>(c)).permutation(count);
    for (Index i = 0; i < count; ++i) {
      const double share = (static_cast<double>(order[static_cast<std::size_t>(i)]) + 0.5) / static_cast<double>(count);
      rows(i, c) = cell_at(summary.columns()[at], schema[at], summary.rows(), share);
    }
  }
  return rows;
}

SampledShares::SampledShares(Function function, Matrix background, std::vector<Index> player_of, Index players,
                             std::uint64_t seed, int threads)
    : function_(std::move(function)), background_(std::move(background)), cells_of_(static_cast<std::size_t>(players)) {
  for (std::size_t cell = 0; cell < player_of.size(); ++cell)
    cells_of_[static_cast<std::size_t>(player_of[cell])].push_back(static_cast<Index>(cell));
  const Random random = Random(seed).fork(1'000'003);  // independent of the random background rows
  for (Index pair = 0; pair < background_.rows(); ++pair)
    orders_.push_back(random.fork(static_cast<std::uint64_t>(pair)).permutation(players));
  starts_ = function_(background_, threads);
  for (Index output = 0; output < starts_.cols(); ++output) bases_.push_back(starts_.col(output).mean());
}

void SampledShares::add(const Matrix& rows, std::vector<Matrix>& shares, int threads) const {
  const Matrix ends = function_(rows, threads);
  parallel_blocks(rows.rows(), 1, threads, [&](Index row, Index) { walk(rows, row, ends, shares); });
}

void SampledShares::walk(const Matrix& rows, Index row, const Matrix& ends, std::vector<Matrix>& shares) const {
  const Index players = std::ssize(cells_of_), between = players - 1, walks = 2 * background_.rows();
  if (players == 0) return;
  // The intermediate rows of all walks, so that the function is called once.
  Matrix visited(walks * between, rows.cols());
  const auto order = [&](Index walk, Index step) {
    const Rows& own = orders_[static_cast<std::size_t>(walk / 2)];
    return static_cast<std::size_t>(own[static_cast<std::size_t>(walk % 2 == 0 ? step : players - 1 - step)]);
  };
  for (Index w = 0; w < walks; ++w) {
    Eigen::RowVectorXd at = background_.row(w / 2);
    for (Index step = 0; step < between; ++step) {
      for (const Index cell : cells_of_[order(w, step)]) at[cell] = rows(row, cell);
      visited.row(w * between + step) = at;
    }
  }
  const Matrix values = between > 0 ? function_(visited, 1) : Matrix(0, ends.cols());
  for (Index w = 0; w < walks; ++w)
    for (Index output = 0; output < ends.cols(); ++output) {
      double before = starts_(w / 2, output);
      for (Index step = 0; step < players; ++step) {
        const double after = step < between ? values(w * between + step, output) : ends(row, output);
        shares[static_cast<std::size_t>(output)](row, static_cast<Index>(order(w, step))) +=
            (after - before) / static_cast<double>(walks);
        before = after;
      }
    }
}

}  // namespace taut
