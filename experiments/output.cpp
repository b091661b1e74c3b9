#include <experiments/output.hpp>

#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>

#include <algorithm>
#include <filesystem>

namespace taut {

std::string output_format(const std::string& path, const std::vector<std::string>& formats) {
  if (path.empty() || path == "-") return formats.front();
  std::string ending = std::filesystem::path(path).extension().string();
  if (!ending.empty()) ending.erase(0, 1);
  if (std::find(formats.begin(), formats.end(), ending) != formats.end()) return ending;
  throw UsageError(format_text("the ending of '{}' is not a known format; allowed: .{}", path, join(formats, ", .")));
}

void write_output(const std::string& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace taut
