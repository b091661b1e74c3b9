// What predict is asked besides intervals: bounds, quantiles, probabilities, p-values, draws.
#pragma once

#include <cli/arguments.hpp>
#include <cli/levels.hpp>
#include <taut/calibrate/question.hpp>

namespace taut {

class QuestionOptions {
 public:
  void add(Arguments& arguments);

  // Levels first, then the questions, in the order of --help. Intervals are asked for unless something else is and they are not.
  void read();

  const std::vector<std::unique_ptr<Question>>& questions() const { return questions_; }
  const std::string& value_column() const { return p_value_; }  // of --p-value; empty: none
  std::uint64_t seed() const { return static_cast<std::uint64_t>(seed_); }
  bool band() const { return band_; }
  const LevelOptions& levels() const { return levels_; }
  // Nothing but sets at levels: all that there is to ask about labels.
  bool only_levels() const { return smoothed_ > 0 && smoothed_ == questions_.size(); }
  // A sentence for each question that so many calibration rows are too few for; drawn ranks (`smoothed`) make intervals an
  // exception.
  std::vector<std::string> too_few(Index calibration_rows, double sure, bool smoothed) const;

 private:
  void ask(const std::string& question);

  LevelOptions levels_;
  std::vector<std::string> upper_, lower_, quantiles_, below_;
  std::string tails_ = "both", p_value_, alternative_;
  bool band_ = false;
  Index samples_ = 0, seed_ = 0;
  std::vector<std::unique_ptr<Question>> questions_;
  std::size_t smoothed_ = 0;  // of them, the first ones: those that --smooth draws ranks for
};

}  // namespace taut
