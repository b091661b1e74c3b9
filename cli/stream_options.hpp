// How a stream goes on, as stream, update and evaluate --in-order ask for it.
#pragma once

#include <cli/arguments.hpp>
#include <cli/terminal.hpp>
#include <taut/task/number/regressor.hpp>

namespace taut {

class StreamArguments {
 public:
  void add(Arguments& arguments);
  // Checked; what was not given stays as the model has it.
  StreamOptions read() const;
  bool given() const;
  static std::string names();  // of all of them, for messages

 private:
  StreamOptions options_;
};

// For commands that take rows in any order: an Error where the model's inputs are made from the rows before.
void refuse_past(const Regressor& model);

// Levels that a stream keeps, as sentences: how often it covered, and where each level stands.
class StreamTally {
 public:
  void add(const Streamed& streamed);
  // `state` as the last row left it.
  void tell(const std::string& what, Index refits, const LevelStream* state, Terminal& terminal) const;

 private:
  Index rows_ = 0, targets_ = 0, repeated_ = 0;
  std::vector<double> levels_;
  std::vector<Index> covered_, infinite_;
};

}  // namespace taut
