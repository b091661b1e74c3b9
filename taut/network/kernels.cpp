// The baseline kernels, which run on any processor, and the choice of the kernels at run time.
#define TAUT_INSTRUCTIONS baseline
#include <taut/network/kernels_body.hpp>

namespace taut {

const NetworkKernels& network_kernels([[maybe_unused]] InstructionSet set) {
#if defined(__x86_64__)
  if (set == InstructionSet::avx512) return network_avx512::kernels;
  if (set == InstructionSet::avx2) return network_avx2::kernels;
#endif
  return network_baseline::kernels;
}

}  // namespace taut
