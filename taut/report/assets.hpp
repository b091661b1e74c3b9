// The parts of the page that are the same in every report. report-page/build.mjs makes them when Taut is built; where node is
// missing they are empty, and `missing_because` says why.
#pragma once

#include <string_view>

namespace taut {

struct PageAssets {
  std::string_view report;  // the body of a report, and of a page of charts
  std::string_view charts;
  std::string_view script;
  std::string_view script_hash;  // "sha256-...", which the page's own policy allows, and no other script
  std::string_view style;
  std::string_view licences;  // of what the script contains
  std::string_view missing_because;
};

const PageAssets& page_assets();

}  // namespace taut
