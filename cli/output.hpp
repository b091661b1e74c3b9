// Writes results and checks output files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace taut {

// Writes to standard output. Throws Error if that fails, for example because a disk is full.
void write_result(std::string_view text);

// Throws Error if `path` cannot be written. Called before the work starts, so that no results are lost.
void check_output(const std::string& path);
// The same; also throws UsageError if the output would replace one of the inputs.
void check_output(const std::string& path, const std::vector<std::string>& inputs);
// Throws UsageError if two of the outputs are the same file. An empty path is an output that is not wanted.
void check_outputs_differ(const std::vector<std::string>& outputs);

}  // namespace taut
