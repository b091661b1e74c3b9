// What a report is about: data, parts, options, and the commands that make it again.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace taut {

class ReportContents;

struct FactGroup {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts{};
};

std::vector<FactGroup> facts(const ReportContents& contents);
// As one types them into a shell: names are quoted where they need it.
std::vector<std::string> commands_to_reproduce(const ReportContents& contents);

// A word of a shell command; and " --NAME VALUE".
std::string shell_word(const std::string& text);
std::string option_word(const std::string& name, const std::string& value);

}  // namespace taut
