// The arithmetic of the network on plain arrays of floats, in the instruction set that the processor has.
#pragma once

#include <taut/core/instruction_set.hpp>

#include <cstddef>

namespace taut {

// Rows are padded to whole multiples of this, which every instruction set divides into its own vectors.
inline constexpr std::ptrdiff_t lanes = 16;

TAUT_ALWAYS_INLINE constexpr std::ptrdiff_t padded(std::ptrdiff_t columns) { return (columns + lanes - 1) / lanes * lanes; }

// The left side of a product is read one number at a time, so a transposed matrix is one with its steps exchanged.
struct Left {
  const float* data;
  std::ptrdiff_t row_step;
  std::ptrdiff_t column_step;

  TAUT_ALWAYS_INLINE Left row(std::ptrdiff_t r) const { return {data + r * row_step, row_step, column_step}; }
  TAUT_ALWAYS_INLINE Left transposed() const { return {data, column_step, row_step}; }
};

// Right side, start and result of a product: `lanes` numbers at a time, `step` from row to row; step 0 repeats one row.
template <class Float>
struct Panel {
  Float* data;
  std::ptrdiff_t step;

  TAUT_ALWAYS_INLINE Panel row(std::ptrdiff_t r) const { return {data + r * step, step}; }
  TAUT_ALWAYS_INLINE Panel column(std::ptrdiff_t c) const { return {data + c, step}; }
};

// One step of Adam: what is the same for all parameters of a step.
struct AdamStep {
  float mean_decay, mean_share;  // of the mean as it was, and of the gradient
  float square_decay, square_share;
  float rate, epsilon;  // both with the corrections for the first steps
  float kept;           // of the parameters, before the step
};

// Every function gives an element the same bits wherever it stands in its array, so a row has the same output alone and in any
// batch. Counts of elements are multiples of `lanes`, except those of `adam`.
struct NetworkKernels {
  // C = start + A·B with A rows x inner and B inner x columns. Every element is one chain start + a(r,0)·b(0,c) + a(r,1)·b(1,c)
  // + ... in this order, which general matrix products do not promise.
  void (*multiply)(Left a, Panel<const float> b, Panel<const float> start, Panel<float> c, std::ptrdiff_t rows,
                   std::ptrdiff_t inner, std::ptrdiff_t columns);
  // to = fromᵀ; `from` is rows x columns.
  void (*transpose)(Panel<const float> from, std::ptrdiff_t rows, std::ptrdiff_t columns, Panel<float> to);
  // z = max(z, 0)
  void (*rectify)(float* z, std::ptrdiff_t count);
  // z = z·(1 + s)/2 with s = z/√(1 + z²). `slopes`, unless null, become the derivative (1 + s)/2 + s(1 - s²)/2.
  void (*bend_smoothly)(float* z, float* slopes, std::ptrdiff_t count);
  // values = 0 where the condition is not positive
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

// Those for an instruction set that this processor has.
const NetworkKernels& network_kernels(InstructionSet set);

}  // namespace taut
