// The kernels for processors with AVX2. They are compiled with these instructions and called only where they exist.
#if defined(__x86_64__)
#define TAUT_INSTRUCTIONS avx2
#include <taut/trees/kernels_body.hpp>
#endif
