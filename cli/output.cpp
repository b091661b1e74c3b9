#include <cli/output.hpp>

#include <taut/core/file.hpp>

#include <filesystem>

namespace taut {

void write_result(std::string_view text) {
  OutputFile file("-");
  file.write(text);
  file.commit();
}

void check_output(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  // Opening and closing a pipe would end its reader.
  if (std::filesystem::exists(status) && std::filesystem::is_other(status)) return;
  if (std::filesystem::is_character_file(status)) return;
  OutputFile file(path);
}

}  // namespace taut
