# Kernels are files that are compiled for several instruction sets; the best one for the processor is chosen at run time
# (taut/core/instruction_set.hpp). They are compiled separately, because the linker keeps one copy of a function that several files
# include, and that copy must run on every processor.
function(taut_kernels file)
  set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${ARGN}" SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

set(avx2 "")
set(avx512 "")
if(TAUT_X86_64)
  set(avx2 -mavx2 -mfma)
  set(avx512 ${avx2} -mavx512f -mavx512vl -mavx512dq -mavx512bw)
endif()
# Fused multiply-add: every element of a matrix product is one chain of these, so its bits do not depend on its position.
set(fused -ffp-contract=fast -fno-math-errno)
taut_kernels(taut/network/kernels.cpp ${fused})
taut_kernels(taut/network/kernels_avx2.cpp ${fused} ${avx2})
taut_kernels(taut/network/kernels_avx512.cpp ${fused} ${avx512})
taut_kernels(taut/algebra/kernels.cpp)
taut_kernels(taut/algebra/kernels_avx2.cpp ${avx2})
taut_kernels(taut/algebra/kernels_avx512.cpp ${avx512})
# Without contraction: sums of leaves have the same bits for every instruction set.
taut_kernels(taut/trees/kernels.cpp)
taut_kernels(taut/trees/kernels_avx2.cpp ${avx2})
taut_kernels(taut/trees/kernels_avx512.cpp ${avx512})
