// The HTML around a document. This is the only place where text from the data enters a page.
#pragma once

#include <string>
#include <string_view>

namespace taut {

// The parts of the page that are the same in every report. report-page/build.mjs makes them when Taut is built. If node is
// missing, they are empty and `missing_because` says why.
struct PageAssets {
  std::string_view report;  // the body of a report, and of a page of charts
  std::string_view charts;
  std::string_view script;
  std::string_view script_hash;  // "sha256-...": the policy of the page allows no other script
  std::string_view style;
  std::string_view licences;  // of the libraries in the script
  std::string_view missing_because;
};

const PageAssets& page_assets();

// Escapes text for HTML content and quoted attributes.
std::string escaped_html(std::string_view text);

// Escapes JSON for a <script> element, so that no part of it can end the element or begin a comment. `json` must be ASCII.
std::string script_safe(std::string_view json);

// A whole page. `body` is one of page_assets(), `document` is for the script, `without_script` is HTML for readers without
// JavaScript.
std::string page_html(std::string_view title, std::string_view body, std::string_view document, std::string_view without_script);

}  // namespace taut
