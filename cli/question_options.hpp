// What predict is asked: regions at levels, and any question of the list by its name or by a short form.
#pragma once

#include <cli/arguments.hpp>
#include <cli/levels.hpp>
#include <taut/model/answering.hpp>

namespace taut {

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
