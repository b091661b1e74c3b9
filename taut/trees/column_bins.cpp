#include <taut/trees/column_bins.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

namespace taut {

namespace {

constexpr Index cells_of_cache = 1 << 20;

}  // namespace

ColumnBins::ColumnBins(const BinnedInputs& bins, int threads) : bins_(bins) {
  if (bins.rows() * bins.columns() <= cells_of_cache) return;
  const TracedPart traced("bins");
  rows_ = bins.rows();
  bins.visit([&]<class Bin>(const Bin* cells) {
    auto& own = cells_.emplace<std::vector<Bin>>(static_cast<std::size_t>(rows_ * bins.columns()));
    parallel_blocks(rows_, 1 << 12, threads, [&](Index begin, Index end) {
      for (Index column = 0; column < bins.columns(); ++column)
        for (Index row = begin; row < end; ++row)
          own[static_cast<std::size_t>(column * rows_ + row)] = cells[row * bins.columns() + column];
    });
  });
}

}  // namespace taut
