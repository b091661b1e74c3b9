#include <taut/trees/binned_inputs.hpp>

#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>
#include <taut/trees/column_bins.hpp>
#include <taut/trees/cuts.hpp>

#include <algorithm>
#include <cmath>

namespace taut {

namespace {

constexpr Index most_thresholds = 65'534;  // bins of two bytes, the last for missing cells

// How many of `count` ascending thresholds are at most `value`. Halving without a branch: the answer is a coin toss to the
// processor, and a wrong guess costs more than the few steps saved.
Index reached(const float* cuts, Index count, float value) {
  const float* from = cuts;
  while (count > 0) {
    const Index half = (count + 1) / 2;
    from += from[half - 1] <= value ? half : 0;
    count -= half;
  }
  return from - cuts;
}

template <class Bin>
void fill(const Inputs& x, const std::vector<std::vector<float>>& cuts, int threads, std::vector<Bin>& cells) {
  const TracedPart traced("bins");
  const Index columns = x.cols();
  cells.resize(static_cast<std::size_t>(x.rows() * columns));
  parallel_blocks(x.rows(), 1 << 12, threads, [&](Index begin, Index end) {
    for (Index column = 0; column < columns; ++column) {
      const auto& here = cuts[static_cast<std::size_t>(column)];
      const auto missing_bin = static_cast<Bin>(here.size() + 1);
      for (Index row = begin; row < end; ++row) {
        const float value = x(row, column);
        cells[static_cast<std::size_t>(row * columns + column)] =
            std::isnan(value) ? missing_bin : static_cast<Bin>(reached(here.data(), std::ssize(here), value));
      }
    }
  });
}

}  // namespace

BinnedInputs::BinnedInputs(const Inputs& x, Index most, int threads)
    : BinnedInputs(x, thresholds(x, std::clamp<Index>(most - 2, 1, most_thresholds), threads), threads) {}

BinnedInputs::BinnedInputs(const Inputs& x, std::vector<std::vector<float>> cuts, int threads)
    : rows_(x.rows()), cuts_(std::move(cuts)) {
  const bool fits_a_byte = std::all_of(cuts_.begin(), cuts_.end(), [](const auto& column) { return column.size() < 255; });
  if (!fits_a_byte) cells_.emplace<std::vector<std::uint16_t>>();
  std::visit([&](auto& cells) { fill(x, cuts_, threads, cells); }, cells_);
}

BinnedInputs::~BinnedInputs() = default;

const ColumnBins& BinnedInputs::by_column(int threads) const {
  std::call_once(column_bins_made_, [&] { column_bins_ = std::make_unique<const ColumnBins>(*this, threads); });
  return *column_bins_;
}

}  // namespace taut
