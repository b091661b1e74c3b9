// The JSON document inside a page.
#pragma once

#include <taut/report/json.hpp>

namespace taut::testing {

inline Json document_of(const std::string& page) {
  const std::string opening = "id=\"document\">";
  const auto begin = page.find(opening) + opening.size();
  return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

}  // namespace taut::testing
