// A report into a file, which appears whole or not at all.
#pragma once

#include <taut/report/report.hpp>

#include <functional>

namespace taut {

// html_of() gets the options with the name of the file, for the commands that make the page again.
void write_page(const std::string& path, ReportOptions options, const std::function<std::string(const ReportOptions&)>& html_of);

}  // namespace taut
