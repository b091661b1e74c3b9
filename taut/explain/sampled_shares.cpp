#include <taut/explain/sampled_shares.hpp>

#include <taut/core/random.hpp>
#include <taut/core/threads.hpp>

#include <utility>

namespace taut {

SampledShares::SampledShares(Function function, Matrix background, std::vector<Index> player_of, Index players,
                             std::uint64_t seed, int threads)
    : function_(std::move(function)), background_(std::move(background)), cells_of_(static_cast<std::size_t>(players)) {
  for (std::size_t cell = 0; cell < player_of.size(); ++cell)
    cells_of_[static_cast<std::size_t>(player_of[cell])].push_back(static_cast<Index>(cell));
  const Random random = Random(seed).fork(1'000'003);  // apart from what drew the background
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
  // All rows between the ends of all walks, evaluated at once.
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
