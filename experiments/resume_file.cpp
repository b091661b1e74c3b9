#include <experiments/resume_file.hpp>

#include <experiments/data_sets.hpp>
#include <experiments/json.hpp>
#include <taut/core/error.hpp>
#include <taut/core/file.hpp>
#include <taut/core/format.hpp>
#include <taut/core/text.hpp>
#include <taut/core/version.hpp>
#include <taut/model/file.hpp>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#ifndef _WIN32
#include <sys/file.h>
#endif

namespace taut {

namespace {

const std::string first_line = "{\"taut\":\"finished work; the same command with --resume goes on from here\"}\n";

std::string failed(const std::string& path, const std::string& doing) {
  return format_text("{}: cannot be {}: {}", path, doing, std::strerror(errno));
}

}  // namespace

ResumeFile::ResumeFile(std::string path) : path_(std::move(path)) {
  if (path_.empty()) return;
  is_new_ = !std::filesystem::exists(path_);
  if (!is_new_ && !std::filesystem::is_regular_file(path_))
    throw Error(path_ + ": is not a regular file, so it cannot keep finished work; name another");
  // Owned by a unique_ptr until the end, because the destructor does not run if this constructor throws.
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path_.c_str(), "ab"), std::fclose);
  if (!file) throw Error(failed(path_, "opened for writing"));
#ifndef _WIN32
  if (::flock(::fileno(file.get()), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
    throw Error(path_ + ": another run keeps its finished work there; wait until it is done, or name another file with --resume");
#endif
  const std::size_t whole = is_new_ ? 0 : read(read_whole_file(path_));
  if (!is_new_) std::filesystem::resize_file(path_, whole);
  file_ = file.get();
  if (whole == 0) write_line(first_line);
  file.release();
}

ResumeFile::~ResumeFile() {
  if (file_ == nullptr) return;
  std::error_code ignored;
  if (is_new_ && known_.empty()) std::filesystem::remove(path_, ignored);
  std::fclose(file_);
}

std::size_t ResumeFile::read(const std::string& text) {
  // A file that was cut off within its first line contains no results and is overwritten.
  if (first_line.starts_with(text)) return text == first_line ? text.size() : 0;
  if (!text.starts_with(first_line))
    throw Error(path_ + ": is not a file of finished work, so it is left alone; name another with --resume");
  std::size_t begin = first_line.size();
  for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const Json line = Json::parse(text.substr(begin, end - begin), nullptr, false);
    if (!line.is_object() || !line.contains("key") || !line["key"].is_string() || !line.contains("figures") ||
        !line["figures"].is_object())
      throw Error(path_ + ": has a damaged line; name another file with --resume, or delete this one and start anew");
    NamedValues values;
    for (const auto& [name, value] : line["figures"].items()) {
      const auto number = value.is_string() ? parse_number(value.get<std::string>()) : std::nullopt;
      if (!number && !value.is_number())
        throw Error(path_ + ": has a damaged line; name another file with --resume, or delete this one and start anew");
      values.emplace_back(name, number ? *number : value.get<double>());
    }
    known_[line["key"].get<std::string>()] = std::move(values);
  }
  return begin;
}

std::optional<NamedValues> ResumeFile::find(const std::string& key) const {
  const auto found = known_.find(key);
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

void ResumeFile::add(const std::string& key, const NamedValues& values) {
  if (!open()) return;
  Json numbers = Json::object();
  for (const auto& [name, value] : values) numbers[name] = exact_number(value);
  const std::string line = json_line({{"key", key}, {"figures", std::move(numbers)}});
  const std::lock_guard lock(mutex_);
  known_[key] = values;
  write_line(line);
}

void ResumeFile::write_line(const std::string& line) {
  if (std::fwrite(line.data(), 1, line.size(), file_) != line.size() || std::fflush(file_) != 0)
    throw Error(failed(path_, "written"));
}

}  // namespace taut

namespace taut {

namespace {

namespace fs = std::filesystem;

// Whether a file beside the output makes sense; not beside a pipe or a device.
bool can_have_file_beside(const std::string& output) {
  if (output.empty() || output == "-") return false;
  std::error_code ignored;
  const auto status = fs::status(output, ignored);
  return !fs::exists(status) || fs::is_regular_file(status);
}

std::string name_for(const std::string& output, const std::string& data, const Table& table, const ComparisonSettings& settings) {
  std::string words = std::string(version) + " " + std::to_string(checksum_of(table)) + " " + describe_options(settings.common);
  for (const double level : settings.levels) words += " " + print_number(level);
  if (settings.quick) words += " quick";
  const std::string data_name = data == "-" ? "stdin" : fs::path(data).filename().string();
  return (can_have_file_beside(output) ? output : data_name + ".compare") + "." + checksum_text(checksum(words)).substr(0, 8) +
         ".unfinished";
}

}  // namespace

UnfinishedWork::UnfinishedWork(const std::string& output, const std::string& data, const Table& table,
                               const ComparisonSettings& settings, const ExecutionContext& context)
    : path_(name_for(output, data, table, settings)) {
  try {
    const ResumeFile trial(path_);
    context.tell(format_text(
        "finished fits are kept in {} until the result is written; if this is stopped, the same command goes on", path_));
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
