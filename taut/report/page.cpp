#include <taut/report/page.hpp>

#include <taut/core/error.hpp>
#include <taut/core/format.hpp>
#include <taut/core/version.hpp>
#include <taut/report/json.hpp>
#include <taut/report/report.hpp>

namespace taut {

namespace {

// The Content-Security-Policy: the page may run its own script only, and may load nothing.
std::string policy() {
  return "default-src 'none'; script-src '" + std::string(page_assets().script_hash) +
         "'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
}

}  // namespace

std::string escaped_html(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string script_safe(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {  // JSON has these characters only inside strings
    if (c == '<')
      result += "\\u003c";
    else if (c == '>')
      result += "\\u003e";
    else if (c == '&')
      result += "\\u0026";
    else
      result += c;
  }
  return result;
}

std::string page_html(std::string_view title, std::string_view body, std::string_view document, std::string_view without_script) {
  const PageAssets& assets = page_assets();
  std::string page = "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += "<meta http-equiv=\"Content-Security-Policy\" content=\"" + policy() + "\">\n";
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
  page += "<meta name=\"generator\" content=\"Taut " + std::string(version) + "\">\n";
  page += "<title>" + escaped_html(title) + "</title>\n<style>";
  page.append(assets.style).append("</style>\n</head>\n<body>\n<noscript>").append(without_script).append("</noscript>\n");
  page.append(body).append("<script type=\"application/json\" id=\"document\">").append(script_safe(document));
  page.append("</script>\n<!-- Contains ").append(assets.licences).append(" -->\n<script>");
  return page.append(assets.script).append("</script>\n</body>\n</html>\n");
}

bool can_report() { return page_assets().missing_because.empty(); }

void require_page() {
  if (can_report()) return;
  throw Error(format_text(
      "this build of Taut has no page for reports: {} when it was built. Install node and npm ('tools/setup report', or apt-get "
      "install nodejs npm), then build again",
      page_assets().missing_because));
}

std::string chart_page(std::string_view title, std::string_view document) {
  require_page();
  Json json = Json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains("charts"))
    throw UsageError("chart_page: the document must be a JSON object with \"charts\"; see taut/report/report.hpp for its format");
  json["kind"] = "charts";
  json["title"] = title;
  return page_html(title, page_assets().charts, document_text(json), "<p>This page draws its charts with JavaScript.</p>");
}

}  // namespace taut
