// The functions behind dense.hpp, on plain arrays and for each instruction set. Matrices are column-major.
#pragma once

#include <taut/core/instruction_set.hpp>

#include <cstddef>

namespace taut {

template <class Number>
struct DenseView {
  Number* data;
  std::ptrdiff_t rows, columns;
  std::ptrdiff_t step;  // distance from a column to the next
};

enum class Transpose { none, left, right };

struct DenseKernels {
  // C = C + A·B, Aᵀ·B or A·Bᵀ
  void (*add_product)(DenseView<const double> a, DenseView<const double> b, Transpose transpose, DenseView<double> c);
  // The lower half of C = C + XᵀX (Transpose::left) or XXᵀ (Transpose::right)
  void (*add_gram)(DenseView<const double> x, Transpose transpose, DenseView<double> c);
  // Overwrites the lower half of A with L, where A = LLᵀ. Returns false if A is not positive definite; its content is then
  // undefined.
  bool (*factor)(DenseView<double> a);
  // B = L⁻¹B and B = L⁻ᵀB
  void (*solve_lower)(DenseView<const double> l, DenseView<double> b);
  void (*solve_upper)(DenseView<const double> l, DenseView<double> b);
};

namespace dense_baseline {
extern const DenseKernels kernels;
}
namespace dense_avx2 {
extern const DenseKernels kernels;
}
namespace dense_avx512 {
extern const DenseKernels kernels;
}

// The kernels for an instruction set that this processor supports.
const DenseKernels& dense_kernels(InstructionSet set);

}  // namespace taut
