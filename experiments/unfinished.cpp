#include <experiments/unfinished.hpp>

#include <experiments/data_sets.hpp>
#include <experiments/resume_file.hpp>
#include <taut/core/error.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>

#include <filesystem>

namespace taut {

namespace {

namespace fs = std::filesystem;

// Nobody would look for a file beside a pipe or a device.
bool has_neighbours(const std::string& output) {
  if (output.empty() || output == "-") return false;
  std::error_code ignored;
  const auto status = fs::status(output, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

std::string name_for(const std::string& output, const std::string& data, const Table& table, const ComparisonSettings& settings) {
  std::string words = std::string(version) + " " + std::to_string(checksum_of(table)) + " " + options_in_words(settings.common);
  for (const double level : settings.levels) words += " " + print_number(level);
  if (settings.quick) words += " quick";
  const std::string own = data == "-" ? "stdin" : fs::path(data).filename().string();
  return (has_neighbours(output) ? output : own + ".compare") + "." + checksum_text(checksum(words)).substr(0, 8) + ".unfinished";
}

}  // namespace

UnfinishedWork::UnfinishedWork(const std::string& output, const std::string& data, const Table& table,
                               const ComparisonSettings& settings, const ExecutionContext& context)
    : path_(name_for(output, data, table, settings)) {
  try {
    const ResumeFile trial(path_);
    context.tell("finished fits are kept in " + path_ +
                 " until the result is written; if this is stopped, the same command goes on");
  } catch (const Error& error) {
    context.tell("finished fits are not kept: " + std::string(error.what()));
    path_.clear();
  }
}

void UnfinishedWork::done() const {
  std::error_code ignored;
  if (!path_.empty()) fs::remove(path_, ignored);
}

}  // namespace taut
