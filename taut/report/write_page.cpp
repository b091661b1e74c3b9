#include <taut/report/write_page.hpp>

#include <taut/core/file.hpp>

namespace taut {

void write_page(const std::string& path, ReportOptions options, const std::function<std::string(const ReportOptions&)>& html_of) {
  require_page();
  if (options.report_file.empty() && path != "-") options.report_file = path;
  OutputFile file(path);
  file.write(html_of(options));
  file.commit();
}

}  // namespace taut
