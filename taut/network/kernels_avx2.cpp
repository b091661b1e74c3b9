// The kernels for processors with AVX2 and FMA: compiled with those instructions, called only where they exist.
#if defined(__x86_64__)
#define TAUT_INSTRUCTIONS avx2
#include <taut/network/kernels_body.hpp>
#endif
