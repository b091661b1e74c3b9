// What a report is about: data, parts, options, and the commands that make it again.
#pragma once

#include <taut/report/report.hpp>

#include <string>
#include <utility>
#include <vector>

namespace taut {

struct FactGroup {
  std::string title;
  std::vector<std::pair<std::string, std::string>> facts;
};

std::vector<FactGroup> facts(const Regressor& model, const TableView& test, const ReportOptions& options);

// What columns were taken for, where they are not plain numbers; and every option. For models of numbers and of labels.
FactGroup column_facts(const FitRecord& record);
FactGroup option_facts(const FitOptions& options);

// The command of a report as one types it.
std::string report_command_again(const TableView& test, const ReportOptions& options);
// " --NAME VALUE" as one types it.
std::string option_word(const std::string& name, const std::string& value);

// As one types them into a shell: names are quoted where they need it.
std::vector<std::string> commands_to_reproduce(const Regressor& model, const TableView& test, const ReportOptions& options);

// A word of a shell command.
std::string shell_word(const std::string& text);

}  // namespace taut
