# The port of the library, built from the source tree that contains this file; a released port uses an archive (vcpkg_from_github).
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS -DTAUT_NATIVE=OFF -DTAUT_REPORT=OFF -DTAUT_PYTHON=OFF -DTAUT_TESTS=OFF -DTAUT_COLUMNAR=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME taut CONFIG_PATH lib/cmake/taut)
vcpkg_copy_tools(TOOL_NAMES taut AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
