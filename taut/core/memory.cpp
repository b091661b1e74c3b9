#include <taut/core/memory.hpp>

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace taut {

void return_free_memory() {
#ifdef __GLIBC__
  ::malloc_trim(0);
#endif
}

}  // namespace taut
