// Runs a fuzz target on files: the seeds, and earlier findings of a fuzzer. For compilers without a fuzzer.
//   replay_csv FILE|FOLDER ...
#include <tests/fuzz/target.hpp>

#include <taut/core/file.hpp>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

int main(int count, char** arguments) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  for (int i = 1; i < count; ++i) {
    if (!fs::is_directory(arguments[i])) {
      files.emplace_back(arguments[i]);
      continue;
    }
    for (const auto& entry : fs::directory_iterator(arguments[i]))
      if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  for (const auto& file : files) {
    const std::string bytes = taut::read_whole_file(file);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  }
  std::printf("%zu files\n", files.size());
  return files.empty() ? 1 : 0;
}
