// Where results go.
#pragma once

#include <string>
#include <string_view>

namespace taut {

// To standard output; a full disk behind it is an Error.
void write_result(std::string_view text);

// An Error now rather than after an hour's work, when `path` could not be written then.
void check_output(const std::string& path);

}  // namespace taut
