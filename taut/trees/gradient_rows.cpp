#include <taut/trees/gradient_rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>
#include <taut/core/trace.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace taut {

namespace {

constexpr Index block = 1 << 14;

// Threads add gradients in any order. Multiples of a power of two, so coarse that all their sums are exact in a
// double, make the order irrelevant; so fine that the largest still has 24 bits when there are 2^28 rows.
class Grid {
 public:
  Grid(double most, Index count) {
    const int bits = std::min(24, 52 - static_cast<int>(std::ceil(std::log2(static_cast<double>(count) + 1))));
    shift_ = most > 0 ? std::ldexp(1.5, 52 + std::ilogb(most) + 1 - bits) : 0;
  }
  // Adding a number whose last bit is the grid's unit rounds to the grid; taking it off is exact.
  float round(double value) const { return static_cast<float>((value + shift_) - shift_); }

 private:
  double shift_;
};

// Without the sign, the bits of doubles are in the order of their magnitudes, with infinity and then NaN at the end.
double largest_magnitude(const Matrix& values, Index column, int threads) {
  constexpr std::uint64_t magnitude = ~std::uint64_t{0} >> 1;
  std::vector<std::uint64_t> most(static_cast<std::size_t>((values.rows() + block - 1) / block));
  parallel_blocks(values.rows(), block, threads, [&](Index begin, Index end) {
    std::uint64_t here = 0;
    for (Index row = begin; row < end; ++row)
      here = std::max(here, std::bit_cast<std::uint64_t>(values(row, column)) & magnitude);
    most[static_cast<std::size_t>(begin / block)] = here;
  });
  const double result = std::bit_cast<double>(*std::max_element(most.begin(), most.end()));
  if (!(result < 1e30)) throw Error("boosting met a gradient that is not finite: the loss overflows on these rows");
  return result;
}

}  // namespace

GradientRows::GradientRows(Index rows) : sampled_(static_cast<std::size_t>(rows)), dropped_(sampled_.size()) {}

void GradientRows::sample(std::span<const std::uint32_t> rows, const Matrix& gradient, const Matrix& curvature, Index output,
                          double scale, double drop, const Random& random, int threads) {
  const TracedPart traced("sample rows");
  const Index count = gradient.rows();
  const Grid gradient_grid(scale * largest_magnitude(gradient, output, threads), count);
  const Grid curvature_grid(scale * largest_magnitude(curvature, output, threads), count);
  // Every block compacts its own rows; then the blocks close up, which moves nothing when no row is dropped.
  struct Counts {
    std::size_t sampled, dropped;
  };
  std::vector<Counts> counts(static_cast<std::size_t>((count + block - 1) / block));
  parallel_blocks(count, block, threads, [&](Index begin, Index end) {
    Random draw = random.fork(static_cast<std::uint64_t>(begin));
    const Grid gradients = gradient_grid, curvatures = curvature_grid;  // local copies stay in registers, captured ones do not
    const double* next_gradient = gradient.data() + begin * gradient.cols() + output;
    const double* next_curvature = curvature.data() + begin * curvature.cols() + output;
    const Index stride = gradient.cols();
    GradientRow* next_sampled = sampled_.data() + begin;
    std::uint32_t* next_dropped = dropped_.data() + begin;
    for (Index i = begin; i < end; ++i) {
      const GradientRow row{rows[static_cast<std::size_t>(i)], gradients.round(scale * *next_gradient),
                            curvatures.round(scale * *next_curvature)};
      next_gradient += stride;
      next_curvature += stride;
      const bool is_dropped = drop > 0 && draw.uniform() < drop;
      // Written to both lists and counted in one: a branch would be mispredicted for many rows.
      const bool has_gradient = (row.gradient != 0) | (row.curvature != 0);
      const Index is_sampled = has_gradient > is_dropped;
      *next_sampled = row;
      *next_dropped = row.row;
      next_sampled += is_sampled;
      next_dropped += 1 - is_sampled;
    }
    counts[static_cast<std::size_t>(begin / block)] = {static_cast<std::size_t>(next_sampled - sampled_.data() - begin),
                                                       static_cast<std::size_t>(next_dropped - dropped_.data() - begin)};
  });
  Counts total{0, 0};
  for (std::size_t b = 0; b < counts.size(); ++b) {
    const auto begin = static_cast<Index>(b) * block;
    if (static_cast<Index>(total.sampled) != begin)
      std::copy_n(sampled_.begin() + begin, counts[b].sampled, sampled_.begin() + static_cast<Index>(total.sampled));
    if (static_cast<Index>(total.dropped) != begin)
      std::copy_n(dropped_.begin() + begin, counts[b].dropped, dropped_.begin() + static_cast<Index>(total.dropped));
    total = {total.sampled + counts[b].sampled, total.dropped + counts[b].dropped};
  }
  count_ = total.sampled;
}

}  // namespace taut
