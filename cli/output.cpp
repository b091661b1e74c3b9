#include <cli/output.hpp>

#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>

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

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  for (const auto& input : inputs) {
    std::error_code ignored;
    if (input != "-" && path != "-" && std::filesystem::is_regular_file(input, ignored) &&
        std::filesystem::equivalent(path, input, ignored))
      throw UsageError(format_text("the output '{}' is one of the inputs and would replace it; name another file", path));
  }
  check_output(path);
}

namespace {

// Whether two paths name the same file; the files need not exist. A device such as /dev/null can take several results.
bool are_same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  if (std::filesystem::is_character_file(a, ignored)) return false;
  const auto place = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, ignored), ignored);
  };
  return a == b || place(a) == place(b) || std::filesystem::equivalent(a, b, ignored);
}

}  // namespace

void check_outputs_differ(const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < outputs.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (!outputs[i].empty() && !outputs[j].empty() && are_same_file(outputs[i], outputs[j]))
        throw UsageError(
            format_text("two results would go to '{}', and one would replace the other; name a file for each", outputs[i]));
}

}  // namespace taut
