// Writes results to files. The ending of the file name selects the format.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut {

// The ending of `path` without its dot; the first of `formats` for an empty path or "-". Throws UsageError for other endings.
std::string output_format(const std::string& path, const std::vector<std::string>& formats);

// Writes the whole file or nothing; "-" is standard output.
void write_output(const std::string& path, std::string_view text);

}  // namespace taut
