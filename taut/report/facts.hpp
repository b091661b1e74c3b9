// Facts for the end of a report: data, model, options, and the commands that reproduce it.
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
// The commands as typed in a shell, with names quoted where necessary.
std::vector<std::string> commands_to_reproduce(const ReportContents& contents);

// `text` as one word of a shell command, quoted if necessary.
std::string shell_word(const std::string& text);
// " --NAME VALUE".
std::string option_word(const std::string& name, const std::string& value);

}  // namespace taut
