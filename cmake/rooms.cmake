# A room is a folder below taut/: all its .cpp files become one object library, taut_<room>, that sees only the rooms it uses.
# So a file that includes a room out of order fails to link in its own test long before the include check complains.

add_library(taut_flags INTERFACE)
target_compile_options(taut_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion)
# No -ffast-math: ranks, infinities and NaN must mean what they say. No contraction: the same bits on every machine.
target_compile_options(taut_flags INTERFACE -ffp-contract=off)
if(TAUT_NATIVE)
  target_compile_options(taut_flags INTERFACE -march=native)
endif()
target_include_directories(taut_flags INTERFACE ${PROJECT_SOURCE_DIR})

set(TAUT_ROOMS "")

function(taut_room name)
  cmake_parse_arguments(ROOM "" "" "USES;LINKS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/taut/${name}/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_library(taut_${name} STATIC ${sources})
  target_link_libraries(taut_${name} PUBLIC taut_flags)
  foreach(used ${ROOM_USES})
    if(TARGET taut_${used})
      target_link_libraries(taut_${name} PUBLIC taut_${used})
    endif()
  endforeach()
  target_link_libraries(taut_${name} PUBLIC ${ROOM_LINKS})
  set(TAUT_ROOMS ${TAUT_ROOMS} ${name} PARENT_SCOPE)
endfunction()

# libtaut: all rooms in one library, for those who embed it.
function(taut_library)
  add_library(taut INTERFACE)
  foreach(room ${TAUT_ROOMS})
    target_link_libraries(taut INTERFACE taut_${room})
  endforeach()
endfunction()
