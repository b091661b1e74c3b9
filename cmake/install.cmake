# `cmake --install`: the program, the shared library, the headers and a CMake package, found by find_package(taut).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/taut)

if(TAUT_PROGRAM)
  install(TARGETS taut_cli RUNTIME)
endif()
if(TARGET taut_columnar)
  install(TARGETS taut_columnar LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/taut)
  if(TAUT_ARROW_FOLDER)
    install(FILES ${TAUT_ARROW_LIBRARIES} DESTINATION ${CMAKE_INSTALL_LIBDIR}/taut)
  endif()
endif()
set_target_properties(taut_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS libtaut taut_headers EXPORT taut-targets LIBRARY ARCHIVE)

# The public headers are taut/taut.hpp and the headers that it includes, directly or not. Others are not installed.
set(to_visit taut/taut.hpp)
set(public_headers "")
while(to_visit)
  list(POP_FRONT to_visit header)
  if(header IN_LIST public_headers)
    continue()
  endif()
  list(APPEND public_headers ${header})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${header})
  file(STRINGS ${PROJECT_SOURCE_DIR}/${header} includes REGEX "^#include <taut/")
  foreach(line ${includes})
    string(REGEX REPLACE "^#include <(.*)>.*" "\\1" included "${line}")
    list(APPEND to_visit ${included})
  endforeach()
endwhile()
foreach(header ${public_headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
# The header of the C interface is installed as <taut.h> and as <taut/taut.h>.
install(FILES ${PROJECT_SOURCE_DIR}/c/taut.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${PROJECT_SOURCE_DIR}/c/taut.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/taut)
install(EXPORT taut-targets NAMESPACE taut:: DESTINATION ${package_folder})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/taut-config.cmake.in ${PROJECT_BINARY_DIR}/taut-config.cmake
  INSTALL_DESTINATION ${package_folder})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake DESTINATION ${package_folder})
