// Where results go.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut {

// To standard output; a full disk behind it is an Error.
void write_result(std::string_view text);

// An Error if `path` cannot be written: better now than after an hour's work.
void check_output(const std::string& path);
// The same, and a UsageError where the output would replace one of these inputs.
void check_output(const std::string& path, const std::vector<std::string>& inputs);
// A UsageError where two of these outputs, of which some may not be asked for, are one file: one result would replace the other.
void check_outputs_differ(const std::vector<std::string>& outputs);

}  // namespace taut
