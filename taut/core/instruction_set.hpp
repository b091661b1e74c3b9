// Which vector instructions the processor has. The library is compiled for any processor of its kind. Files where wider vectors
// pay, *_avx2.cpp and *_avx512.cpp, are compiled for those (CMakeLists.txt) and chosen at run time.
#pragma once

namespace taut {

enum class InstructionSet { baseline, avx2, avx512 };

// The widest that this processor and its operating system support.
InstructionSet instruction_set();

// A function that such files share with others. Were it compiled as a function of its own, the linker might take the copy with
// wide vectors for everybody.
#define TAUT_ALWAYS_INLINE [[gnu::always_inline]] inline

}  // namespace taut
