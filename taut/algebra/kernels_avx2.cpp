// The kernels for processors with AVX2 and FMA. They are compiled with these instructions and called only where they exist.
#if defined(__x86_64__)
#define TAUT_INSTRUCTIONS avx2
#include <taut/algebra/kernels_body.hpp>
#endif
