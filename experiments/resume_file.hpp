// Finished work that outlives the program: files to resume from, and those kept beside the output.
#pragma once

#include <experiments/comparison.hpp>
#include <experiments/markdown.hpp>

#include <cstdio>
#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace taut {

// Finished work, one line of JSON each, added the moment it is done: whatever ends the program, at most the jobs under way are
// lost.

class ResumeFile {
 public:
  // Reads what is there and appends to it; a last line that was cut off is dropped. An empty path keeps nothing. A file that
  // is something else, or that another run has open, is an Error and stays as it is. A file that was created here is removed
  // again if nothing was added.
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
  std::size_t read(const std::string& text);  // the bytes that are whole lines
  void write_line(const std::string& line);

  std::string path_;
  std::FILE* file_ = nullptr;
  bool is_new_ = false;
  std::map<std::string, NamedValues> known_;
  std::mutex mutex_;
};

// Finished fits of a comparison without --resume: kept beside its output until that is written.

class UnfinishedWork {
 public:
  // OUTPUT.XXXXXXXX.unfinished, or DATA.csv.compare.XXXXXXXX.unfinished in the current folder when the result goes to standard
  // output. The digits tell data, levels and shared options apart; what is reused is decided by the key of each fit, never by the
  // name. Where no file can be kept it says so, and path() is empty.
  UnfinishedWork(const std::string& output, const std::string& data, const Table& table, const ComparisonSettings& settings,
                 const ExecutionContext& context);

  const std::string& path() const { return path_; }
  void done() const;  // the result is written: removes the file

 private:
  std::string path_;
};

}  // namespace taut
