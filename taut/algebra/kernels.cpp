// The baseline kernels, which run on any processor, and the choice of the kernels at run time.
#define TAUT_INSTRUCTIONS baseline
#include <taut/algebra/kernels_body.hpp>

namespace taut {

const DenseKernels& dense_kernels([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return dense_avx512::kernels;
  if (set == InstructionSet::avx2) return dense_avx2::kernels;
#endif
  return dense_baseline::kernels;
}

}  // namespace taut
