// The kernels for processors with AVX-512. They are compiled with these instructions and called only where they exist.
#if defined(__x86_64__)
#define TAUT_INSTRUCTIONS avx512
#include <taut/trees/kernels_body.hpp>
#endif
