// The vector instructions of the processor. The library is compiled for the baseline of its architecture. Files that gain from
// wider vectors are also compiled as *_avx2.cpp and *_avx512.cpp (CMakeLists.txt), and the version is chosen at run time.
#pragma once

namespace taut {

enum class InstructionSet { baseline, avx2, avx512 };

// The widest instruction set that this processor and its operating system support.
InstructionSet instruction_set();

// For functions that such files share with others. If they were not inlined, the linker might keep only the copy with wide
// vectors, which other processors cannot run.
#define TAUT_ALWAYS_INLINE [[gnu::always_inline]] inline

}  // namespace taut
