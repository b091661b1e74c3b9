# A room is a folder below taut/: its .cpp files become one library, taut_<room>, that sees only the rooms it uses, so a file
# that calls a room out of order does not link in its own test.
#
#   taut_headers   what everybody needs who includes our headers, outside projects too
#   taut_flags     how we compile our own files
#   taut_rooms     all rooms, for the program, benchmarks and other doors
#   libtaut        the shared library for those who embed it, taut::taut

add_library(taut_headers INTERFACE)
add_library(taut::headers ALIAS taut_headers)
target_compile_features(taut_headers INTERFACE cxx_std_20)
target_include_directories(taut_headers INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:include>)
target_link_libraries(taut_headers INTERFACE Eigen3::Eigen Threads::Threads)
# Eigen aligns memory by the instruction set of each translation unit, and a matrix made on one side of our door is freed on the
# other. One alignment for all: the widest.
target_compile_definitions(taut_headers INTERFACE EIGEN_MAX_ALIGN_BYTES=64 EIGEN_MAX_STATIC_ALIGN_BYTES=64)

add_library(taut_flags INTERFACE)
target_compile_options(taut_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 takes its own headers' _mm512_undefined_ps and string concatenation for our mistakes; the sanitizers look for real ones.
  target_compile_options(taut_flags INTERFACE -Wno-uninitialized -Wno-maybe-uninitialized -Wno-restrict)
  if(TAUT_PRECOMPILE)  # which hides from it that the headers are its own
    target_compile_options(taut_flags INTERFACE -Wno-stringop-overflow -Wno-array-bounds)
  endif()
endif()
# No -ffast-math: ranks, infinities and NaN must mean what they say. No contraction: the same bits on every machine.
target_compile_options(taut_flags INTERFACE -ffp-contract=off)
if(TAUT_ARCHITECTURE)
  target_compile_options(taut_flags INTERFACE -march=${TAUT_ARCHITECTURE})
elseif(TAUT_NATIVE)
  target_compile_options(taut_flags INTERFACE -march=native)
endif()
if(TAUT_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  target_compile_options(taut_flags INTERFACE -fpch-preprocess)  # so that ccache knows what a precompiled header holds
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  # By default GCC collects garbage from 128 MB on, which takes a fifth of its time on our files; they need up to 1.2 GB.
  target_compile_options(taut_flags INTERFACE --param=ggc-min-heapsize=2000000)
endif()
if(TAUT_WERROR)
  target_compile_options(taut_flags INTERFACE -Werror)
endif()

set(TAUT_ROOMS "")
set(TAUT_LINKS "")

# Compiles up to `files` files as one, where TAUT_UNITY asks for it.
function(taut_compile_together target files)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${TAUT_UNITY} UNITY_BUILD_BATCH_SIZE ${files})
endfunction()

# Where TAUT_PRECOMPILE asks for it. Targets of one kind are compiled with the same flags and share the headers of the first of
# them.
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

# For size instead of speed, where the build is one that is optimised at all.
add_library(taut_small INTERFACE)
target_compile_options(taut_small INTERFACE $<$<CONFIG:Release>:-Os>)

# Files of a SMALL room in which time is spent after all.
function(taut_compile_for_speed)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS $<$<CONFIG:Release>:-O3>
    SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endfunction()

function(taut_room folder)
  cmake_parse_arguments(ROOM "SMALL" "" "USES;LINKS;TESTS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/taut/${folder}/*.cpp)
  foreach(other ${TAUT_ROOMS})  # which may lie inside this one
    get_target_property(inner taut_${other} TAUT_FOLDER)
    list(FILTER sources EXCLUDE REGEX "/taut/${inner}/")
  endforeach()
  string(REPLACE "/" "_" name ${folder})
  list(TRANSFORM ROOM_USES REPLACE "/" "_")
  list(TRANSFORM ROOM_TESTS REPLACE "/" "_")
  if(NOT sources)
    return()
  endif()
  add_library(taut_${name} STATIC ${sources})
  target_link_libraries(taut_${name} PUBLIC taut_headers PRIVATE taut_flags ${ROOM_LINKS})
  list(TRANSFORM ROOM_TESTS PREPEND taut_)
  set_target_properties(taut_${name} PROPERTIES TAUT_TESTS_USE "${ROOM_TESTS}")
  taut_compile_together(taut_${name} 16)
  if(ROOM_SMALL)
    target_link_libraries(taut_${name} PRIVATE taut_small)
    taut_precompile(taut_${name} SMALL_LIBRARY)
  else()
    taut_precompile(taut_${name} LIBRARY)
  endif()
  foreach(used ${ROOM_USES})
    if(TARGET taut_${used})
      target_link_libraries(taut_${name} PUBLIC taut_${used})
    endif()
  endforeach()
  set(TAUT_ROOMS ${TAUT_ROOMS} ${name} PARENT_SCOPE)
  set_target_properties(taut_${name} PROPERTIES TAUT_FOLDER ${folder})
  set(TAUT_LINKS ${TAUT_LINKS} ${ROOM_LINKS} PARENT_SCOPE)
endfunction()

function(taut_library)
  list(REMOVE_DUPLICATES TAUT_LINKS)
  add_library(taut_rooms INTERFACE)
  add_library(libtaut SHARED)
  add_library(taut::taut ALIAS libtaut)
  foreach(room ${TAUT_ROOMS})
    target_link_libraries(taut_rooms INTERFACE taut_${room})
    target_sources(libtaut PRIVATE $<TARGET_OBJECTS:taut_${room}>)
  endforeach()
  file(GLOB door CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/c/*.cpp)  # the C interface
  target_sources(libtaut PRIVATE ${door})
  target_compile_definitions(libtaut PRIVATE TAUT_BUILD)
  target_link_libraries(libtaut PUBLIC taut_headers PRIVATE taut_flags ${TAUT_LINKS})
  set_target_properties(libtaut PROPERTIES OUTPUT_NAME taut EXPORT_NAME taut LINKER_LANGUAGE CXX
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  taut_export_only_own_names()
endfunction()

# Eigen's functions, compiled for this machine's instruction set, carry the same names as those that a user of the library
# compiles for another; were they visible, the dynamic linker would take one copy for both.
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
