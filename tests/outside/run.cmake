# Installs the build in BUILT under a prefix of its own, then configures, builds and runs the outside project against it:
# without our flags, without optimisation, for the plainest machine, so that nothing works only because both sides were compiled
# alike.
set(work ${BUILT}/outside)
file(REMOVE_RECURSE ${work})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "failed (${status}): ${command}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILT} --prefix ${work}/prefix)
run(${work}/prefix/bin/taut --version)
foreach(header taut.h taut/taut.h)
  if(NOT EXISTS ${work}/prefix/include/${header})
    message(FATAL_ERROR "the C interface is not installed: ${header}")
  endif()
endforeach()
run(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${work}/build -G ${GENERATOR} -D CMAKE_BUILD_TYPE=Debug
  -D CMAKE_CXX_COMPILER=${COMPILER} "-D CMAKE_CXX_FLAGS=${FLAGS}" -D CMAKE_PREFIX_PATH=${work}/prefix)
run(${CMAKE_COMMAND} --build ${work}/build)
run(${work}/build/outside)
message("${output}")
