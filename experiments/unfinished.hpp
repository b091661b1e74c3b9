// Finished fits of a comparison without --resume: kept beside its output until that is written.
#pragma once

#include <experiments/comparison.hpp>

#include <string>

namespace taut {

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
