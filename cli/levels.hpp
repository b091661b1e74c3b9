// Confidence levels as the user wrote them.
#pragma once

#include <cli/arguments.hpp>

namespace taut {

class LevelOptions {
 public:
  void add(Arguments& arguments);

  // Checked: each in (0, 1), none twice; 0.9 where none was given. UsageError otherwise.
  void read();
  bool given() const { return !confidence_.empty() || !alpha_.empty(); }

  const std::vector<double>& values() const { return values_; }
  const std::vector<std::string>& texts() const { return texts_; }  // "0.90" stays "0.90"

 private:
  std::vector<std::string> confidence_, alpha_;
  std::vector<double> values_;
  std::vector<std::string> texts_;
};

}  // namespace taut
