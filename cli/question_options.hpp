// What predict is asked: confidence levels as the user wrote them, and bounds, quantiles, probabilities, p-values, draws.
#pragma once

#include <cli/arguments.hpp>
#include <taut/model/task.hpp>

namespace taut {

// Confidence levels as the user wrote them.

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

// What predict is asked: regions at levels, and any question of the list by its name or by a short form.

class QuestionOptions {
 public:
  void add(Arguments& arguments);

  // Levels first, then the questions, in the order of --help. Intervals are asked for unless something else is and they are not.
  void read();

  const Asking& asking() const { return asking_; }

 private:
  LevelOptions levels_;
  std::vector<std::string> ask_, upper_, lower_, quantiles_, below_;
  std::string tails_ = "both", value_, p_value_, alternative_;
  bool band_ = false;
  Index samples_ = 0, seed_ = 0;
  Asking asking_;
};

}  // namespace taut
