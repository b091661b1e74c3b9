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
// Whether two names mean one file, which need not exist.
bool are_one_file(const std::string& a, const std::string& b);

}  // namespace taut
