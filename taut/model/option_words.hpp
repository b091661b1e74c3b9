// Options as texts, for commands, resume keys and reports.
#pragma once

#include <taut/model/options.hpp>

#include <functional>

namespace taut {

// Calls visit(name, value, whether it is not the default) for every option, in the order of --help.
void visit_option_words(const FitOptions& options,
                        const std::function<void(const std::string& name, const std::string& value, bool differs)>& visit);

// Is it given without a value?
bool is_flag(std::string_view option);

}  // namespace taut
