// Options of the questions to a model: confidence levels, bounds, quantiles, probabilities, p-values, random values.
#pragma once

#include <cli/arguments.hpp>
#include <taut/model/task.hpp>

namespace taut {

// Confidence levels, also as the text that the user wrote: it names columns of the output.
class LevelOptions {
 public:
  void add(Arguments& arguments);

  // Parses and checks the levels; the default is 0.9. Throws UsageError if one is outside (0, 1) or given twice.
  void read();
  bool given() const { return !confidence_.empty() || !alpha_.empty(); }

  const std::vector<double>& values() const { return values_; }
  const std::vector<std::string>& texts() const { return texts_; }  // "0.90" stays "0.90"

 private:
  std::vector<std::string> confidence_, alpha_;
  std::vector<double> values_;
  std::vector<std::string> texts_;
};

// --allow-empty of all commands that make sets of labels.
class EmptySetOption {
 public:
  void add(Arguments& arguments);
  // Throws UsageError if the option is given and the model has no sets of labels.
  bool checked(const Model& model) const;

 private:
  bool is_given_ = false;
};

// The questions of `taut predict`: intervals or sets at levels, and any question of the list by its name or a short form.
class QuestionOptions {
 public:
  void add(Arguments& arguments);

  // Collects levels, then questions, in the order of --help. Without any question and level, asks for intervals at level 0.9.
  void read();

  const Asking& asking() const { return asking_; }

 private:
  LevelOptions levels_;
  std::vector<std::string> ask_, upper_, lower_, quantiles_, below_;
  std::string tails_ = "both", value_, p_value_, alternative_;
  bool band_ = false;
  Index samples_ = 0, seed_ = 0;
  bool each_ = false;
  std::optional<std::string> sum_;
  Asking asking_;
};

}  // namespace taut
