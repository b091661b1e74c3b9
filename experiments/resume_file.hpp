// Files that keep finished work, so that an interrupted run can be resumed.
#pragma once

#include <experiments/comparison.hpp>
#include <experiments/markdown.hpp>

#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace taut {

// One line of JSON for each finished job, written as soon as the job is done. If the program is killed, only the jobs that were
// running are lost.
class ResumeFile {
 public:
  // Reads an existing file and appends to it; an incomplete last line is dropped. With an empty path nothing is kept. Throws
  // Error, and leaves the file unchanged, if it is not a resume file or if another run has it open. The destructor removes a file
  // that was created here if nothing was added.
  explicit ResumeFile(std::string path);
  ~ResumeFile();
  ResumeFile(const ResumeFile&) = delete;
  ResumeFile& operator=(const ResumeFile&) = delete;

  bool open() const { return file_ != nullptr; }
  const std::string& path() const { return path_; }

  std::size_t size() const { return known_.size(); }

  std::optional<NamedValues> find(const std::string& key) const;
  void add(const std::string& key, const NamedValues& values);  // from any thread

 private:
  std::size_t read(const std::string& text);  // returns the number of bytes in complete lines
  void write_line(const std::string& line);

  std::string path_;
  std::FILE* file_ = nullptr;
  bool is_new_ = false;
  std::map<std::string, NamedValues> known_;
  std::mutex mutex_;
};

// Keeps finished fits of a comparison without --resume beside its output until that is written.
class UnfinishedWork {
 public:
  // OUTPUT.XXXXXXXX.unfinished, or DATA.csv.compare.XXXXXXXX.unfinished in the current folder when the result goes to standard
  // output. The digits are a checksum of data, levels and shared options. The key of each fit, not the name, decides what is
  // reused. If no file can be written, it says so, and path() is empty.
  UnfinishedWork(const std::string& output, const std::string& data, const Table& table, const ComparisonSettings& settings,
                 const ExecutionContext& context);

  const std::string& path() const { return path_; }
  void done() const;  // removes the file, once the result is written

 private:
  std::string path_;
};

}  // namespace taut
