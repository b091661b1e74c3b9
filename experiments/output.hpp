// Writes results to files; the ending of the name is the format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The ending of `path` without its dot, which must be one of `formats`; the first of them for an empty path or "-".
std::string output_format(const std::string& path, const std::vector<std::string>& formats);

// The whole file or nothing; "-" is standard output.
void write_output(const std::string& path, std::string_view text);

}  // namespace taut
