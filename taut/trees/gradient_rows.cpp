#include <taut/trees/gradient_rows.hpp>

#include <taut/core/error.hpp>
#include <taut/core/threads.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace taut {

namespace {

constexpr Index block = 1 << 14;

// Threads add gradients in an order of their own. Multiples of a power of two, so coarse that all their sums are exact in a
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

GradientRows::GradientRows(Index rows) : learning_(static_cast<std::size_t>(rows)), others_(learning_.size()) {}

void GradientRows::draw(std::span<const std::uint32_t> rows, const Matrix& gradient, const Matrix& curvature, Index group,
                        double scale, double left_out, const Random& random, int threads) {
  const Index count = gradient.rows();
  const Grid gradients(scale * largest_magnitude(gradient, group, threads), count);
  const Grid curvatures(scale * largest_magnitude(curvature, group, threads), count);
  // Every block compacts its own rows; then the blocks close up, which moves nothing when no row stayed out.
  struct Part {
    std::size_t learning, others;
  };
  std::vector<Part> parts(static_cast<std::size_t>((count + block - 1) / block));
  parallel_blocks(count, block, threads, [&](Index begin, Index end) {
    Random draw = random.fork(static_cast<std::uint64_t>(begin));
    const Grid of_gradients = gradients, of_curvatures = curvatures;  // in registers, as what is captured is not
    const double* slope = gradient.data() + begin * gradient.cols() + group;
    const double* bend = curvature.data() + begin * curvature.cols() + group;
    const Index stride = gradient.cols();
    GradientRow* learns = learning_.data() + begin;
    std::uint32_t* other = others_.data() + begin;
    for (Index i = begin; i < end; ++i) {
      const GradientRow drawn{rows[static_cast<std::size_t>(i)], of_gradients.round(scale * *slope),
                              of_curvatures.round(scale * *bend)};
      slope += stride;
      bend += stride;
      const bool stays_out = left_out > 0 && draw.uniform() < left_out;
      // Written to both lists and counted in one: a branch would be guessed wrong for every other row that stays out.
      const bool has_gradient = (drawn.gradient != 0) | (drawn.curvature != 0);
      const Index takes_part = has_gradient > stays_out;
      *learns = drawn;
      *other = drawn.row;
      learns += takes_part;
      other += 1 - takes_part;
    }
    parts[static_cast<std::size_t>(begin / block)] = {static_cast<std::size_t>(learns - learning_.data() - begin),
                                                      static_cast<std::size_t>(other - others_.data() - begin)};
  });
  Part end{0, 0};
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const auto begin = static_cast<Index>(b) * block;
    if (static_cast<Index>(end.learning) != begin)
      std::copy_n(learning_.begin() + begin, parts[b].learning, learning_.begin() + static_cast<Index>(end.learning));
    if (static_cast<Index>(end.others) != begin)
      std::copy_n(others_.begin() + begin, parts[b].others, others_.begin() + static_cast<Index>(end.others));
    end = {end.learning + parts[b].learning, end.others + parts[b].others};
  }
  count_ = end.learning;
}

}  // namespace taut
