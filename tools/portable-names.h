/* Included before every file that tools/portable-c++ compiles for glibc.
 *
 * The runtime library of zig defines these functions too, weakly and in one piece: as soon as a program needs anything of it, such as a
 * division of 128 bits, they all come along and are taken instead of those of the C library. They are slower, and exp and log differ in
 * the last bit from those that every other program of a machine calls. A name with a version can only be found in the C library. The versions
 * are the first ones of each processor, which every later glibc keeps. */
#if defined(__x86_64__)
#define TAUT_OF_GLIBC(name) __asm__(".symver " #name ", " #name "@GLIBC_2.2.5")
#elif defined(__aarch64__)
#define TAUT_OF_GLIBC(name) __asm__(".symver " #name ", " #name "@GLIBC_2.17")
#else
#define TAUT_OF_GLIBC(name)
#endif

TAUT_OF_GLIBC(exp);
TAUT_OF_GLIBC(exp2);
TAUT_OF_GLIBC(log);
TAUT_OF_GLIBC(log2);
TAUT_OF_GLIBC(log10);
TAUT_OF_GLIBC(sin);
TAUT_OF_GLIBC(cos);
TAUT_OF_GLIBC(tan);
TAUT_OF_GLIBC(fmod);
TAUT_OF_GLIBC(expf);
TAUT_OF_GLIBC(logf);
TAUT_OF_GLIBC(sinf);
TAUT_OF_GLIBC(cosf);
TAUT_OF_GLIBC(memcpy);
TAUT_OF_GLIBC(memmove);
TAUT_OF_GLIBC(memset);
TAUT_OF_GLIBC(memcmp);
TAUT_OF_GLIBC(strlen);

#undef TAUT_OF_GLIBC
