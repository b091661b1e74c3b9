# A module is a folder below taut/: its .cpp files become one library, taut_<module>, which links only the modules it uses. So a file
# that calls a later module does not link in the tests of its module.
#
#   taut_headers   requirements of all files that include our headers, also in outside projects
#   taut_flags     compiler flags of our own files
#   taut_modules   all modules, for the program, benchmarks and other interfaces
#   libtaut        the shared library for other projects, taut::taut

add_library(taut_headers INTERFACE)
add_library(taut::headers ALIAS taut_headers)
target_compile_features(taut_headers INTERFACE cxx_std_20)
target_include_directories(taut_headers INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
target_link_libraries(taut_headers INTERFACE Eigen3::Eigen Threads::Threads)
# Eigen aligns memory by the instruction set of each translation unit, and a matrix allocated on one side of our interface is freed on
# the other. So all use the same alignment, the widest.
target_compile_definitions(taut_headers INTERFACE EIGEN_MAX_ALIGN_BYTES=64 EIGEN_MAX_STATIC_ALIGN_BYTES=64)

add_library(taut_flags INTERFACE)
target_compile_options(taut_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 has false warnings about its own _mm512_undefined_ps and about string concatenation; the sanitizers find real errors.
  target_compile_options(taut_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized -Wno-restrict)
  if(TAUT_PRECOMPILE)  # with precompiled headers GCC does not treat these as system headers
    target_compile_options(taut_flags INTERFACE -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endif()
# No -ffast-math, because ranks, infinities and NaN must be exact. No contraction, so that every machine computes the same bits.
target_compile_options(taut_flags INTERFACE -ffp-contract=off)
if(TAUT_ARCHITECTURE)
  target_compile_options(taut_flags INTERFACE -march=${TAUT_ARCHITECTURE})
elseif(TAUT_NATIVE)
  target_compile_options(taut_flags INTERFACE -march=native)
endif()
if(TAUT_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(taut_flags INTERFACE -fpch-preprocess)  # so that ccache can check the contents of precompiled headers
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # By default GCC collects garbage above 128 MB, which takes a fifth of its time on our files; they need up to 1.2 GB.
  target_compile_options(taut_flags INTERFACE --param=ggc-min-heapsize=2000000)
endif()
if(TAUT_WERROR)
  target_compile_options(taut_flags INTERFACE -Werror)
endif()

set(TAUT_MODULES "")
set(TAUT_LINKS "")

# With TAUT_UNITY, compiles up to `files` files as one.
function(taut_compile_together target files)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TAUT_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# With TAUT_PRECOMPILE, uses precompiled headers. Targets of one kind have the same flags and share the headers of the first target.
function(taut_precompile target kind)
  if(NOT TAUT_PRECOMPILE)
    return()
  endif()
  get_property(first GLOBAL PROPERTY TAUT_PRECOMPILED_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
    return()
  endif()
  set(header precompiled)
  if(kind STREQUAL TEST)
    set(header precompiled_tests)
  elseif(kind STREQUAL COMMAND_LINE)
    set(header precompiled_command_line)
  endif()
  target_precompile_headers(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header}.hpp)
  set_property(GLOBAL PROPERTY TAUT_PRECOMPILED_${kind} ${target})
endfunction()

# Optimises for size instead of speed, in optimised builds.
add_library(taut_small INTERFACE)
target_compile_options(taut_small INTERFACE $<$<CONFIG:Release>:-Os>)

# Files of a SMALL module that are critical for speed.
function(taut_compile_for_speed)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

function(taut_module folder)
  cmake_parse_arguments(MODULE "SMALL" "" "USES;LINKS;TESTS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/taut/${folder}/*.cpp)
  foreach(other ${TAUT_MODULES})  # other modules may be in subfolders of this one
    get_target_property(inner taut_${other} TAUT_FOLDER)
    list(FILTER sources EXCLUDE REGEX "/taut/${inner}/")
  endforeach()
  string(REPLACE "/" "_" name ${folder})
  list(TRANSFORM MODULE_USES REPLACE "/" "_")
  list(TRANSFORM MODULE_TESTS REPLACE "/" "_")
  if(NOT sources)
    return()
  endif()
  add_library(taut_${name} STATIC ${sources})
  target_link_libraries(taut_${name} PUBLIC taut_headers PRIVATE taut_flags ${MODULE_LINKS})
  list(TRANSFORM MODULE_TESTS PREPEND taut_)
  set_target_properties(taut_${name} PROPERTIES TAUT_TESTS_USE "${MODULE_TESTS}")
  taut_compile_together(taut_${name} 16)
  if(MODULE_SMALL)
    target_link_libraries(taut_${name} PRIVATE taut_small)
    taut_precompile(taut_${name} SMALL_LIBRARY)
  else()
    taut_precompile(taut_${name} LIBRARY)
  endif()
  foreach(used ${MODULE_USES})
    if(TARGET taut_${used})
      target_link_libraries(taut_${name} PUBLIC taut_${used})
    endif()
  endforeach()
  set(TAUT_MODULES ${TAUT_MODULES} ${name} PARENT_SCOPE)
  set_target_properties(taut_${name} PROPERTIES TAUT_FOLDER ${folder})
  set(TAUT_LINKS ${TAUT_LINKS} ${MODULE_LINKS} PARENT_SCOPE)
endfunction()

function(taut_library)
  list(REMOVE_DUPLICATES TAUT_LINKS)
  add_library(taut_modules INTERFACE)
  add_library(libtaut SHARED)
  add_library(taut::taut ALIAS libtaut)
  foreach(module ${TAUT_MODULES})
    target_link_libraries(taut_modules INTERFACE taut_${module})
    target_sources(libtaut PRIVATE $<TARGET_OBJECTS:taut_${module}>)
  endforeach()
  file(GLOB interface CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/c/*.cpp)  # the C interface
  target_sources(libtaut PRIVATE ${interface})
  target_compile_definitions(libtaut PRIVATE TAUT_BUILD)
  target_link_libraries(libtaut PUBLIC taut_headers PRIVATE taut_flags ${TAUT_LINKS})
  set_target_properties(libtaut PROPERTIES OUTPUT_NAME taut EXPORT_NAME taut LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  taut_export_only_own_names()
endfunction()

# Eigen's functions, compiled here for this machine's instruction set, have the same names as those that a user of the library
# compiles for another one. If they were visible, the dynamic linker would use one copy for both.
function(taut_export_only_own_names)
  include(CheckCXXSourceCompiles)
  set(exports ${PROJECT_SOURCE_DIR}/cmake/exports.map)
  set(CMAKE_REQUIRED_LINK_OPTIONS -shared -Wl,--version-script=${exports})
  check_cxx_source_compiles("namespace taut { void probe() {} } extern \"C\" void taut_probe() {}" TAUT_LINKER_TAKES_VERSION_SCRIPT)
  if(TAUT_LINKER_TAKES_VERSION_SCRIPT)
    target_link_options(libtaut PRIVATE -Wl,--version-script=${exports} -Wl,-Bsymbolic)
    set_target_properties(libtaut PROPERTIES LINK_DEPENDS ${exports})
  endif()
endfunction()
