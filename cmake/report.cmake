# The page of reports: esbuild bundles report-page with ECharts, and the library contains the result. npm installs the packages of the
# lock file into the build folder. If that fails, CMake prints a notice and everything else is built. A source distribution contains the
# bundled page (tools/build-wheels puts it into report-page/bundled), so that building from it needs no node.
option(TAUT_REPORT "Bundle the page of reports, which takes node and npm" ON)

set(page_source ${PROJECT_SOURCE_DIR}/report-page)
set(page_folder ${PROJECT_BINARY_DIR}/report-page)
set(TAUT_PAGE_MODULES ${page_folder}/node_modules)
set(TAUT_PAGE_ABSENCE "")

find_program(TAUT_NODE NAMES node nodejs PATHS ${PROJECT_SOURCE_DIR}/build/node/bin)
find_program(TAUT_NPM npm PATHS ${PROJECT_SOURCE_DIR}/build/node/bin)

function(taut_install_page_packages)
  set(stamp ${page_folder}/installed)
  set(wanted production)
  if(TAUT_TESTS)
    set(wanted everything)  # includes the driver of the browser
  endif()
  file(SHA256 ${page_source}/package-lock.json lock)
  if(EXISTS ${stamp})
    file(READ ${stamp} installed)
    if(installed STREQUAL "${lock} ${wanted}")
      return()
    endif()
  endif()
  file(COPY ${page_source}/package.json ${page_source}/package-lock.json DESTINATION ${page_folder})
  set(without_tests "")
  if(NOT TAUT_TESTS)
    set(without_tests --omit=dev)
  endif()
  foreach(attempt RANGE 1 2)  # the network may fail once
    execute_process(COMMAND ${TAUT_NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error ${without_tests}
      WORKING_DIRECTORY ${page_folder} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(status EQUAL 0)
      break()
    endif()
  endforeach()
  if(status EQUAL 0)
    file(WRITE ${stamp} "${lock} ${wanted}")
  else()
    message(STATUS "npm ci: ${output}")
    set(TAUT_PAGE_ABSENCE "npm could not fetch its packages" PARENT_SCOPE)
  endif()
endfunction()

set(bundled_page ${page_source}/bundled/page.cpp)
if(NOT TAUT_REPORT)
  set(TAUT_PAGE_ABSENCE "TAUT_REPORT was off")
elseif(SKBUILD AND EXISTS ${bundled_page})
  message(STATUS "Reports: the page that this source distribution carries")
elseif(NOT TAUT_NODE OR NOT TAUT_NPM)
  set(TAUT_PAGE_ABSENCE "node or npm was missing")
else()
  taut_install_page_packages()
endif()

if(TAUT_PAGE_ABSENCE)
  if(TAUT_REPORT)
    message(NOTICE "Reports are left out: ${TAUT_PAGE_ABSENCE}. `tools/setup report` installs them; then configure again.")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/no_page.cpp.in ${page_folder}/no_page.cpp)
  target_sources(taut_report PRIVATE ${page_folder}/no_page.cpp)
elseif(SKBUILD AND EXISTS ${bundled_page})
  target_sources(taut_report PRIVATE ${bundled_page})
else()
  file(GLOB_RECURSE page_files CONFIGURE_DEPENDS ${page_source}/src/*)
  add_custom_command(OUTPUT ${page_folder}/page.cpp
    COMMAND ${TAUT_NODE} ${page_source}/build.mjs ${TAUT_PAGE_MODULES} ${page_folder}/page.cpp
    DEPENDS ${page_source}/build.mjs ${page_files} ${page_folder}/installed
    COMMENT "Bundling the page of reports" VERBATIM)
  target_sources(taut_report PRIVATE ${page_folder}/page.cpp)
endif()
