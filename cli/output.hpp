// Where results go.
#pragma once

#include <string>
#include <string_view>

namespace taut {

// To standard output; a full disk behind it is an Error.
void write_result(std::string_view text);

// An Error if `path` cannot be written: better now than after an hour's work.
void check_output(const std::string& path);

}  // namespace taut
