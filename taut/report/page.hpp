// The HTML around a document: the one place where texts from the data enter a page.
#pragma once

#include <string>
#include <string_view>

namespace taut {

// The parts of the page that are the same in every report. report-page/build.mjs makes them when Taut is built; where node is
// missing they are empty, and `missing_because` says why.
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

// Text for HTML content and quoted attributes.
std::string escaped_html(std::string_view text);

// JSON that may stand inside a <script> element: no part of it can end the element or begin a comment there. `json` is JSON in
// ASCII.
std::string script_safe(std::string_view json);

// A whole page: `body` is one of page_assets(), `document` goes to the script, `without_script` is HTML for readers without one.
std::string page_html(std::string_view title, std::string_view body, std::string_view document, std::string_view without_script);

}  // namespace taut
