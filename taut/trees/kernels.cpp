// The baseline kernels, which run on any processor, and the choice of the kernels at run time.
#define TAUT_INSTRUCTIONS baseline
#include <taut/trees/kernels_body.hpp>

namespace taut {

const TreeKernels& tree_kernels([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return trees_avx512::kernels;
  if (set == InstructionSet::avx2) return trees_avx2::kernels;
#endif
  return trees_baseline::kernels;
}

}  // namespace taut
