// The arithmetic of the network on plain arrays of floats, for each instruction set.
#pragma once

#include <taut/core/instruction_set.hpp>

#include <cstddef>

namespace taut {

// Rows are padded to multiples of this, which is a multiple of the vector length of every instruction set.
inline constexpr std::ptrdiff_t lanes = 16;

TAUT_ALWAYS_INLINE constexpr std::ptrdiff_t padded(std::ptrdiff_t columns) { return (columns + lanes - 1) / lanes * lanes; }

// The left side of a product. It is read one number at a time, so transposing it only exchanges its two steps.
struct Left {
  const float* data;
  std::ptrdiff_t row_step;
  std::ptrdiff_t column_step;

  TAUT_ALWAYS_INLINE Left row(std::ptrdiff_t r) const { return {data + r * row_step, row_step, column_step}; }
  TAUT_ALWAYS_INLINE Left transposed() const { return {data, column_step, row_step}; }
};

// Right side, start and result of a product. They are read and written `lanes` numbers at a time. `step` is the distance from
// row to row; step 0 repeats one row.
template <class Float>
struct Panel {
  Float* data;
  std::ptrdiff_t step;

  TAUT_ALWAYS_INLINE Panel row(std::ptrdiff_t r) const { return {data + r * step, step}; }
  TAUT_ALWAYS_INLINE Panel column(std::ptrdiff_t c) const { return {data + c, step}; }
};

// The coefficients of one step of Adam, which are the same for all parameters.
struct AdamStep {
  float mean_decay, mean_share;      // weights of the old mean and of the gradient
  float square_decay, square_share;  // weights of the old mean square and of the squared gradient
  float rate, epsilon;               // both with the bias correction of Adam
  float kept;                        // factor of the parameters before the step (weight decay)
};

// Every function computes an element with the same bits at any position in its array, so a row has the same output alone and in
// any batch. Counts of elements are multiples of `lanes`, except for `adam`.
struct NetworkKernels {
  // C = start + A·B with A rows x inner and B inner x columns. Every element is summed in the order start + a(r,0)·b(0,c) +
  // a(r,1)·b(1,c) + ..., which general matrix products do not guarantee.
  void (*multiply)(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, std::ptrdiff_t rows,
                   std::ptrdiff_t inner, std::ptrdiff_t columns);
  // to = fromᵀ; `from` is rows x columns.
  void (*transpose)(Panel<const float> from, std::ptrdiff_t rows, std::ptrdiff_t columns, Panel<float> to);
  // z = max(z, 0)
  void (*rectify)(float* z, std::ptrdiff_t count);
  // z = z·(1 + s)/2 with s = z/√(1 + z²). Unless `slopes` is null, it receives the derivative (1 + s)/2 + s(1 - s²)/2.
  void (*apply_smooth_activation)(float* z, float* slopes, std::ptrdiff_t count);
  // Sets a value to 0 if its condition is not positive.
  void (*keep_where_positive)(float* values, const float* condition, std::ptrdiff_t count);
  // values = values·factors
  void (*scale)(float* values, const float* factors, std::ptrdiff_t count);
  void (*adam)(const AdamStep& step, float* parameters, const float* gradient, float* mean, float* square, std::ptrdiff_t count);
};

namespace network_baseline {
extern const NetworkKernels kernels;
}
namespace network_avx2 {
extern const NetworkKernels kernels;
}
namespace network_avx512 {
extern const NetworkKernels kernels;
}

// The kernels for an instruction set that this processor supports.
const NetworkKernels& network_kernels(InstructionSet set);

}  // namespace taut
