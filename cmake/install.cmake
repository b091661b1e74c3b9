# `cmake --install`: the program, the shared library, the headers and a CMake package, found by find_package(taut).
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/taut)

install(TARGETS taut_cli RUNTIME)
set_target_properties(taut_headers PROPERTIES EXPORT_NAME headers)
install(TARGETS libtaut taut_headers EXPORT taut-targets LIBRARY ARCHIVE)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/taut DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(EXPORT taut-targets NAMESPACE taut:: DESTINATION ${package_folder})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/taut-config.cmake.in ${PROJECT_BINARY_DIR}/taut-config.cmake
  INSTALL_DESTINATION ${package_folder})
# Before 1.0 a new minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/taut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake DESTINATION ${package_folder})
